"""Checks of assignments: asking again, true or false, hints, the place of an error."""

import contextlib
import linecache
from unittest import mock

import pytest
import torch

from classroom.assignment import Check
from classroom.checks.graded import Inputs, graded, make_check
from classroom.checks.shared import add_hint, context_and_weights, expect_truth, make_module
from classroom.exchange import locate_error
from classroom.grader import judge
from classroom.local import Local
from classroom.student import StudentError
from companion.checks.feedback import Mistake, expect


@pytest.mark.parametrize(
    "answers, wavers",
    [
        ([1, 1, 1, 1], False),
        ([1, 1, 1, 2], True),
        ([1, True], True),
        ([(1, 2), (1, 2, 3)], True),
        ([[1, "a"], [1, "b"]], True),
        ([{"a": 0.1}, {"a": 0.2}], True),
        ([torch.ones(2), *[torch.ones(2) + 1e-6] * 3], False),  # rounding
        ([torch.ones(2), torch.zeros(2)], True),
        ([type("Odd", (), {})() for _ in range(4)], False),  # only the type is known of what is not plain data
        ([1, StudentError("ValueError", "")], True),
        ([1, NotImplementedError()], True),
        ([NotImplementedError(), 1], False),  # there is no answer to compare with
    ],
)
def test_an_answer_that_wavers_is_found_by_asking_again(answers, wavers):
    student = Local({})
    student.request = mock.Mock(side_effect=[0, *answers])
    student.call("before")  # which would waver, but is not the latest
    with contextlib.suppress(NotImplementedError):
        student.call("now")
    assert student.wavers() is wavers


@pytest.mark.parametrize(
    "answer, kind",
    [
        (None, "None; did you forget `return`"),
        (1, "an int"),
        (torch.tensor([True, True]), "a Tensor"),
        (torch.tensor(1), "a Tensor"),
    ],
)
def test_an_answer_that_is_neither_true_nor_false_is_refused_by_its_type(answer, kind):
    with pytest.raises(Mistake, match=f"it gives {kind}"):
        expect_truth(answer, "it")
    assert all(expect_truth(true, "it") is True for true in (True, torch.tensor(True), torch.tensor([[True]])))


def test_parts_that_are_not_tensors_are_left_to_what_compares_them():
    assert context_and_weights(([], []), (torch.zeros(2, 3), torch.zeros(2, 2)), "it") == ([], [])


def test_a_hint_leaves_kind_and_place_of_an_error_as_they_are():
    with pytest.raises(StudentError, match=r"stopped with ValueError: no; try it \(line 3\)"), add_hint("try it"):
        raise StudentError("ValueError", "no", "line 3")
    assert str(StudentError("SystemExit", "")) == "your code stopped with SystemExit"


@pytest.mark.parametrize(
    "with_right, said", [(StudentError("ValueError", ""), "a slip"), (Mistake("the own slip"), "the own slip")]
)
def test_with_a_right_function_in_its_place_a_slip_is_told_alone_and_a_stop_not_at_all(with_right, said):
    @graded(right={"first": abs})
    def check(student, fresh):
        raise with_right if student.replacements else Mistake("a slip")

    with pytest.raises(Mistake, match=f"^{said}$"):
        check(Local({}))


def test_what_has_passed_with_a_right_function_begins_with_it_the_next_time():
    def note(student, fresh, right):
        began_with_right.append(bool(student.replacements))
        expect(right or student.replacements, "a slip")

    began_with_right, student = [], Local({})
    wrong, right = (make_check(f"check_{right}", note, right, "", right={"first": abs}) for right in (False, True))
    for check in (wrong, wrong, right, right, wrong):
        check.judge(student, Inputs(0))
    assert began_with_right == [False, True] + [True] + [False] + [False] + [False, True]


def test_a_slip_is_charged_by_the_next_check_once_the_one_that_named_it_names_it_no_more():
    def meet(student, fresh, _):
        if slips.pop(0):
            raise Mistake("a slip", known=["a slip"])

    slips, student, said = [True, True, False, True], Local({}), []
    for name in ("one", "other", "one", "other"):
        with contextlib.suppress(Mistake):
            said.append(make_check(name, meet, None, "").judge(student, Inputs(0)))
    assert said == ["correct, but for what one says", "correct"] and not slips


@pytest.mark.parametrize("seconds, longest, warned", [(19, 4, 0), (21, 4, 1), (6, 6, 1)])  # of 120 and 15, run thrice
def test_what_takes_a_large_part_of_the_graders_time_is_warned_of(seconds, longest, warned):
    student = Local({})
    student.seconds, student.longest_request = seconds, longest
    assert len(student.warnings()) == warned


def test_an_error_within_init_is_told_as_it_is():
    with pytest.raises(StudentError, match="ZeroDivisionError"):
        make_module(Local({"Net": lambda: 1 / 0}), "Net")


CELL = """
def outer(numbers):
    def inner():
        return [1 / each for each in numbers]
    return inner()
class Net:
    def forward(self):
        return self.layer
quick = lambda text: torch.zeros(text)
"""


@pytest.mark.parametrize(
    "call, where",
    [
        ("outer([0])", "in `outer`, line 4 of its cell: return [1 / each for each in numbers]"),
        ("Net().forward()", "in `Net.forward`, line 8 of its cell: return self.layer"),
        ("quick('')", "line 9: quick = lambda text: torch.zeros(text)"),
    ],
)
def test_the_place_of_an_error_is_the_innermost_line_of_the_students_own(monkeypatch, call, where):
    names = {"torch": torch}
    exec(compile(CELL, "a cell", "exec"), names)
    with pytest.raises(Exception) as caught:
        eval(call, dict(names))
    assert locate_error(caught.value, names) == where.partition(": ")[0]  # where the source is not at hand
    monkeypatch.setitem(linecache.cache, "a cell", (len(CELL), None, CELL.splitlines(True), "a cell"))
    assert locate_error(caught.value, names) == where


@pytest.mark.parametrize(
    "error, said, example, worth",
    [
        (Mistake("it is off", ["your row"]), "it is off", ["your row"], 0),  # no call can be made again
        (TypeError("no"), "could not be judged: TypeError: no", [], None),  # what no check foresaw, a teacher looks at
    ],
)
def test_what_a_check_says_without_a_call_is_told_as_it_is(error, said, example, worth):
    @graded
    def check_nothing(student, fresh):
        raise error

    with pytest.raises(Mistake, match=said) as caught:
        check_nothing(Local({}))
    assert caught.value.example == example
    points, message = judge._verdict(Check("", 3, check_nothing, "", "", ""), Local({}), 0)  # and the next goes on
    assert points == worth and said in message


@pytest.mark.parametrize("error", [judge.NotStarted, MemoryError])
def test_what_is_not_the_answers_fault_costs_no_points(error):
    @graded
    def check_nothing(student, fresh):
        raise error

    with pytest.raises(error):
        judge._verdict(Check("", 3, check_nothing, "", "", ""), Local({}), 0)
