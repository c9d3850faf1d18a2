"""Right and wrong answers to the exercises in notebook 17 (a model that writes)."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_17 import check_next_logits, check_next_shares

CALL = "next_logits(ids, table, blocks, norm)"


def by_one_hot(ids, table, blocks, norm):
    """Look the tokens up by a product, and take the dot products one row of the table after the other."""
    stream, num_tokens = F.one_hot(ids, len(table)).float() @ table, ids.shape[1]
    for block in blocks:
        stream = block(stream, mask=torch.ones(num_tokens, num_tokens).tril().bool())
    return torch.stack([norm(stream) @ row for row in table], dim=-1)


def story_by_story(ids, table, blocks, norm):
    """Take each story by itself, and F.linear for the dot products."""
    mask = torch.arange(ids.shape[1])[:, None] >= torch.arange(ids.shape[1])
    streams = [table.index_select(0, row)[None] for row in ids]
    for block in blocks:
        streams = [block(stream, mask=mask) for stream in streams]
    return F.linear(norm(torch.cat(streams)), table)


def open_to_the_next(ids, table, blocks, norm):
    """Let each token see one token too many."""
    stream, num_tokens = table[ids], ids.shape[1]
    for block in blocks:
        stream = block(stream, mask=torch.ones(num_tokens, num_tokens).tril(1).bool())
    return norm(stream) @ table.T


def masked_by_stories(ids, table, blocks, norm):
    """Make the mask as large as the batch."""
    return norm(blocks[0](table[ids], mask=torch.ones(len(ids), len(ids)).tril().bool())) @ table.T


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


RIGHT = {check_next_logits: [by_one_hot, story_by_story], check_next_shares: [by_rows, by_powers]}
WRONG = {
    check_next_logits: [
        (lambda ids, table, blocks, norm: None, f"{CALL} gives None"),
        (lambda ids, table, blocks, norm: by_one_hot(ids, table, blocks[:1], norm), "only the first block reads"),
        (lambda ids, table, blocks, norm: by_one_hot(ids, table, blocks, lambda stream: stream), "the norm behind"),
        (
            lambda ids, table, blocks, norm: by_one_hot(ids, table, blocks, norm)[:, :-1],
            f"{CALL} gives shape (2, 4, 7)",
        ),
        (masked_by_stories, "the mask has a row and a column for each token"),
        (open_to_the_next, f"{CALL} has the right shape, but is off"),
    ],
    check_next_shares: [
        (lambda logits, temperature=1.0, top_k=None: None, "next_shares(logits, 1.0, None) gives None"),
        (lambda logits, temperature=1.0, top_k=None: logits * temperature, "these are logits, not shares"),
        (lambda logits, temperature=1.0, top_k=None: by_rows(logits, 1 / temperature, top_k), "the temperature mult"),
        (lambda logits, temperature=1.0, top_k=None: by_rows(logits, 1.0, top_k), "the temperature has no effect"),
        (lambda logits, temperature=1.0, top_k=None: by_powers(logits, temperature), "top_k has no effect"),
        (by_place, "next_shares(logits, 1.0, 3) has the right shape, but is off"),
        (in_place, "an input is changed in place"),
    ],
}
