"""Right and wrong answers to every exercise, run for real: in answers/, one module a notebook or page."""

import importlib
from pathlib import Path

import pytest

from checks.found import CHECKS
from companion.slips import slips

RIGHT, WRONG = {}, {}  # {check: right answers}, {check: {how its message begins: wrong answer}}
for path in sorted((Path(__file__).parent / "answers").glob("*book_*.py")):
    answers = importlib.import_module(f"checks.answers.{path.stem}")
    RIGHT |= answers.RIGHT
    WRONG |= {check: slips(RIGHT[check][0], mistakes) for check, mistakes in answers.WRONG.items()}


@pytest.mark.parametrize("check, right", [(check, right) for check, answers in RIGHT.items() for right in answers])
def test_any_right_answer_is_correct(check, right, verdict):
    assert verdict(check, right) == f"correct: {check.__doc__}"


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("check, message", [(check, message) for check in WRONG for message in WRONG[check]])
def test_each_mistake_is_told_its_own_cause(check, message, verdict):
    assert verdict(check, WRONG[check][message]).startswith(f"not yet: {message}")


@pytest.mark.parametrize("check, message", [(check, message) for check in CHECKS for message in check.mistakes])
def test_each_row_of_a_table_is_told_its_own_message(check, message, verdict):
    assert verdict(check, check.mistakes[message]) == f"not yet: {message}"


@pytest.mark.parametrize("check", CHECKS)
def test_every_exercise_has_answers_that_do_not_come_from_its_table(check):
    assert RIGHT[check]
    independent = [answer for answer in WRONG[check].values() if answer not in check.mistakes.values()]
    assert len(independent) >= (1 if check.mistakes else 5)
