"""Wrong solutions are caught by the message that names their mistake, unusual right ones pass; each runs for real.

A mistake that a check names stands in a table of that check, and one test puts each row of all tables in a student's
place. The solutions in solutions/ are written without a look at these tables. All are judged in this process. The
grader, whose own processes must change no verdict, gets some from each part of an assignment. A check that finds a
mistake by luck misses it with one of five seeds; one always runs. With --all, all run.
"""

import functools

import pytest
import torch

import assignments
from classroom.assignment import import_checks, load
from classroom.checks.a2_masks_and_modules import leaks
from classroom.checks.graded import Inputs
from classroom.grader import judge
from companion.checks.feedback import Mistake

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # torch's, on some ways to solve it
A1, A2, A3, A4 = assignments.NAMES
CASES = [(name, case) for name in assignments.NAMES for case in assignments.solutions(name)]


def judged(name, source, seed):
    """Judge a solution in this very process, as a notebook does: {check: message} of what fails."""
    torch.manual_seed(seed)  # of what a solution draws
    student, failures = assignments.solved(name, source), {}
    for check in assignments.points(name):
        try:
            getattr(import_checks(name), check).judge(student, Inputs(seed))
        except (Mistake, NotImplementedError) as error:
            failures[check] = str(error)
    return failures


ROWS = {}  # {(assignment, what is replaced, message): checks that have the row in their table}
for name in assignments.NAMES:
    for check in (check.function for check in load(name).checks):
        for message in check.mistakes:
            ROWS.setdefault((name, check.of, message), []).append(check)


@pytest.mark.parametrize("name, of, message", ROWS, ids=[f"{name[:2]}-{of}-{text[:40]}" for name, of, text in ROWS])
def test_a_wrong_answer_of_a_table_is_told_its_message(name, of, message):
    messages = []
    for check in ROWS[name, of, message]:
        student = assignments.solved(name)
        student.names[of] = functools.partial(check.mistakes[message])  # as the student's own, not the course's
        try:
            check.judge(student, Inputs(0))
        except Mistake as mistake:
            messages.append(str(mistake))
    assert any(message in told_message for told_message in messages), messages


@pytest.mark.parametrize("name", assignments.NAMES[:-1])  # the checks of the last one are cases of a few judges
def test_each_check_has_a_wrong_solution_or_a_table_of_mistakes_that_it_must_find(name):
    charged = {check for _, expected in assignments.solutions(name).values() for check in expected}
    tested = {check.__name__ for (of, *_), checks in ROWS.items() if of == name for check in checks}
    assert not {*assignments.points(name)} - charged - tested


def test_no_row_of_a_table_is_lost_and_with_it_its_case_above():
    tables = leaks.MASK_LEAKS, leaks.MODE_LEAKS, leaks.HIDDEN_LEAKS
    assert [sum(map(len, ROWS.values())), *map(len, tables)] == [207, 6, 4, 7], "change a number if you mean it"


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.only_with_all) for seed in range(1, 5))])
@pytest.mark.parametrize("name, case", CASES, ids=[f"{name[:2]}-{case}" for name, case in CASES])
def test_a_wrong_solution_is_charged_once_and_told_its_mistake_and_an_unusual_right_one_passes(name, case, seed):
    source, expected = assignments.solutions(name)[case]
    compare(judged(name, source, seed), expected)


@pytest.mark.parametrize("ones", [0, 1])
@pytest.mark.parametrize("name", assignments.NAMES)
def test_the_source_passes_where_sizes_are_1(name, ones):
    for check in assignments.points(name):
        getattr(import_checks(name), check).judge(assignments.solved(name), Inputs(0, ones))


@pytest.mark.parametrize("name", assignments.NAMES)
def test_the_grader_finds_the_same_mistakes_and_no_others(name):
    sample = [*assignments.solutions(name).values()][::-12]  # of which the last are right
    handed_in = [assignments.submission(name, source) for source, _ in sample]
    for verdicts, (_, expected) in zip(assignments.verdicts(name, handed_in), sample):
        compare({check: message for check, (points, message) in verdicts.items() if not points}, expected)


# A function of this name that calls the right one, and what it does with that.
WRAPPED = """
right, kept = {0}, {{}}
def {0}(*given):
    *inputs, mask = given
    {1}
"""
KEEPS_WORDS = """
right, kept = encode, {}
def encode(sentence, words): return right(sentence, kept.setdefault(frozenset(words), words))
"""
KEEPS = "return kept.setdefault(tuple(getattr(each, 'shape', each) for each in given), right(*given))"
KEEPS_LAST = """
    fits = mask is None and getattr(kept.get(0), "shape", None) == (inputs[0].shape[-2], inputs[1].shape[-2])
    kept[0] = mask = kept[0] if fits else mask
    return right(*inputs, mask)
"""
DROPS_A_MASK_OF_ONE = "return right(*inputs, None if mask is not None and mask.numel() == 1 else mask)"
SQUEEZES = "return right(*given).squeeze()"
SQUEEZES_BOTH = "return [made.squeeze(0) for made in right(*given)]"
MODULE_THAT_KEEPS_MASKS = """
class Kept(MultiHeadAttention):
    def forward(self, query_input, key_value_input=None, mask=None):
        kept = self.__dict__.setdefault("masks", {})
        mask = mask if mask is None else kept.setdefault(mask.shape, mask)
        return super().forward(query_input, key_value_input, mask)
MultiHeadAttention = Kept
"""
MODULE_THAT_KEEPS = """
class Kept(CausalSelfAttention):
    def forward(self, inputs, lengths=None):
        self.lengths = lengths = lengths or getattr(self, "lengths", None)
        fits = lengths and inputs.ndim == 3 and len(lengths) == len(inputs)
        return super().forward(inputs, lengths if fits else None)
CausalSelfAttention = Kept
"""


@pytest.mark.parametrize(
    "name, source, charged, hint",
    [
        (A1, KEEPS_WORDS, "check_encode_order", judge.WAS_RIGHT),
        (A1, WRAPPED.format("softmax_rows", KEEPS), "check_softmax_rows", judge.WAS_RIGHT),
        (A1, WRAPPED.format("softmax_rows", SQUEEZES), "check_softmax_rows", "gives shape"),
        (A1, WRAPPED.format("attention", SQUEEZES_BOTH), "check_attention_context", "gives shape"),
        (A2, WRAPPED.format("masked_attention", KEEPS_LAST), "check_attention_plain", "off by"),
        (A2, MODULE_THAT_KEEPS, "check_module_lengths", "after a call with lengths"),
        (A3, MODULE_THAT_KEEPS_MASKS, "check_mask", judge.WAS_RIGHT),
        (A4, WRAPPED.format("repaired_4", SQUEEZES_BOTH), "check_repaired_4", "shape"),
        (A4, WRAPPED.format("repaired_9", KEEPS_LAST), "check_repaired_9", "off by up to"),
        (A4, WRAPPED.format("repaired_9", DROPS_A_MASK_OF_ONE), "check_repaired_9", "is an attention"),
    ],
)
def test_what_is_kept_between_calls_and_what_takes_axes_of_size_one_away_is_found(name, source, charged, hint):
    grade = graded_by(charged, name, source)
    assert grade.verdicts[charged][0] == 0 and hint in grade.verdicts[charged][1], grade.verdicts


def graded_by(check, name, source):
    """Let the grader judge a solution by one check, and return the grade."""
    assignment = load(name)
    assignment.checks = [other for other in assignment.checks if other.name == check]
    return judge.grade_submission(assignment, assignments.submission(name, source))


@pytest.mark.parametrize(
    "name, function, right, wrong, check",
    [
        (A1, "attention", "weights @ value, weights", "weights, weights @ value", "check_attention_context"),
        (A3, "MultiHeadAttention", "query.shape[-1]", "query_input.shape[-1]", "check_mask"),
        (A3, "MultiHeadAttention", "query.shape[-1]", "query_input.shape[-1]", "check_mask_batch"),
    ],
)
def test_a_slip_costs_no_other_check_where_sizes_are_1(name, function, right, wrong, check):
    source = assignments.right_sources(name)[function].replace(right, wrong)
    for seed in range(12):
        getattr(import_checks(name), check).judge(assignments.solved(name, source), Inputs(seed, ones=1))


@pytest.mark.parametrize(
    "name, function, change, check",
    [
        (A1, "softmax_rows", "given[0].mul_(2)", "check_softmax_rows"),
        (A1, "encode", "given[1].append(0)", "check_encode_order"),
        (A2, "masked_attention", "given[3].logical_not_()", "check_attention_mask"),
    ],
)
def test_an_input_that_is_changed_in_place_is_told_and_not_charged(name, function, change, check, capsys):
    source = WRAPPED.format(function, f"made = right(*given); {change}; return made")
    grade = graded_by(check, name, source)
    assert grade.verdicts[check][0] and [note for note in grade.notes if f"`{function}`: an input is changed" in note]
    getattr(import_checks(name), check)(assignments.solved(name, source))
    assert f"careful: `{function}`: an input is changed in place" in capsys.readouterr().out


def compare(failures, expected):
    assert set(failures) == set(expected), failures
    for check, fragment in expected.items():
        assert fragment in failures[check]
