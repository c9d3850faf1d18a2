"""Right and wrong answers to every exercise, run for real: the folder answers/ holds them, one module a notebook."""

import importlib
from pathlib import Path

import pytest

RIGHT, WRONG = {}, {}  # {check: right answers}, {check: [(wrong answer, how its message begins)]}
for path in sorted((Path(__file__).parent / "answers").glob("notebook_*.py")):
    answers = importlib.import_module(f"checks.answers.{path.stem}")
    RIGHT |= answers.RIGHT
    WRONG |= answers.WRONG


@pytest.mark.parametrize("check, right", [(check, right) for check, answers in RIGHT.items() for right in answers])
def test_any_right_answer_is_correct(check, right, verdict):
    assert verdict(check, right) == f"correct: {check.__doc__}"


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("check, wrong, message", [(check, *case) for check, cases in WRONG.items() for case in cases])
def test_each_mistake_is_told_its_own_cause(check, wrong, message, verdict):
    assert verdict(check, wrong).startswith(f"not yet: {message}")
