"""The twelve of a4_bug_hunt as a class gets them: what is wrong with each, under which number, and as text.

Two are right, ten wrong in ways that were published. Their text stands in the notebook alone, from which the checks
take what they run: from the released one, whose cells are locked, as students do not have the source. Each takes query
(batch, queries, d_model), key (batch, keys, d_model), value (batch, keys, d_value), num_heads and a boolean mask that
stretches to (batch, heads, queries, keys); it returns context (batch, queries, d_value) and weights.
"""

import json
import random
import textwrap
from collections import namedtuple

import torch

from classroom.checks.graded import of_class
from classroom.hand_out import ASSIGNMENTS
from utils.attention import merge_heads, split_heads


def _written():
    """Return {number: text} of the attentions in the version as it is written, and {name: function} of them all."""
    cells = json.loads((ASSIGNMENTS / "release/a4_bug_hunt/a4_bug_hunt.ipynb").read_text(encoding="utf-8"))["cells"]
    sources = {cell["metadata"].get("nbgrader", {}).get("grade_id"): "".join(cell["source"]) for cell in cells}
    texts = {number: sources[f"attention_{number}"] for number in range(1, 13)}
    names = {"torch": torch, "split_heads": split_heads, "merge_heads": merge_heads}
    exec("\n".join(texts.values()), names)
    return texts, names


TEXTS, FUNCTIONS = _written()


class Case(namedtuple("Case", "written cause breaks fault")):
    """One of the twelve. written: its number in the version as it is written; cause: the word for it; breaks: a
    promise, or "" if right; fault: follows "an attention"."""

    @property
    def attention(self):
        return FUNCTIONS[f"attention_{self.written}"]


def named(cases):
    return {case.fault: case.attention for case in cases}


RIGHT = [
    Case(8, "right", "", "that is right"),
    Case(5, "right", "", "that is right, though it is written unusually"),
]
D_MODEL = "that divides by the root of d_model, not of head_dim"
WRONG = [
    Case(6, "softmax over the queries", "rows", "whose softmax runs over the queries"),
    Case(12, "softmax over the heads", "rows", "whose softmax runs over the heads"),
    Case(3, "mask after softmax", "rows", "that masks after softmax"),
    Case(9, "scale missing", "scale", "that does not scale its scores"),
    Case(11, "scale of d_model, not of head_dim", "scale", D_MODEL),
    Case(7, "mask inverted", "hidden", "whose mask is turned round"),
    Case(1, "nan where a query sees nothing", "extremes", "that gives nan to a query that may see nothing"),
    Case(4, "large scores overflow", "extremes", "that gives nan for large scores"),
    Case(2, "query and key exchanged", "order", "that exchanges query and key"),
    Case(10, "heads cut without transpose", "order", "that cuts the heads without a transpose, which mixes the tokens"),
]
LATE = "    weights = torch.softmax(scores, dim=-1)\n"
MASKED = "    if mask is not None:\n        scores = scores.masked_fill(~mask, -torch.inf)\n"
LARGEST = "    largest = scores.amax(dim=-1, keepdim=True).clamp(min=-1e30)\n"
SPLIT = "    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))\n"
CUT = """\
    cut = (len(query), num_heads, -1, query.shape[-1] // num_heads)
    query, key = query.reshape(cut), key.reshape(cut)
    value = value.reshape(*cut[:3], value.shape[-1] // num_heads)
"""
CURES = {  # {cause: (text to replace, what repairs it)}
    "softmax over the queries": ("dim=2", "dim=3"),
    "softmax over the heads": ("dim=1", "dim=-1"),
    "mask after softmax": (LATE, MASKED + LATE),
    "scale missing": ("query, key)", "query, key) / query.shape[-1] ** 0.5"),
    "scale of d_model, not of head_dim": ("query / query.shape[-1]", "query / (query.shape[-1] // num_heads)"),
    "mask inverted": ("(mask,", "(~mask,"),
    "nan where a query sees nothing": ("dim=-1)", "dim=-1).masked_fill(~mask, 0.0)"),
    "large scores overflow": ("    exps = torch.exp(scores)\n", LARGEST + "    exps = torch.exp(scores - largest)\n"),
    "query and key exchanged": ("key @ query.transpose", "query @ key.transpose"),
    "heads cut without transpose": (CUT, SPLIT),
}
DECOYS = ["key and value exchanged", "heads joined in the wrong order", "weights rounded"]
CAUSES = ["right", *sorted([case.cause for case in WRONG] + DECOYS)]
PROMISES = ("rows", "scale", "hidden", "extremes", "order")
REPAIRS = (2, 4, 7, 9, 12)  # the numbers of those to repair: a wrong one of each promise


def order(class_seed=None):
    """Return {number: Case} of a class's twelve; None is the version as it is written."""
    choose = random.Random(f"a4 {class_seed}")
    wrong = choose.sample(WRONG, len(WRONG))
    firsts = [next(case for case in wrong if case.breaks == promise) for promise in PROMISES]
    others = RIGHT + [case for case in wrong if case not in firsts]
    choose.shuffle(firsts)
    choose.shuffle(others)
    repairs, rest = iter(firsts), iter(others)
    return {number: next(repairs if number in REPAIRS else rest) for number in range(1, 13)}


def text(case, number):
    """Return the cell that shows a case under its number."""
    return TEXTS[case.written].replace(f"def attention_{case.written}(", f"def attention_{number}(")


def repaired_text(case, number):
    """Return the solution cell that repairs a case."""
    head, body = TEXTS[case.written].split("\n", 1)
    lines = [
        head.replace(f"def attention_{case.written}(", f"def repaired_{number}("),
        f'    """Return what attention_{number} should return."""',
        "    ### BEGIN SOLUTION",
        body.replace(*CURES[case.cause]),
        "    ### END SOLUTION",
    ]
    return "\n".join(lines)


@of_class
def variation(seed):
    """The twelve, the repairs and the causes."""
    cases = order(seed)
    texts = [text(case, number) for number, case in cases.items()]
    texts += [repaired_text(cases[number], number) for number in REPAIRS]
    causes = [f'{number}: "{case.cause}",' for number, case in cases.items()]  # as the solution of `cause` has them
    return [*texts, textwrap.indent("\n".join(causes), " " * 8)]
