"""Right and wrong answers to the exercise in notebook 17 (a model that writes)."""

import torch

from companion.checks.notebook_17 import check_next_shares


def by_rows(logits, temperature=1.0, top_k=None):
    """Take each story by itself, and sort its tokens."""
    rows = []
    for row in logits:
        order = row.argsort(descending=True)[:top_k]
        rows.append(torch.zeros_like(row).index_put((order,), (row[order] / temperature).softmax(dim=0)))
    return torch.stack(rows)


def by_powers(logits, temperature=1.0, top_k=None):
    """Let the temperature act on the shares as a power, and divide what is left by its sum."""
    shares = (logits.log_softmax(dim=-1) / temperature).exp()
    if top_k is not None:
        best = logits.topk(top_k).indices
        shares = torch.zeros_like(shares).scatter(-1, best, shares.gather(-1, best))
    return shares / shares.sum(dim=-1, keepdim=True)


def in_place(logits, temperature=1.0, top_k=None):
    logits /= temperature
    return by_rows(logits, 1.0, top_k)


def by_place(logits, temperature=1.0, top_k=None):
    """Keep the first k tokens of the vocabulary."""
    logits = logits / temperature
    if top_k is not None:
        logits[:, top_k:] = -torch.inf
    return logits.softmax(dim=-1)


RIGHT = {check_next_shares: [by_rows, by_powers]}
WRONG = {
    check_next_shares: [
        (lambda logits, temperature=1.0, top_k=None: None, "next_shares(logits, 1.0, None) gives None"),
        (lambda logits, temperature=1.0, top_k=None: logits * temperature, "these are logits, not shares"),
        (lambda logits, temperature=1.0, top_k=None: by_rows(logits, 1 / temperature, top_k), "the temperature mult"),
        (lambda logits, temperature=1.0, top_k=None: by_rows(logits, 1.0, top_k), "the temperature has no effect"),
        (lambda logits, temperature=1.0, top_k=None: by_powers(logits, temperature), "top_k has no effect"),
        (by_place, "next_shares(logits, 1.0, 3) has the right shape, but is off"),
        (in_place, "an input is changed in place"),
    ]
}
