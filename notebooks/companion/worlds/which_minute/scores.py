"""What "minute" asks and finds in the trained head, before softmax. See notebook 05."""

import torch

from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.sentences import encode


@torch.no_grad()
def vectors(words):
    """Return the trained head's embeddings of a sentence, (tokens, 8). Raises ValueError for unknown words."""
    return trained().embedding(encode([words])[0])[0]


@torch.no_grad()
def scores_of_minute(words):
    """Return the scores of the query of "minute" with each word's key in the trained head, (tokens,)."""
    head, inputs = trained().attend, vectors(words)
    query, key = head.W_query(inputs[words.index("minute")]), head.W_key(inputs)
    return key @ query / query.shape[-1] ** 0.5
