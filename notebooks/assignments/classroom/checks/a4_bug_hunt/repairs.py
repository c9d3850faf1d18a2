"""Judge the causes and the repairs of a4_bug_hunt, and note repairs that were not made from the code shown."""

import contextlib
import functools

import torch

from classroom.checks.a4_bug_hunt.attentions import CAUSES, KNOWN, REPAIRS, cases_of_class
from classroom.checks.a4_bug_hunt.verdicts import FAULTS
from classroom.checks.graded import Inputs, Student, make_check
from classroom.checks.shared import context_and_weights
from classroom.code_cells import code_of, note_uses
from companion.checks.feedback import expect, expect_kind, expect_tensor
from companion.mistakes import attention_of

REPAIRED = [f"repaired_{number}" for number in REPAIRS]
OTHERS = r"\b(?:attention_\d+|ATTENTIONS|repaired_\d+|scaled_dot_product_attention|MultiheadAttention)\b"
OTHERS += r"|\bmulti_head_attention_forward\b"
INTACT = "nothing: every promise is kept, and what is written unusually is not wrong"


def _check_causes(student: Student, fresh: Inputs, numbers: range):
    cases, answers = cases_of_class(student.class_seed), {}
    for number in numbers:
        answers[number] = answer = student.call("cause", number)
        expect_kind(answer, str, f"cause({number})", "one of CAUSES")
        expect(answer in CAUSES, f"cause({number}) gives {answer!r}; return one of CAUSES, letter by letter")
    if fresh.in_notebook:  # from a check that told more, a loop would get all causes
        return
    wrong = [number for number in numbers if answers[number] != cases[number].cause]
    signs = {number: FAULTS.get(cases[number].breaks, INTACT) for number in wrong}
    hints = [f"cause({number}) is not {answers[number]!r}: look for {sign}" for number, sign in signs.items()]
    expect(not wrong, "; ".join(hints))


def _check_repair(student: Student, fresh: Inputs, number: int):
    """Compare a repair with ours where each fault shows, and name the fault that it still, or newly, has."""
    name = f"repaired_{number}"
    for situation, inputs in situations(fresh).items():
        right = attention_of()(*inputs)
        answer = context_and_weights(student.call(name, *inputs), right, name)
        for part, part_name in enumerate(("context", "tensor of weights")):
            mistakes = functools.partial(_mistakes, name, inputs, part)
            expect_tensor(answer[part], right[part], f"the {part_name} of {name} with {situation}", mistakes)


def situations(fresh: Inputs) -> dict[str, tuple]:
    """Return {in words: (query, key, value, num_heads, mask)}."""
    queries, keys, head_dim, value_dim = fresh.sizes(4, high=7)  # none is d_model or the square of another
    num_heads, batch = 3, min(2, *fresh.sizes(1))

    def features(queries, head_dim, value_dim):
        return *fresh.inputs(queries, keys, num_heads * head_dim, num_heads * value_dim, batch), num_heads

    some = fresh.mask(batch, num_heads, queries, keys)
    empty = some[0, 0].clone()
    empty[0] = False
    return {
        f"{keys} queries and keys": (*features(keys, head_dim, value_dim), None),
        f"{queries} queries, {keys} keys and a mask": (*features(queries, value_dim, head_dim), some),  # another root
        "a query that may see nothing": (*features(queries, value_dim, head_dim), empty),
        "scores of several hundred, and a mask": _large_inputs(fresh, queries, keys),
        "one query that may not see the one key": (
            *fresh.inputs(1, 1, num_heads * head_dim, num_heads * value_dim, batch),
            *(num_heads, torch.zeros(1, 1, dtype=torch.bool)),
        ),
    }


def _large_inputs(fresh: Inputs, queries, keys):
    """Return inputs with scores near 200 for one query and near -200 for the next, of whole numbers. The scores of the
    first key are twice as large, and a mask hides it."""
    query, key = fresh.normal(2, queries, 8).round(), fresh.normal(2, keys, 8).round()
    query[:, ::2, ::4], query[:, 1::2, ::4], key[..., ::4], key[:, 0, ::4] = 20.0, -20.0, 20.0, 40.0
    mask = torch.ones(queries, keys, dtype=torch.bool)
    mask[:, 0] = False
    return query, key, fresh.normal(2, keys, 8), 2, mask


def _mistakes(name: str, inputs: tuple, part: int) -> dict:
    """Return {message: the context or the weights} of the known wrong attentions."""
    table = {}
    for fault, wrong in KNOWN.items():
        with contextlib.suppress(RuntimeError):  # query and key exchanged, and unequal in number
            table[f"{name} is an attention {fault}"] = wrong(*inputs)[part]
    return table


def note_code(sources: list[str]) -> list[str]:
    """Return notes on repairs that hand the work on to another attention, or are all the same."""
    code, alike = code_of(sources), {}
    for name in REPAIRED:
        alike.setdefault("".join(code.get(name, NotImplementedError.__name__).split()), []).append(name)
    same = [names for body, names in alike.items() if len(names) > 1 and NotImplementedError.__name__ not in body]
    return note_uses(sources, REPAIRED, OTHERS) + [f"{', '.join(names)} are the same code" for names in same]


FITS = "all four are words of the list; whether they fit, your tests can tell, and the grader asks."
check_causes_1_to_4 = make_check("check_causes_1_to_4", _check_causes, range(1, 5), FITS)
check_causes_5_to_8 = make_check("check_causes_5_to_8", _check_causes, range(5, 9), FITS)
check_causes_9_to_12 = make_check("check_causes_9_to_12", _check_causes, range(9, 13), FITS)
check_repaired_2, check_repaired_4, check_repaired_7, check_repaired_9, check_repaired_12 = (
    make_check(f"check_repaired_{number}", _check_repair, number, f"number {number} is repaired.") for number in REPAIRS
)
