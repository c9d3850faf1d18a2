"""The trained head with one step of attention changed, as people change it by mistake. Used in notebook 18."""

import torch

from companion.which_minute.head import trained
from companion.which_minute.sentences import encode, sentences


def _weigh(scores, mask):
    return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)


WAYS = {  # from query, key and mask to weights; the head has two features a key
    "as trained": lambda query, key, mask: _weigh(query @ key.mT / 2**0.5, mask),
    "padding is read": lambda query, key, mask: (query @ key.mT / 2**0.5).softmax(dim=-1),
    "the mask is added, as 1 and 0": lambda query, key, mask: (query @ key.mT / 2**0.5 + mask.float()).softmax(dim=-1),
    "the scale is forgotten": lambda query, key, mask: _weigh(query @ key.mT, mask),
    "softmax down the queries": lambda query, key, mask: (
        (query @ key.mT / 2**0.5).masked_fill(~mask, -1e9).softmax(dim=-2)
    ),
    "softmax twice": lambda query, key, mask: _weigh(query @ key.mT / 2**0.5, mask).softmax(dim=-1),
    "query and key are exchanged": lambda query, key, mask: _weigh(key @ query.mT / 2**0.5, mask),
}


@torch.no_grad()
def percent_right():
    """Return {what is changed: percent of all sentences about which the head is right}."""
    head, (texts, meanings) = trained(), sentences()
    ids, mask, positions = encode(texts)
    inputs, rows = head.embedding(ids), torch.arange(len(ids))
    query, key, value = (matrix(inputs) for matrix in (head.attend.W_query, head.attend.W_key, head.attend.W_value))
    answers = {
        name: head.answer((way(query, key, mask) @ value)[rows, positions]).argmax(-1) for name, way in WAYS.items()
    }
    return {name: round(100 * (each == meanings).float().mean().item()) for name, each in answers.items()}
