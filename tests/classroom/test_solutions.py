"""Wrong solutions are caught by the message that names their mistake, unusual right ones pass; each runs for real.

A mistake that a check names stands in a table of that check, and one test puts each row of all tables in a student's
place. The solutions in solutions/ are written without a look at these tables. All are judged in this process. The
grader, whose own processes must change no verdict, gets some from each part of an assignment. A check that finds a
mistake by luck misses it with one of five seeds; one always runs. With --all, all run.
"""

import builtins
import dataclasses
import functools
import sys

import pytest

import assignments
from assignments import solutions
from classroom import hand_out
from classroom.checks.graded import RULE, Draw
from classroom.grader import judge
from classroom.hand_out import load
from companion.checks.feedback import Mistake

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # torch's, on some ways to solve it
only_with_all = pytest.mark.only_with_all
SEEDS = range(5)


def seeds(always):
    """Return the first seeds, and the others for --all."""
    return [*SEEDS[:always], *(pytest.param(seed, marks=only_with_all) for seed in SEEDS[always:])]


def cases(wrong=None, unusual=None):
    """Return (assignment, solution) for all: so many of each kind always run, None for all, the rest with --all."""
    return [
        pytest.param(name, case, id=f"{name[:2]}-{case}", marks=[] if drawn else only_with_all)
        for name in assignments.NAMES
        for kind, always in ((True, wrong), (False, unusual))
        for case, drawn in spread([case for case, (_, told) in solutions(name).items() if bool(told) is kind], always)
    ]


def spread(found, count):
    """Return (case, whether it is drawn) for each case: the middle one of each of `count` equal parts, None for all."""
    drawn = found if count is None else [found[len(found) * (2 * part + 1) // (2 * count)] for part in range(count)]
    return [(case, case in drawn) for case in found]


def judged(name, source, seed):
    """Judge a solution in this very process, as a notebook does: {check: message} of what fails.

    A check that runs nothing of what the solution replaces says to it what it says to the assignment's own.
    """
    student, found, own = assignments.solved(name), {}, assignments.right(name).keys()
    before = dict(student.names)
    exec(source, student.names)
    replaced = {each for each in before if student.names.get(each) is not before[each]}
    shadowed = replaced - own or student.names.keys() & vars(builtins).keys()
    for check, run in runs(name, seed).items():
        if shadowed or run & replaced:
            try:
                getattr(hand_out.checks(name), check).__wrapped__(student, Draw(seed))
            except (Mistake, NotImplementedError) as error:
                found[check] = str(error)
    return found


@functools.cache
def runs(name, seed):
    """Return {check: the functions and classes that it runs} of an assignment's own solution, which all checks pass."""
    student, found = assignments.solved(name), {}

    def note(frame, event, argument):
        if event == "call" and frame.f_globals is student.names:
            found[check].add(frame.f_code.co_qualname.split(".")[0])

    for check in assignments.points(name):
        found[check] = set()
        sys.setprofile(note)
        try:
            getattr(hand_out.checks(name), check).__wrapped__(student, Draw(seed))
        finally:
            sys.setprofile(None)
    assert set().union(*found.values()) >= assignments.right(name).keys()
    return found


@pytest.fixture(scope="module")
def in_the_grader(request):
    """The solutions that this run's tests ask for: {(assignment, solution): {check: message} of what fails}."""
    asked = [item.callspec.params for item in request.session.items if "in_the_grader" in fixtures(item)]
    found = {}
    for name in assignments.NAMES:
        drawn = [params["case"] for params in asked if params["name"] == name]
        handed_in = [assignments.submission(name, solutions(name)[case][0]) for case in drawn]
        for case, verdicts in zip(drawn, assignments.verdicts(name, handed_in)):
            found[name, case] = {check: message for check, (points, message) in verdicts.items() if not points}
    return found


def fixtures(item):
    return getattr(item, "fixturenames", ())  # a notebook's cell has none


def tables():
    """Return {(assignment, what is replaced, message): checks that have the row in their table}."""
    rows = {}
    for name in assignments.NAMES:
        for check in (getattr(hand_out.checks(name), each) for each in assignments.points(name)):
            for message in check.mistakes:
                rows.setdefault((name, check.of, message), []).append(check)
    return rows


ROWS = tables()


@pytest.mark.parametrize("name, of, message", ROWS, ids=[f"{name[:2]}-{of}-{text[:40]}" for name, of, text in ROWS])
def test_a_wrong_answer_of_a_table_is_told_its_message(name, of, message):
    said = []
    for check in ROWS[name, of, message]:
        student = assignments.solved(name)
        student.names[of] = functools.partial(check.mistakes[message])  # as the student's own, not the course's
        try:
            check.__wrapped__(student, Draw(0))
        except Mistake as mistake:
            said.append(str(mistake))
    assert any(message in each for each in said), said


@pytest.mark.parametrize("seed", seeds(always=1))
@pytest.mark.parametrize("name, case", cases(wrong=20, unusual=10))
def test_a_wrong_solution_is_charged_once_and_told_its_mistake_and_an_unusual_right_one_passes(name, case, seed):
    source, expected = solutions(name)[case]
    compare(judged(name, source, seed), expected)


@pytest.mark.parametrize("name, case", cases(wrong=2, unusual=1))
def test_the_grader_finds_the_same_mistakes_and_no_others(in_the_grader, name, case):
    compare(in_the_grader[name, case], solutions(name)[case][1])


KEEPS = """
_{0}, _seen = {0}, {{}}
def {0}(*given):
    shapes = tuple(getattr(each, "shape", each) for each in given)
    return _seen.setdefault(shapes, _{0}(*given))
"""
SQUEEZES = """
_{0} = {0}
def {0}(*given):
    made = _{0}(*given)
    return made.squeeze() if isinstance(made, torch.Tensor) else tuple(each.squeeze() for each in made)
"""
KEEPS_MASKS = """
_masked_attention, _masks = masked_attention, {}
def masked_attention(query, key, value, mask):
    return _masked_attention(query, key, value, mask if mask is None else _masks.setdefault(mask.shape, mask))
"""
KEEPS_THE_LAST_MASK = """
_masked_attention, _last = masked_attention, [None]
def masked_attention(query, key, value, mask):
    fits = mask is None and getattr(_last[0], "shape", None) == (len(query), len(key))
    _last[0] = mask = _last[0] if fits else mask
    return _masked_attention(query, key, value, mask)
"""
REPAIR_THAT_KEEPS_THE_LAST_MASK = """
_repaired_9, _last = repaired_9, [None]
def repaired_9(query, key, value, num_heads, mask=None):
    fits = mask is None and getattr(_last[0], "shape", None) == (query.shape[1], key.shape[1])
    _last[0] = mask = _last[0] if fits else mask
    return _repaired_9(query, key, value, num_heads, mask)
"""
REPAIR_WITHOUT_A_MASK_OF_ONE = """
_repaired_9 = repaired_9
def repaired_9(query, key, value, num_heads, mask=None):
    return _repaired_9(query, key, value, num_heads, None if mask is not None and mask.numel() == 1 else mask)
"""
MODULE_THAT_KEEPS_MASKS = """
class Kept(MultiHeadAttention):
    def forward(self, query_input, key_value_input=None, mask=None):
        kept = self.__dict__.setdefault("masks", {})
        mask = mask if mask is None else kept.setdefault(mask.shape, mask)
        return super().forward(query_input, key_value_input, mask)
MultiHeadAttention = Kept
"""
KEEPS_LENGTHS = """
_padding_mask, _masks = padding_mask, {}
def padding_mask(lengths, n):
    return _masks.setdefault((len(lengths), n), _padding_mask(lengths, n))
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
        ("a1_single_head", KEEPS.format("softmax_rows"), "check_softmax_rows", judge.KEPT),
        ("a1_single_head", SQUEEZES.format("softmax_rows"), "check_softmax_rows", "gives shape"),
        pytest.param(
            *("a1_single_head", SQUEEZES.format("project"), "check_project", "gives shape"), marks=only_with_all
        ),
        pytest.param(
            *("a1_single_head", SQUEEZES.format("scaled_scores"), "check_scores_rows", "gives shape"),
            marks=only_with_all,
        ),
        ("a1_single_head", SQUEEZES.format("attention"), "check_attention_context", "gives shape"),
        ("a2_masks_and_modules", KEEPS_MASKS, "check_attention_mask", judge.KEPT),
        ("a2_masks_and_modules", KEEPS_THE_LAST_MASK, "check_attention_plain", "off by up to"),
        ("a3_many_heads_two_sequences", MODULE_THAT_KEEPS_MASKS, "check_mask", judge.KEPT),
        ("a4_bug_hunt", SQUEEZES.format("repaired_4").replace("squeeze()", "squeeze(0)"), "check_repaired_4", "shape"),
        pytest.param("a2_masks_and_modules", KEEPS_LENGTHS, "check_padding_mask", "was expected", marks=only_with_all),
        ("a2_masks_and_modules", MODULE_THAT_KEEPS, "check_module_lengths", "after a call with lengths"),
        ("a3_many_heads_two_sequences", SQUEEZES.format("split_heads"), "check_split_heads", "gives shape"),
        ("a4_bug_hunt", SQUEEZES.format("repaired_4"), "check_repaired_4", "gives shape"),
        ("a4_bug_hunt", REPAIR_THAT_KEEPS_THE_LAST_MASK, "check_repaired_9", "off by up to"),
        ("a4_bug_hunt", REPAIR_WITHOUT_A_MASK_OF_ONE, "check_repaired_9", "is an attention"),
    ],
)
def test_what_is_kept_between_calls_and_what_takes_axes_of_size_one_away_is_found(name, source, charged, hint):
    checks = [check for check in load(name).checks if check.name == charged]
    found = judge.grade(dataclasses.replace(load(name), checks=checks), assignments.submission(name, source))
    assert found.verdicts[charged][0] == 0 and hint in found.verdicts[charged][1], found.verdicts


def test_a_wrong_scale_costs_no_check_of_the_mask_where_heads_are_of_size_one():
    name = "a3_many_heads_two_sequences"
    for seed in range(12):
        student = assignments.solved(name, solutions(name)["scaled_by_d_model"][0])
        for check in ("check_mask", "check_mask_batch"):
            getattr(hand_out.checks(name), check).__wrapped__(student, Draw(seed, ones=1))


CHANGES_INPUTS = """
_{0} = {0}
def {0}(*given):
    made = _{0}(*given)
    {1}
    return made
"""


@pytest.mark.parametrize(
    "name, function, change, check",
    [
        ("a1_single_head", "softmax_rows", "given[0].mul_(2)", "check_softmax_rows"),
        ("a1_single_head", "encode", "given[1].append('more')", "check_encode_order"),
        ("a2_masks_and_modules", "masked_attention", "given[3].logical_not_()", "check_attention_mask"),
        pytest.param(
            *(
                "a3_many_heads_two_sequences",
                "merge_heads",
                "made = made.clone(); given[0].zero_()",
                "check_merge_heads",
            ),
            marks=only_with_all,
        ),
    ],
)
def test_an_input_that_is_changed_in_place_is_told_and_not_charged(name, function, change, check, capsys):
    source = CHANGES_INPUTS.format(function, change)
    checks = [each for each in load(name).checks if each.name == check]
    found = judge.grade(dataclasses.replace(load(name), checks=checks), assignments.submission(name, source))
    assert found.verdicts[check][0] and [note for note in found.notes if f"`{function}`: an input is changed" in note]
    getattr(hand_out.checks(name), check)(assignments.solved(name, source))
    assert f"careful: `{function}`: an input is changed in place" in capsys.readouterr().out


# What earns no point of several checks: nothing is there to judge, or nothing that is the same twice.
STOPS = {"as_many_keys_as_queries", "super_without_parentheses", "matrices_that_are_plain_tensors", "matrix_transposed"}
STOPS |= {"last_key_forgotten", "the_notebooks_vocabulary", "key_times_query", "no_biases", "second_sequence_ignored"}
STOPS |= {"mask_cut_to_the_queries", "mask_cut_to_the_keys", "values_of_the_wrong_sequence", "copy_the_wrong_way"}
STOPS |= {"sums_lack_keepdim", "weights_averaged", "weights_first", "batch_taken_for_tokens"}
SAYS_NOTHING = {"zeros_everywhere", "weights_of_zero", "always_true", "always_false", "looks_at_row_sums_only"}
SAYS_NOTHING |= {"leak_test_says_true", "leak_test_says_false", "leak_test_changes_an_earlier_token"}
SAYS_NOTHING |= {"gives_no_verdict", "difference_of_squares", "difference_always_zero", "difference_true_or_false"}
CHANCE = {"dropout_left_on", "dropout_on_the_weights", "leak_test_guesses", "mask_kept_from_the_first_call"}
HIDDEN = {"a_hidden_key_that_is_not_hidden"}  # with that test silenced, nobody looks at hidden keys


@pytest.mark.parametrize("name", assignments.NAMES)
def test_a_slip_costs_the_check_that_names_it_and_no_other(name):
    slips = assignments.slips(name)
    several = {case for case in slips if len(solutions(name)[case][1]) > 1}
    assert several <= STOPS | SAYS_NOTHING | CHANCE | HIDDEN
    assert len(several) <= len(slips) * 2 / 5
    assert any(RULE in cell.source for cell in assignments.notebook(name).cells)


def compare(found, expected):
    assert set(found) == set(expected), found
    for check, fragment in expected.items():
        assert fragment in found[check]
