"""What "minute" asks and finds in the trained head, before softmax, and with its future hidden. See notebook 08."""

import torch

from companion.pictures.heatmap import heatmap
from companion.which_minute.head import trained
from companion.which_minute.sentences import encode
from utils.attention import causal_mask


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


def future_hidden(words):
    """Draw two rows of weights of "minute", with all words in sight and with those after it hidden."""
    place = words.index("minute")
    seen = torch.stack([torch.ones(len(words), dtype=torch.bool), causal_mask(len(words))[place]])
    weights = scores_of_minute(words).where(seen, -torch.inf).softmax(dim=1)
    rows, corner = ["all in sight", "future hidden"], "of “minute”, key →"
    caption = "“pause” stands in the future, so its share must go to other words."
    return heatmap(weights, rows, words, mask=seen, corner=corner, caption=caption)
