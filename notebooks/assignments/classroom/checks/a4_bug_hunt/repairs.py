"""Judge the causes and the repairs of a4_bug_hunt, and note repairs that were not made from the code shown."""

import functools

import torch

from classroom.checks.a4_bug_hunt.attentions import CAUSES, KNOWN, REPAIRS, order
from classroom.checks.answers import context_and_weights
from classroom.checks.graded import code_of, graded_table, uses
from companion.checks.feedback import close, expect, expect_tensor
from companion.mistakes import attention_of

REPAIRED = [f"repaired_{number}" for number in REPAIRS]
OTHERS = r"\b(?:attention_\d+|ATTENTIONS|repaired_\d+|scaled_dot_product_attention|MultiheadAttention)\b"
OTHERS += r"|\bmulti_head_attention_forward\b"
SIGNS = {
    "": "no promise is broken here, and what is written unusually is not wrong",
    "rows": "look at the sums of its weights, with a mask and without",
    "scale": "everything is right here but how sharp its weights are",
    "hidden": "look at what a hidden key can change",
    "extremes": "on mild inputs nothing is wrong with it",
    "order": "look at what happens when tokens are shuffled",
}


def _cause(student, number):
    given = student.call("cause", number)
    known = isinstance(given, str) and given in CAUSES
    shown = repr(given) if isinstance(given, str) else f"a {type(given).__name__}"
    expect(known, f"cause({number}) gives {shown}; return one of CAUSES, letter by letter")
    return given


def _check_causes(student, draw, numbers):
    cases = order(student.class_seed)
    given = {number: _cause(student, number) for number in numbers}
    if draw.shown:  # from a check that told more, a loop would get all causes
        return
    wrong = [number for number in numbers if given[number] != cases[number].cause]
    hints = [f"cause({number}) is not {given[number]!r}: {SIGNS[cases[number].breaks]}" for number in wrong]
    expect(not wrong, "; ".join(hints))


def _check_repair(student, draw, number):
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
    num_heads, batch = draw.randint(2, 3), min(2, *draw.sizes(1))

    def features(queries, head_dim, value_dim):
        return *draw.attending(queries, keys, num_heads * head_dim, num_heads * value_dim, batch), num_heads

    some = draw.mask(batch, num_heads, queries, keys)
    empty = some[0, 0].clone()
    empty[0] = False
    return {
        f"{keys} queries and keys": (*features(keys, head_dim, value_dim), None),
        f"{queries} queries and {keys} keys": (*features(queries, head_dim, value_dim), None),
        "a mask": (*features(queries, value_dim, head_dim), some),  # another head_dim: no fixed number is its root
        "a query that may see nothing": (*features(queries, value_dim, head_dim), empty),
        "scores of several hundred": _large(draw, queries, keys),  # a mask that is kept from above fits here
        "scores of several hundred, and a mask": _large(draw, queries, keys, hidden=True),
        "one query that may not see the one key": (
            *draw.attending(1, 1, num_heads * head_dim, num_heads * value_dim, batch),
            *(num_heads, torch.zeros(1, 1, dtype=torch.bool)),
        ),
    }


def _large(draw, queries, keys, hidden=False):
    """Return inputs with scores near 200 for one query and near -200 for the next, of whole numbers. hidden: the scores
    of the first key are twice as large, and a mask hides it."""
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
    found = {}
    for fault, wrong in KNOWN.items():
        try:
            pair = wrong(*inputs)
        except RuntimeError:  # query and key exchanged, and unequal in number
            continue
        if not all(close(*parts) for parts in zip(pair, right)):
            found[f"{name} is an attention {fault}"] = pair[place]
    return found


def remarks(sources):
    """Return notes on repairs that hand the work on to another attention, or are all the same.

    sources: of a notebook's code cells.
    """
    code, alike = code_of(sources), {}
    for name in REPAIRED:
        alike.setdefault("".join(code.get(name, NotImplementedError.__name__).split()), []).append(name)
    same = [names for body, names in alike.items() if len(names) > 1 and NotImplementedError.__name__ not in body]
    return uses(sources, REPAIRED, OTHERS) + [f"{', '.join(names)} are the same code" for names in same]


FITS = "all four are words of the list; whether they fit numbers {} to {}, your tests can tell, and the grader asks."
CAUSE_CHECKS = {
    f"check_causes_{first}_to_{first + 3}": (FITS.format(first, first + 3), range(first, first + 4))
    for first in (1, 5, 9)
}
REPAIR_CHECKS = {f"check_repaired_{number}": (f"number {number} is repaired.", number) for number in REPAIRS}
globals().update(graded_table(_check_causes, CAUSE_CHECKS) | graded_table(_check_repair, REPAIR_CHECKS))
