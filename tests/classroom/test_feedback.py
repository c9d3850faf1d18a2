"""What a student reads: a line to four in the notebook, and a page that names functions, parts and causes."""

import html
import re

import attacks
import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.preprocessors import CheckCellMetadata
from nbgrader.validator import Validator

import assignments
from classroom.assignment import load
from classroom.checks import a1_single_head as a1
from classroom.checks import graded
from classroom.code_cells import words_in
from classroom.grader.collecting import ELSEWHERE_NOTE, PLACEHOLDER, find_answers
from classroom.local import Local
from companion.checks.feedback import Mistake

NAME = attacks.NAME


def test_run_all_goes_to_the_end_and_each_cell_says_what_is_wrong_and_nbgrader_pays_for_none(tmp_path):
    notebook = assignments.notebook(NAME, "release")
    for cell in notebook.cells:
        if assignments.role(cell).get("grade_id") == "softmax_rows":
            cell.source = "def softmax_rows(scores):\n    return scores.exp() / 7"
        elif assignments.role(cell).get("grade_id") == "project":
            cell.source = "def project(X, W_q, W_k, W_v):\n    wrong = 1\n    return X @ W_q.T @ [\n        wrong]"
    # As "Run All" does, in a real kernel.
    NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(assignments.FOLDER.parents[1])}}
    ).execute()
    errors = {
        assignments.role(cell).get("grade_id", cell.id): "\n".join(output.traceback).split("\n")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    }
    assert set(errors) >= set(assignments.points(NAME))
    assert errors["check_encode_order"] == ["not attempted yet (NotImplementedError)"]
    message, row, right_row, call = errors["check_softmax_rows"]  # and no line of a check
    assert message.startswith("not yet: softmax_rows of 7 rows has the right shape, but is off by up to")
    assert re.fullmatch(r"your row \d: +\[[-\d., e]+\]", row)
    assert re.fullmatch(r"it should be: +\[[\d., e]+\]", right_row)
    assert call == "the same call again: softmax_rows(*student.inputs)"
    (line,) = errors["check_project"]
    assert line.startswith("not yet: your code stopped with RuntimeError")
    assert line.endswith("(in `project`, line 3 of its cell: return X @ W_q.T @ [)")
    nbformat.write(notebook, tmp_path / "run.ipynb")
    validation = Validator(preprocessors=[CheckCellMetadata]).validate(str(tmp_path / "run.ipynb"))  # it has been run
    errors_shown = [part["raw_error"] for part in validation["failed"]]
    assert {errors[check][0] for check in assignments.points(NAME)} <= {error.split("\n")[0] for error in errors_shown}


@pytest.mark.parametrize("check, axes", [(a1.check_softmax_rows, 2), (a1.check_softmax_batch, 3)])
def test_the_row_that_is_shown_is_the_one_of_the_call_that_can_be_made_again(check, axes):
    names = {"softmax_rows": lambda scores: scores.mul_(0) + 7}
    student = Local(names)
    with pytest.raises(Mistake) as caught:
        check(student)
    assert student.inputs[0].ndim == axes
    assert caught.value.example[0].endswith("[" + ", ".join(["7"] * student.inputs[0].shape[-1]) + "]")
    assert student.inputs[0].any()  # as it was before the student's code changed it


def test_nothing_wavers_that_is_the_same_when_it_is_asked_as_before():
    exec("def stop(): 1 / 0\ndef verdict(): return stop()", names := {})
    student = Local(names)
    with student.replacing({"stop": lambda: None}):
        student.call("verdict")
    assert not student.wavers()


def test_fresh_inputs_are_others_each_time_and_are_not_shown():
    students = assignments.solved(NAME), assignments.solved(NAME)
    for student in students:
        a1.check_softmax_batch(student, seed=None)
    first, second = (student.inputs[0] for student in students)
    assert not first.equal(second)
    with pytest.raises(Mistake) as caught:
        a1.check_softmax_rows(Local({"softmax_rows": lambda scores: scores.exp() / 7}), seed=None)
    assert len(caught.value._render_traceback_()) == 1


def test_the_courses_own_function_is_refused_and_within_an_answer_warned_of(capsys):
    with pytest.raises(Mistake, match="`softmax_rows`: this one is the course's own"):
        a1.check_softmax_rows(assignments.solved(NAME, "from utils.attention import masked_softmax as softmax_rows"))
    for ask in (Local.make, Local.read):
        with pytest.raises(Mistake, match="`Net`: this one is the course's own"):
            ask(Local({"Net": Mistake}), "Net")
    inside = "from utils.attention import masked_softmax\nfrom companion import mistakes"
    a1.check_softmax_rows(assignments.solved(NAME, inside))
    output = capsys.readouterr().out
    assert re.findall("careful: `(.+)` is the course's own", output) == ["masked_softmax", "mistakes"]
    a1.check_softmax_rows(assignments.solved(NAME))
    assert "careful" not in capsys.readouterr().out


def graded_with(folder, *cells):
    """Grade one notebook by the command, and return its row and its page."""
    code, rows = attacks.grade(folder, {"ada": attacks.one_file(*cells)})
    assert code == 0
    return rows["ada"], html.unescape((folder / "out" / rows["ada"]["feedback"]).read_text(encoding="utf-8"))


def test_a_page_names_part_notebook_cause_and_the_room_for_marks(tmp_path):
    no_keepdim = "def softmax_rows(scores):\n    exps = scores.exp()\n    return exps / exps.sum(-1)"
    row, page = graded_with(tmp_path, attacks.GOOD, no_keepdim)
    for words in (
        "<strong>4. Scores to weights</strong> (reread notebook 05)",
        "Start with the first ✗",
        f"In all: <strong>{row[attacks.TOTAL]}</strong> of {attacks.WHOLE} points",
        graded.RULE,
        f'class="yes">✓ {graded.CORRECT_WITH_RIGHT}',
        'class="no">✗ ',
        f"{load(NAME).checks[0].about}<br>",
        "no answer in words was found: explain_repeated",
    ):
        assert words in page
    style, _, body = page.partition("</style>")
    assert {*re.findall(r"\.([a-z]+)", style)} == {*re.findall(r'class="(\w+)"', body)}
    assert "<strong>1. Words to ids</strong><br>" in page  # all is well there: nothing to reread


def test_a_cell_that_stops_is_named_by_its_function_and_once(tmp_path):
    long = f"# {'long' * 1_000} others\n\n1 / 0"
    stops = "encode = lambda *given: other()\nother()"
    timed = "%%time\nkept = 1\nlost"
    row, page = graded_with(tmp_path, attacks.GOOD, long, "# mine\ndef other(:\n    pass", stops, timed)
    assert "ZeroDivisionError" in row["notes"] and "(line 3: lost)" in row["notes"]
    number = 1 + [cell.source for cell in attacks.notebook(attacks.GOOD, long, "x").cells].index("x")
    note = f"the cell of `other` (number {number} from the top) stopped with SyntaxError: invalid syntax"
    assert note in row["notes"] and row["notes"].count("line 2") == 1
    assert f"NameError: name 'other' is not defined; {note} (line 2: def other(:)" in page


QUESTION = load(NAME).by_hand["explain_repeated"].text
TITLE = QUESTION.split("\n")[0]
GIVEN = load(NAME).texts
TOO_LONG = " [...] (longer than is shown: see the notebook)"
HAND_IN = next(cell.source for cell in assignments.notebook(NAME).cells if cell.id == "hand-in")


@pytest.mark.parametrize(
    "texts, answer",
    [
        ([("explain_repeated", f"{QUESTION}\n\n{PLACEHOLDER}"), (None, HAND_IN)], ""),
        ([("explain_repeated", f"{QUESTION}\n\nBoth are equal.")], "Both are equal."),
        ([(None, "Mine."), ("explain_repeated", QUESTION), (None, "Equal."), (None, HAND_IN)], "Equal."),
        ([("explain_repeated", f"{QUESTION}\nOne."), (None, HAND_IN), (None, "Two.")], "One.\n\nTwo."),
        ([(None, "Mine."), ("explain_repeated", f"{QUESTION}\n\n{PLACEHOLDER}")], f"{ELSEWHERE_NOTE}\n\nMine."),
        ([(None, f"{TITLE}\nThe rest is deleted.")], f"{TITLE}\nThe rest is deleted."),
        ([(None, text) for text in GIVEN], ""),
        ([("explain_repeated", "The question is deleted:\u202e.")], "The question is deleted:\ufffd."),
        ([("explain_repeated", "x" * 10_000)], "x" * 10_000),
        ([("explain_repeated", "x" * 10_001)], f"{'x' * 10_000}{TOO_LONG}"),
        ([("explain_repeated", "![" * 9_999)], f"{'![' * 5_000}{TOO_LONG}"),
        ([("explain_repeated", "See: ![me](a.png)<IMG src=a>")], f"See: {2 * '(a picture: open the notebook)'}"),
    ],
)
def test_an_answer_in_words_is_found_where_it_was_written_and_what_is_not_shown_is_said(texts, answer):
    assert find_answers(texts, {"explain_repeated": QUESTION}, GIVEN) == {"explain_repeated": answer}


MATHS = "W_key. score = q·(k+b) = q·k + q·b, so softmax(score) = softmax(q·k): q·b is the same for all k (in a row)."
CHINESE = "# 两行相同，因为相同的词有相同的编号，因此查询、键和值都相同。"
SAID = "Both rows are equal, because nothing knows the place."


@pytest.mark.parametrize(
    "source, words",
    [
        (SAID, [SAID]),  # as a cell that was turned into code has it
        (f"{QUESTION}\n\n{SAID}", [f"{QUESTION}\n\n{SAID}"]),
        (f"print('{SAID}')", [SAID]),
        (f"x = 1  # {SAID}\n# And this.\n\n# {SAID}\n### END", [f"# {SAID}\n# And this.", f"# {SAID}"]),
        (f"def f():\n    '{SAID}'", [SAID]),
        (CHINESE, [CHINESE]),
        (MATHS, [MATHS]),
        (f"%matplotlib inline\n !ls\n# {SAID}", [f"# {SAID}"]),
        (f"# {'ab' * 10}\n\n# {'ab' * 9}c", [f"# {'ab' * 10}"]),
        ("def f(query):\n    return one(two(query)[:, 3", []),
        ("-" * 9_000 + "1", []),
        ("1" + "+1" * 4_000, []),
    ],
)
def test_sentences_in_a_code_cell_are_found_and_code_is_none(source, words):
    assert words_in(source) == words


@pytest.mark.parametrize("name", assignments.NAMES)
def test_what_was_handed_out_is_no_answer_in_any_assignment_and_a_question_says_where_to_answer(name):
    texts, questions = [], {name: question.text for name, question in load(name).by_hand.items()}
    for cell in assignments.notebook(name, "release").cells:
        texts += [(None, text) for text in ([cell.source] if cell.cell_type == "markdown" else words_in(cell.source))]
        assert assignments.role(cell).get("grade_id") not in questions or "written in this cell" in cell.source
    assert not any(find_answers(texts, questions, load(name).texts).values())


A3 = "a3_many_heads_two_sequences"


@pytest.mark.parametrize(
    "name, source, used",
    [
        (NAME, "def softmax_rows(scores):\n    return scores.softmax(-1)  # exp", "softmax_rows uses scores.softmax"),
        (NAME, "softmax_rows = partial(torch.softmax, dim=-1)", "softmax_rows uses torch.softmax"),
        (
            NAME,
            "softmax_rows = nn.Softmax(F.log_softmax(softmax(1)))",
            "softmax_rows uses F.log_softmax, nn.Softmax, softmax",
        ),
        (
            A3,
            "class MultiHeadAttention(nn.Module):\n    def forward(self, x): return F.multi_head_attention_forward(x)",
            "MultiHeadAttention uses multi_head_attention_forward",
        ),
        (A3, "class MultiHeadAttention(nn.MultiheadAttention): pass", "MultiHeadAttention uses nn.MultiheadAttention"),
        (NAME, "def softmax_rows(scores):\n    softmax = scores.exp()  # not torch.softmax(scores)", None),
        (NAME, 'def softmax_rows(scores):\n    """Not as\n    torch.softmax(scores)."""', None),
    ],
)
def test_what_the_text_asks_to_do_without_is_noted(name, source, used):
    notes = load(name).note_code([*assignments.code(name, lambda role: True), source])
    assert notes == ([] if used is None else [f"{used}: the text asks to do without"])
