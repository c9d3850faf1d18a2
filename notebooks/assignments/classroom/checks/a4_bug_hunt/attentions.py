"""The attentions of a4_bug_hunt. The twelve as a class gets them: what is wrong with each, under which number, and as
text. And those that tests meet in the grader only: known bugs in other forms, and right ones.

Of the twelve two are right, ten wrong in ways that were published. Their text stands in the notebook alone, from which
the checks take what they run: from the released one, whose cells are locked, as students do not have the source. Each
takes query (batch, queries, d_model), key (batch, keys, d_model), value (batch, keys, d_value), num_heads and a boolean
mask that stretches to (batch, heads, queries, keys); it returns context (batch, queries, d_value) and weights.
"""

import json
import random
import re
import textwrap
from collections import namedtuple
from pathlib import Path

import torch
from torch.nn import functional as F

from classroom.checks.graded import as_replacements
from companion import mistakes as known
from utils.attention import attention, masked_softmax, merge_heads, split_heads


def cells_of(version: str) -> dict[str, str]:
    """Return {grade_id: text} of the notebook's cells. version: "release", or "source", with the repairs."""
    path = Path(__file__).resolve().parents[3] / version / "a4_bug_hunt/a4_bug_hunt.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return {cell["metadata"].get("nbgrader", {}).get("grade_id"): "".join(cell["source"]) for cell in notebook["cells"]}


FUNCTIONS = {"torch": torch, "split_heads": split_heads, "merge_heads": merge_heads}
exec("\n".join(text for name, text in cells_of("release").items() if str(name).startswith("attention_")), FUNCTIONS)


class Case(namedtuple("Case", "written cause breaks fault")):
    """One of the twelve. written: its number in the version as it is written; cause: the word for it; breaks: a
    promise, or "" if right; fault: follows "an attention"."""

    @property
    def attention(self):
        return FUNCTIONS[f"attention_{self.written}"]


def by_fault(cases) -> dict:
    return {case.fault: case.attention for case in cases}


RIGHT = [Case(8, "right", "", "that is right"), Case(5, "right", "", "that is right, though it is written unusually")]
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
DECOYS = ["key and value exchanged", "heads joined in the wrong order", "weights rounded"]
CAUSES = ["right", *sorted([case.cause for case in WRONG] + DECOYS)]
REPAIRS = (2, 4, 7, 9, 12)  # the numbers of those to repair: a wrong one of each promise


def cases_of_class(class_seed: int | None = None) -> dict[int, Case]:
    """Return {number: Case} of a class's twelve; None is the version as it is written. In another, those to repair
    change places among themselves, and so do the others."""
    choose, written, cases = random.Random(f"a4 {class_seed}"), {case.written: case for case in RIGHT + WRONG}, {}
    for numbers in (REPAIRS, [number for number in range(1, 13) if number not in REPAIRS]):
        shuffled = numbers if class_seed is None else choose.sample(numbers, len(numbers))
        cases |= {number: written[number_written] for number, number_written in zip(numbers, shuffled)}
    return dict(sorted(cases.items()))


def cell_text(cells: dict, kind: str, case: Case, number: int) -> str:
    """Return a cell of a case under its number. cells: as in `cells_of`; kind: "attention" or "repaired"."""
    return re.sub(rf"_{case.written}\b", f"_{number}", cells[f"{kind}_{case.written}"])


@as_replacements
def variation(seed):
    """The twelve, the repairs and the causes."""
    cases, cells = cases_of_class(seed), cells_of("source")
    texts = [cell_text(cells, "attention", case, number) for number, case in cases.items()]
    texts += [cell_text(cells, "repaired", cases[number], number) for number in REPAIRS]
    causes = [f'{number}: "{case.cause}",' for number, case in cases.items()]  # as the solution of `cause` has them
    return [*texts, textwrap.indent("\n".join(causes), " " * 8)]


FRESH = {  # {promise that is broken: {what follows "an attention": the attention}}
    "rows": {"whose softmax runs over queries and keys together": known.attention_of(weigh=known.softmax_over_all)},
    "scale": {
        "that multiplies by the root of head_dim": known.attention_of(known.scaled(1 / 2)),
        "that divides by head_dim, not by its root": known.attention_of(known.scaled(-1)),
    },
    "hidden": {
        "that does not use its mask": known.attention_of(weigh=known.mask_ignored),
        "that adds a boolean mask to its scores": known.attention_of(weigh=known.mask_added),
        "whose mask is one key too far": known.attention_of(
            weigh=lambda scores, mask: masked_softmax(scores, None if mask is None else mask.roll(1, dims=-1))
        ),
    },
    "extremes": {
        "that lets a query with nothing to see take an even mix": known.attention_of(weigh=known.filled_with(-1e9)),
        "that subtracts one largest score from all rows": known.attention_of(
            weigh=known.exp_minus(lambda scores: scores.amax(dim=(-2, -1), keepdim=True), least=1e-30)
        ),
    },
    "order": {
        "that cuts the heads of its values without a transpose": known.attention_of(split_value=known.split_by_view),
        "that joins its heads without a transpose": known.attention_of(join=known.join_by_view),
    },
}
BROKEN = {  # the same, with what the assignment shows
    promise: by_fault(case for case in WRONG if case.breaks == promise) | fresh for promise, fresh in FRESH.items()
}
KNOWN = by_fault(WRONG) | {fault: attention for table in FRESH.values() for fault, attention in table.items()}


def one_head_at_a_time(query, key, value, num_heads, mask=None):
    heads = [features.chunk(num_heads, dim=-1) for features in (query, key, value)]
    shape = len(query), num_heads, query.shape[-2], key.shape[-2]
    masks = [None] * num_heads if mask is None else mask.expand(shape).unbind(1)
    contexts, weights = zip(*map(attention, *heads, masks))
    return torch.cat(contexts, dim=-1), torch.stack(weights, dim=1)


def fused(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(features, num_heads) for features in (query, key, value))
    identity = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], key.shape[-2])
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.shape[-2])
    weights = F.scaled_dot_product_attention(query, key, identity, attn_mask=mask)
    return merge_heads(F.scaled_dot_product_attention(query, key, value, attn_mask=mask)), weights


def in_float64(query, key, value, num_heads, mask=None):
    in_double = (features.double() for features in (query, key, value))
    return tuple(part.to(query.dtype) for part in known.attention_of()(*in_double, num_heads, mask))


FRESH_RIGHT = {  # {what follows "an attention": the attention}
    "that is right: it takes one head at a time": one_head_at_a_time,
    "that is right: it calls PyTorch's own": fused,
    "that is right: it computes in float64": in_float64,
}


def hopeless(query, key, value, num_heads, mask=None):
    """Break every promise at once."""
    query, key, value = (split_heads(features, num_heads) for features in (query, key, value))
    weights = (query @ key.transpose(-2, -1)).exp()
    return merge_heads(weights @ value).roll(1, dims=-2), weights
