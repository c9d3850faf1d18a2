"""Right and wrong answers to the exercises in notebook 18 (a model that writes)."""

from itertools import product

import torch
from torch.nn import functional as F

from companion.checks.notebook_18 import check_depends_on, check_next_logits, check_next_shares


def by_one_hot(ids, table, blocks, norm):
    """Look the tokens up by a product, and take the dot products one row of the table after the other."""
    stream, num_tokens = F.one_hot(ids, len(table)).float() @ table, ids.shape[1]
    for block in blocks:
        stream = block(stream, mask=torch.ones(num_tokens, num_tokens).tril().bool())
    return torch.stack([norm(stream) @ row for row in table], dim=-1)


def by_rows(logits, temperature=1.0, top_k=None):
    """Take each story by itself, and sort its tokens."""
    rows = []
    for row in logits:
        order = row.argsort(descending=True)[:top_k]
        rows.append(torch.zeros_like(row).index_put((order,), (row[order] / temperature).softmax(dim=0)))
    return torch.stack(rows)


def by_one_change(answer, names):
    """Compare all pairs of beginnings that differ in one word."""
    words = {"first": names, "said": ("he", "she"), "second": names}
    beginnings = list(product(*words.values()))
    differ = [(a, b) for a in beginnings for b in beginnings if sum(x != y for x, y in zip(a, b)) == 1]
    return {word for a, b in differ if answer(*a) != answer(*b) for word, x, y in zip(words, a, b) if x != y}


RIGHT = {check_next_logits: [by_one_hot], check_next_shares: [by_rows], check_depends_on: [by_one_change]}
WRONG = {
    check_next_logits: {
        "the mask has a row and a column for each token": {"ids.shape[1]": "len(ids)"},
        "mat1 and mat2 shapes cannot be multiplied": {
            "F.one_hot(ids, len(table)).float() @ table": "table[ids] @ table"
        },
    },
    check_next_shares: {"top_k may be None": {"[:top_k]": "[: min(top_k, len(row))]"}},
    check_depends_on: {
        "for a model that looks at the first name after “he” only, depends_on gives": {
            "== 1": "== 1 and (a[1] != b[1] or a[1] == 'she')"
        },
        "for a model that looks at the second name after “she” only, depends_on gives": {
            "== 1": "== 1 and (a[1] != b[1] or a[1] == 'he')"
        },
    },
}
