"""The trained head, asked for its answers and for its scores before softmax; a row of its embeddings may be another."""

import torch

from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.sentences import MEANINGS, VOCABULARY, encode


@torch.no_grad()
def ask_head(texts, head=None):
    """Return answers, numbers into `MEANINGS`, and weights (texts, tokens), of a head, by default the trained one."""
    logits, weights, _ = (head or trained())(*encode([text.split() for text in texts]))
    return logits.argmax(dim=1).tolist(), weights


def probability_of_tiny(row):
    """Return how likely the head calls "minute" tiny in "she noticed one minute seed today" if "seed" has this row."""
    words = ["she", "noticed", "one", "minute", "seed", "today"]
    head = trained().requires_grad_(False)
    table = head.embedding.weight.index_copy(0, torch.tensor(VOCABULARY.encode(["seed"])), row[None])
    context, _ = head.attend(table[VOCABULARY.encode(words)])
    return head.answer(context[words.index("minute")]).softmax(dim=-1)[MEANINGS.index("tiny")]


def slopes_of(row):
    """Return how fast minus the logarithm of this probability grows if a number of the row grows, for each: (8,)."""
    row = row.detach().clone().requires_grad_()
    (-probability_of_tiny(row).log()).backward()
    return row.grad


@torch.no_grad()
def answer_of(vector):
    """Return the meaning that the head finds if "minute" takes this vector, a mixture of rows, as its value."""
    head = trained()
    return MEANINGS[head.answer(head.attend.W_value(vector)).argmax()]


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
