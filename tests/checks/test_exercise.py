"""What an exercise does in a notebook: it judges the newest cell, and names common slips and other stubs."""

import nbformat
import pytest
import torch
from nbclient import NotebookClient

from companion.verdict_words import NOT_ATTEMPTED, NOT_YET
from lessons.notebook_04 import check_double

RIGHT, WRONG, UNREADABLE = (f"def merge(tokens, pair):\n    return {rest}" for rest in ("['ab']", "[]", "['ab'"))
CHECK = """from companion.checks.exercise import exercise
from companion.checks.feedback import expect_equal

@exercise
def check_merge(merge):
    "well merged."
    expect_equal(merge(["a", "b"], ("a", "b")), ["ab"], "merge")"""


def outputs_of(*sources):
    """Run cells in a real kernel, errors or not, and return what each shows."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    NotebookClient(nbformat.v4.new_notebook(cells=cells), allow_errors=True, timeout=60).execute()
    texts = [
        [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
        for cell in cells
    ]
    return ["".join(parts).strip() for parts in texts]


def test_an_unreadable_cell_is_not_judged_by_its_older_version():
    judged = "check_merge(merge)"
    newest = RIGHT, UNREADABLE, WRONG, f"%%time\n{RIGHT}", "def merged(tokens:", " class merge(object"
    verdicts = outputs_of(CHECK, *(cell for source in newest for cell in (source, judged)))
    assert verdicts[2::2] == [
        "correct: well merged.",
        "not yet: Python could not read your newest merge (line 2: '[' was never closed)",
        "not yet: merge gives [], but ['ab'] was expected",
        "correct: well merged.",
        "correct: well merged.",
        "not yet: Python could not read your newest merge (line 1: '(' was never closed)",
    ]


@pytest.mark.parametrize(
    "double, advice",
    [
        (lambda number: torch.ones(2, 2) @ torch.nn.Linear(2, 2), "a layer is called, not multiplied"),
        (lambda number: torch.arange(2) < [1, 2], "a list is not a tensor"),
        (lambda number: 1 if torch.ones(2) > 0 else 2, "comparing tensors gives many: leave out the if"),
        (lambda number: eval("d_k"), "Python does not know the name d_k yet"),
        (lambda number: eval("num_heads"), "in forward it is self.num_heads, which __init__ keeps"),
        (lambda number: torch.sqrt(4), "the root of a number is number ** 0.5"),
    ],
)
def test_an_error_after_a_common_slip_says_what_to_do(double, advice):
    assert advice in check_double.verdict(double).words


def not_written(number):
    raise NotImplementedError


class Stub:
    def __init__(self, number):
        raise NotImplementedError


class MakesAnother:
    def __init__(self, number):
        self.part = Stub(number)


@pytest.mark.parametrize(
    "answer, words",
    [
        (not_written, ""),
        (Stub, ""),
        (
            lambda number: not_written(number),
            "your function double is there, but it calls not_written, which is not written yet",
        ),
        (MakesAnother, "your class double is there, but it calls Stub, which is not written yet"),
    ],
)
def test_a_stub_is_told_from_an_answer_that_calls_another_stub(answer, words):
    verdict = check_double.verdict(answer)
    assert verdict.words == words and verdict.kind == (NOT_YET if words else NOT_ATTEMPTED)
