"""Judge the repairs of a4_bug_hunt: a repair that is another wrong attention is told its fault.

What a teacher may want to see is noted: repairs that are right, but were not made from the code shown.
"""

import functools
import re

import torch

from classroom.checks.a4_bug_hunt.attentions_hidden import FRESH
from classroom.checks.a4_bug_hunt.twelve import WRONG
from classroom.checks.answers import context_and_weights
from classroom.checks.graded import code_of
from companion.checks.feedback import close, expect_tensor
from companion.checks.mistakes import attention_of

OTHERS = re.compile(r"\b(?:attention_\d+|ATTENTIONS|repaired_\d+)\b")


def judge_repair(student, draw, number):
    """Compare a repair with ours where each fault shows, and name the fault that it still, or newly, has."""
    name = f"repaired_{number}"
    for situation, inputs in situations(draw).items():
        right = attention_of()(*inputs)
        given = context_and_weights(student.call(name, *inputs), right, name)
        for place, what in enumerate(("context", "tensor of weights")):
            mistakes = functools.partial(_mistakes, name, inputs, right, place)
            expect_tensor(given[place], right[place], f"the {what} of {name} with {situation}", mistakes)


def situations(draw):
    """Return {in words: (query, key, value, num_heads, mask)}."""
    queries, keys, head_dim, value_dim = draw.sizes(4, low=4, high=7)  # none is d_model or the square of another
    num_heads = draw.randint(2, 3)

    def features(queries, head_dim, value_dim):
        key, value = draw.normal(2, keys, num_heads * head_dim), draw.normal(2, keys, num_heads * value_dim)
        return draw.normal(2, queries, num_heads * head_dim), key, value, num_heads

    some = draw.mask(2, num_heads, queries, keys)
    empty = some[0, 0].clone()
    empty[0] = False
    return {
        f"{keys} queries and keys": (*features(keys, head_dim, value_dim), None),
        f"{queries} queries and {keys} keys": (*features(queries, head_dim, value_dim), None),
        "a mask": (*features(queries, value_dim, head_dim), some),  # another head_dim: no fixed number is its root
        "a query that may see nothing": (*features(queries, value_dim, head_dim), empty),
        "scores of several hundred": _large(draw, queries, keys),
        "scores of several hundred, and a mask": _large(draw, queries, keys, hidden=True),
    }


def _large(draw, queries, keys, hidden=False):
    """Return inputs with scores near 200 for one query and near -200 for the next, of whole numbers.

    hidden: the scores of the first key are twice as large, and a mask hides it.
    """
    query, key = draw.normal(2, queries, 8).round(), draw.normal(2, keys, 8).round()
    query[:, ::2, ::4], query[:, 1::2, ::4], key[..., ::4] = 20.0, -20.0, 20.0
    mask = None
    if hidden:
        key[:, 0, ::4] = 40.0
        mask = torch.ones(queries, keys, dtype=torch.bool)
        mask[:, 0] = False
    return query, key, draw.normal(2, keys, 8), 2, mask


def _mistakes(name, inputs, right, place):
    """Return {message: context or weights} of the known wrong attentions that differ from the right one here."""
    known = {case.fault: case.attention for case in WRONG}
    for fresh in FRESH.values():
        known |= fresh
    found = {}
    for fault, wrong in known.items():
        try:
            pair = wrong(*inputs)
        except RuntimeError:  # query and key exchanged, and unequal in number
            continue
        if not all(close(*parts) for parts in zip(pair, right)):
            found[f"{name} is an attention {fault}"] = pair[place]
    return found


def remarks(sources):
    """Return notes on the repairs that hand the work on to another attention. sources: of a notebook's code cells."""
    code = {name: body for name, body in code_of(sources).items() if name.startswith("repaired_")}
    handed = {name: sorted(set(OTHERS.findall(body))) for name, body in code.items()}
    return [f"{name} uses {', '.join(others)}" for name, others in handed.items() if others]
