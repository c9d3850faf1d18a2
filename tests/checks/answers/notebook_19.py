"""Right and wrong answers to the exercises in notebook 19 (a language model)."""

import re

import torch

from companion.checks.notebook_19 import check_file_name, check_induction, check_turn_at, check_write_on

PARTS = ["attn_q", "attn_k", "attn_v", "attn_output", "attn_norm", "ffn_gate", "ffn_up", "ffn_down", "ffn_norm"]
OURS = ["W_query", "W_key", "W_value", "W_output", "norm1", "gate", "widen", "narrow", "norm2"]


def by_pattern(ours):
    if match := re.fullmatch(r"blocks\.(\d+)\.(?:\w+\.)?(\w+)\.weight", ours):
        return f"blk.{match[1]}.{PARTS[OURS.index(match[2])]}.weight"
    return {"embedding.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}[ours]


def with_complex_numbers(features, positions, base):
    first, second = features.chunk(2, dim=-1)
    size = features.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, size, 2) / size)
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], dim=-1)


def one_read_more(read, ids, num_new, choose, end):
    written, logits = [], read(ids)
    for _ in range(num_new):
        new = choose(logits[-1])
        if new == end:
            return written
        written.append(new)
        logits = read([new])
    return written


def by_loop(weights_of, row, other):
    size, scores = len(row), 0
    for first, sign in ((row, 1), (other, -1)):
        weights = weights_of(torch.cat([first, row]))
        scores += sign * sum(weights[..., size + k, k + 1] for k in range(size)) / size
    return scores


RIGHT = {
    check_file_name: [by_pattern],
    check_turn_at: [with_complex_numbers],
    check_write_on: [one_read_more],
    check_induction: [by_loop],
}
WRONG = {
    check_file_name: {
        "not enough values to unpack (expected 3, got 2); names outside the blocks": {
            "if match": '_, layer, rest = ours.split(".", 2)\n    if match'
        },
        "list index out of range; names outside the bl": {"if match": 'ours.split(".")[3]\n    if match'},
    },
    check_turn_at: {
        "The size of tensor a (6) must match the size of tensor b (4)": lambda features, positions, base: (
            features * (positions / base).cos()
        )
    },
    check_write_on: {"'int' object is not iterable; read takes a list of ids": {"read([new])": "read(new)"}},
    check_induction: {
        "induction > 0.15 (only two heads find) for rows of 6 tokens is True at (0, 2": lambda weights_of, row, other: (
            weights_of(torch.cat([row, row]))[..., len(row) :, : len(row)].amax(dim=(-1, -2))
        ),
        "induction > 0.15 (only two heads fi": {"len(row)": "6"},
    },
}
