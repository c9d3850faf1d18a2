"""The attentions of a4_bug_hunt: shown as they are run, wrong where they should be, and nothing tells them apart."""

import contextlib
import dataclasses
import functools

import hypothesis
import pytest
import torch
from hypothesis import strategies as some

import assignments
from assignments import role
from classroom import texts
from classroom.assignment import load, read_source
from classroom.checks import a4_bug_hunt as a4
from classroom.checks.a4_bug_hunt import attentions
from classroom.checks.a4_bug_hunt.repairs import situations
from classroom.checks.a4_bug_hunt.verdicts import TESTS, seal
from classroom.checks.graded import Inputs
from classroom.grader import judge
from classroom.local import Local
from companion.checks.feedback import Mistake, is_close
from utils.attention import attention, merge_heads, split_heads

NAME = "a4_bug_hunt"
RIGHT = attentions.by_fault(attentions.RIGHT) | attentions.FRESH_RIGHT
WRONG = attentions.KNOWN | {"that is hopeless": attentions.hopeless}


@pytest.mark.parametrize("seed", [None, 1, 2027])
def test_the_notebook_shows_the_attentions_that_the_checks_run(seed):
    cells = read_source(NAME, seed).cells
    locked = [cell.source for cell in cells if role(cell).get("locked") and "points" not in role(cell)]
    names, cases = {}, attentions.cases_of_class(seed)
    exec("\n".join(locked), names)
    for number, case in cases.items():
        assert attentions.cell_text(attentions.cells_of("release"), "attention", case, number) in locked
        assert names["ATTENTIONS"][number] is names[f"attention_{number}"]
    solved = {role(cell).get("grade_id"): cell.source for cell in cells}
    for number in attentions.REPAIRS:  # mended from the very code that is shown
        mended = attentions.cell_text(attentions.cells_of("source"), "repaired", cases[number], number)
        assert solved[f"repaired_{number}"] == mended and f"def repaired_{number}(" in mended
    features = torch.randn(2, 5, 6)
    assert names["split_heads"](features, 3).equal(split_heads(features, 3))
    assert names["merge_heads"](names["split_heads"](features, 3)).equal(features)
    assert names["CAUSES"] == attentions.CAUSES


@pytest.mark.parametrize("seed", [None, *range(20)])
def test_every_class_gets_all_twelve_and_repairs_one_of_each_promise(seed):
    cases = attentions.cases_of_class(seed)
    assert list(cases) == list(range(1, 13)) and (len(RIGHT), len(WRONG)) == (5, 21)
    assert {*cases.values()} == {*attentions.RIGHT, *attentions.WRONG}
    assert {cases[number].breaks for number in attentions.REPAIRS} == set(attentions.BROKEN)


@pytest.mark.parametrize("fault", RIGHT)
def test_a_right_attention_agrees_with_the_courses_own(fault):
    for seed in range(5):
        for *features, num_heads, mask in situations(Inputs(seed)).values():
            context, weights = attention(*(split_heads(part, num_heads) for part in features), mask)
            answer = RIGHT[fault](*features, num_heads, mask)
            assert is_close(answer[0], merge_heads(context)) and is_close(answer[1], weights)


@pytest.mark.parametrize("fault", WRONG)
def test_a_repair_that_is_another_wrong_attention_is_told_its_fault(fault):
    student = Local({"repaired_2": functools.partial(WRONG[fault])})
    with pytest.raises(Mistake) as caught:
        a4.check_repaired_2.judge(student, Inputs(0))
    assert fault not in attentions.KNOWN or str(caught.value) == f"repaired_2 is an attention {fault}"


def test_what_an_attention_refuses_does_not_tell_which_it_is():
    query, key = torch.randn(2, 4, 6), torch.randn(2, 5, 6)
    mask = torch.ones(4, 5, dtype=torch.bool)
    calls = [
        (query, key),
        (query[0], key[0], key[0], 2),
        (query.long(), key, key, 2),
        (query * torch.nan, key, key, 2),
        (query, key, key[:, :3], 2),
        (query, key, key[..., :4], 4),
        (query, key, key[..., :5], 2),
        (query, key, key, 2.0),
        (query, key, key, 0),
        (query, key, key, 2, mask.float()),
        (query, key, key, 2, mask[:3]),
    ]
    for arguments in calls:
        errors = set()
        for inner in (*RIGHT.values(), *WRONG.values()):
            with pytest.raises((TypeError, ValueError)) as error:
                seal(inner)(*arguments)
            errors.add(f"{error.type.__name__}: {error.value}")
        assert len(errors) == 1, errors


def test_the_order_of_cases_tells_nothing_and_only_the_seed_sets_it():
    cases, order, draws = list(range(20)), [], []
    assert Inputs(0).in_any_order(cases, lambda case: order.append(case) or -case) == [-case for case in cases]
    assert sorted(order) == cases != order
    for seed in (1, 2):
        torch.manual_seed(seed)  # as a student may
        draws.append(Inputs(0).normal(2, 3))
    assert draws[0].equal(draws[1])
    mask = Inputs(0).mask(99, 4)
    assert mask.any(-1).all() and not mask.all(-1).any() and mask[:, 0].any() and not mask[:, 0].all()


def test_the_visible_check_of_causes_does_not_tell_whether_they_fit(capsys):
    student = Local({"cause": lambda number: "weights rounded"})
    for check in (a4.check_causes_1_to_4, a4.check_causes_5_to_8, a4.check_causes_9_to_12):
        check(student)
        assert "all four are words of the list" in capsys.readouterr().out
        with pytest.raises(Mistake, match="is not 'weights rounded'"):
            check(student, seed=None)
    with pytest.raises(Mistake, match=r"^cause\(1\) gives an int.*one of CAUSES was expected"):
        a4.check_causes_1_to_4(Local({"cause": lambda number: number}))


SLIPS = {
    name: [
        f"def {name}(attention):\n    {line}\n"
        for line in ("assert False", "pass", "raise NotImplementedError()", "raise RuntimeError", "return False")
    ]
    for name in TESTS.values()
}
SLIPS["is_right"] = [slip for case, (slip, _) in assignments.solutions(NAME).items() if case.startswith("is_right")]
SLIPS["is_right"] += ["is_right = bool", assignments.right_sources(NAME)["is_right"].replace("return", "return not")]


@functools.cache
def earned(slips):
    """Return the points for tests and verdicts, with these sources in place of right functions."""
    student, points = assignments.solved(NAME, *sorted(slips)), 0
    for check, worth in assignments.points(NAME).items():
        if check.startswith(("check_test", "check_finds", "check_cries")):
            with contextlib.suppress(Mistake, NotImplementedError):
                getattr(a4, check).judge(student, Inputs(0))
                points += worth
    return points


@hypothesis.settings(max_examples=5, deadline=None, derandomize=True)
@hypothesis.example({"is_right": SLIPS["is_right"][1], "test_scale": SLIPS["test_scale"][0]})
@hypothesis.example({"is_right": SLIPS["is_right"][2], "test_scale": SLIPS["test_scale"][0]})
@hypothesis.given(some.fixed_dictionaries({name: some.sampled_from([None, *texts]) for name, texts in SLIPS.items()}))
def test_no_slip_pays_whatever_else_is_wrong(chosen):
    slips = frozenset(filter(None, chosen.values()))
    for slip in slips:
        assert earned(slips - {slip}) >= earned(slips), slip


def test_repairs_that_were_not_made_from_the_code_shown_are_noted():
    handed_on = "def repaired_{}(query, key, value, num_heads, mask=None):\n    return attention_8(query, key, value)\n"
    once, _ = assignments.solutions(NAME)["one_right_attention_for_all_repairs"]
    unsolved = [cell.source for cell in assignments.notebook(NAME, "release").cells if cell.cell_type == "code"]
    uses, number_8 = "{} uses {}: the text asks to do without".format, "attention_8"
    others = "ATTENTIONS, MultiheadAttention, multi_head_attention_forward, scaled_dot_product_attention"
    for sources, notes in (
        (assignments.code(NAME, lambda role: True), []),
        (unsolved, []),
        ([once], [uses("repaired_2", "repaired_12, repaired_4, repaired_7, repaired_9")]),
        ([f"repaired_9 = {others}"], [uses("repaired_9", others)]),
        (
            [handed_on.format(2) + handed_on.format(4)],
            [uses("repaired_2", number_8), uses("repaired_4", number_8), "repaired_2, repaired_4 are the same code"],
        ),
    ):
        assert a4.note_code(sources) == notes
    nothing_judged = dataclasses.replace(load(NAME), checks=[])
    grade = judge.grade_submission(nothing_judged, assignments.submission(NAME, handed_on.format(2)))
    assert grade.notes == ["no answer in words was found: explain_longest_hidden", uses("repaired_2", number_8)]
    many = "".join(handed_on.format(number) for number in range(2_000))
    grade = judge.grade_submission(nothing_judged, assignments.submission(NAME, many))
    assert len(grade.notes) <= texts.MOST_LINES + 2 and max(map(len, grade.notes)) <= texts.LONGEST_MESSAGE
