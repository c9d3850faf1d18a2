"""The twelve of a4_bug_hunt as a class gets them: what is wrong with each, under which number, and as text."""

import inspect
import random
import textwrap
from collections import namedtuple

from classroom.checks.a4_bug_hunt import attentions_shown as shown
from classroom.checks.graded import of_class

# One of the twelve. cause: the word for it; breaks: a promise, or "" if right; fault: follows "an attention".
Case = namedtuple("Case", "attention cause breaks fault")


def named(cases):
    return {case.fault: case.attention for case in cases}


RIGHT = [
    Case(shown.right, "right", "", "that is right"),
    Case(shown.right_but_unusual, "right", "", "that is right, though it is written unusually"),
]
D_MODEL = "that divides by the root of d_model, not of head_dim"
EMPTY = "that gives nan to a query that may see nothing"
UNTURNED = "that cuts the heads without a transpose, which mixes the tokens"
WRONG = [
    Case(shown.over_queries, "softmax over the queries", "rows", "whose softmax runs over the queries"),
    Case(shown.over_heads, "softmax over the heads", "rows", "whose softmax runs over the heads"),
    Case(shown.masked_late, "mask after softmax", "rows", "that masks after softmax"),
    Case(shown.unscaled, "scale missing", "scale", "that does not scale its scores"),
    Case(shown.scaled_by_d_model, "scale of d_model, not of head_dim", "scale", D_MODEL),
    Case(shown.inverted, "mask inverted", "hidden", "whose mask is turned round"),
    Case(shown.empty_row, "nan where a query sees nothing", "extremes", EMPTY),
    Case(shown.overflowing, "large scores overflow", "extremes", "that gives nan for large scores"),
    Case(shown.exchanged, "query and key exchanged", "order", "that exchanges query and key"),
    Case(shown.cut_by_reshape, "heads cut without transpose", "order", UNTURNED),
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
CURES = {  # {attention: (text to replace, what repairs it)}
    shown.over_queries: ("dim=2", "dim=3"),
    shown.over_heads: ("dim=1", "dim=-1"),
    shown.masked_late: (LATE, MASKED + LATE),
    shown.unscaled: ("query, key)", "query, key) / query.shape[-1] ** 0.5"),
    shown.scaled_by_d_model: ("query / query.shape[-1]", "query / (query.shape[-1] // num_heads)"),
    shown.inverted: ("(mask,", "(~mask,"),
    shown.empty_row: ("dim=-1)", "dim=-1).masked_fill(~mask, 0.0)"),
    shown.overflowing: ("    exps = torch.exp(scores)\n", LARGEST + "    exps = torch.exp(scores - largest)\n"),
    shown.exchanged: ("key @ query.transpose", "query @ key.transpose"),
    shown.cut_by_reshape: (CUT, SPLIT),
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
    name = case.attention.__name__
    return inspect.getsource(case.attention).replace(f"def {name}(", f"def attention_{number}(").rstrip()


def repaired_text(case, number):
    """Return the solution cell that repairs a case."""
    head, body = inspect.getsource(case.attention).split("\n", 1)
    lines = [
        head.replace(f"def {case.attention.__name__}(", f"def repaired_{number}("),
        f'    """Return what attention_{number} should return."""',
        "    ### BEGIN SOLUTION",
        body.replace(*CURES[case.attention]).rstrip(),
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
