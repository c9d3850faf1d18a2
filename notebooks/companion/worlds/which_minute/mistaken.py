"""The trained head with one step of attention changed, as people change it by mistake. Used in notebook 20."""

import torch

from companion.mistakes import added, ignored, scaled
from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.sentences import encode, sentences
from utils.attention import masked_softmax, scores

MISTAKES = {  # how query and key are scored, and how scores and mask become weights
    "as trained": (scores, masked_softmax),
    "padding is read": (scores, ignored),
    "the mask is added, as 1 and 0": (scores, added),
    "the scale is forgotten": (scaled(0), masked_softmax),
    "softmax down the queries": (scores, lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-2)),
    "softmax twice": (scores, lambda scores, mask: masked_softmax(scores, mask).softmax(dim=-1)),
    "query and key are exchanged": (lambda query, key: scores(key, query), masked_softmax),
}


@torch.no_grad()
def percent_right():
    """Return {what is changed: percent of all sentences about which the head is right}."""
    head, (texts, meanings) = trained(), sentences()
    ids, mask, positions = encode(texts)
    inputs, rows = head.embedding(ids), torch.arange(len(ids))
    query, key, value = (matrix(inputs) for matrix in (head.attend.W_query, head.attend.W_key, head.attend.W_value))
    percents = {}
    for name, (score, weigh) in MISTAKES.items():
        answers = head.answer((weigh(score(query, key), mask) @ value)[rows, positions]).argmax(dim=-1)
        percents[name] = round(100 * (answers == meanings).float().mean().item())
    return percents
