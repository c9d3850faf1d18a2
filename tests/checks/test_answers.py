"""Right and wrong answers to every exercise, run for real: in answers/, one module a notebook or page."""

import importlib
import re
from pathlib import Path
from zlib import crc32

import pytest
import torch

from checks.found import CHECKS
from companion.checks.feedback import expect_like
from companion.slips import slips

RIGHT, WRONG = {}, {}  # {check: right answers}, {check: {how its message begins: wrong answer}}
for path in sorted((Path(__file__).parent / "answers").glob("*book_*.py")):
    answers = importlib.import_module(f"checks.answers.{path.stem}")
    RIGHT |= answers.RIGHT
    WRONG |= {check: slips(RIGHT[check][0], mistakes) for check, mistakes in answers.WRONG.items()}
RECORDED = dict(re.findall(r"(check_\w+)([^c]*)", Path(__file__).with_name("recorded.txt").read_text()))


@pytest.mark.parametrize("check, right", [(check, right) for check, answers in RIGHT.items() for right in answers])
def test_any_right_answer_is_correct(check, right, verdict):
    assert verdict(check, right) == f"correct: {check.__doc__}"


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("check, message", [(check, message) for check in WRONG for message in WRONG[check]])
def test_each_mistake_is_told_its_own_cause(check, message, verdict):
    assert verdict(check, WRONG[check][message]).startswith(f"not yet: {message}")


def number_of(result):
    """Return a number that tells results apart, and hardly differs from machine to machine."""
    if isinstance(result, torch.Tensor):
        numbers = result.detach().double().nan_to_num(7, 11, -11).flatten()
        number = float(numbers @ torch.linspace(1, 2, len(numbers)).double())
        return sum((place * size for place, size in enumerate(result.shape)), number)
    if isinstance(result, tuple | list):
        return sum(place * number_of(part) for place, part in enumerate(result, 1))
    return crc32(repr(sorted(result) if isinstance(result, set) else result).encode()) % 1000


@pytest.mark.parametrize("check", CHECKS)
def test_each_row_of_a_table_is_told_its_own_message_and_gives_what_is_recorded(check, monkeypatch):
    """A row is compared with itself; so recorded.txt has a sum of the check's words, and of what each answer gives."""
    given, words = [], {**check.mistakes}

    def watched(answer, right, inputs, doing, *rest):
        def noted(*inputs):
            result = answer(*inputs)
            given[-1] += number_of(result)
            return result

        words[doing] = None
        expect_like(noted, right, inputs, doing, *rest)

    for module in ("companion.checks.compared", "companion.checks.modules", check.__module__):
        monkeypatch.setattr(f"{module}.expect_like", watched, raising=False)
    for message, answer in {"": RIGHT[check][0], **check.mistakes}.items():
        given.append(0.0)
        told = repr(check.verdict(answer))
        assert not message or told == f"not yet: {message}"
    given.append(crc32("".join(words).encode()) % 1000)
    line = " ".join([check.__name__, *(f"{number:.6g}" for number in given)])
    same = given == pytest.approx([*map(float, RECORDED[check.__name__].split())], rel=1e-3, abs=1e-2)
    assert same, f"if you meant this, write it into recorded.txt:\n{line}"


@pytest.mark.parametrize("check", CHECKS)
def test_every_exercise_has_right_answers_and_a_table_or_five_wrong_answers(check):
    assert RIGHT[check] and (check.mistakes or len(WRONG[check]) >= 5)
