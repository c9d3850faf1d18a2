"""What every assignment promises: its release, its points, its solutions."""

import itertools
import os
import re
import shlex
import subprocess
import sys
import zlib

import nbformat
import pytest

import assignments
from assignments import notebook, role
from classroom import exchange, hand_out
from classroom.__main__ import COMMANDS, _parser, main
from classroom.assignment import import_checks, load, read_source
from classroom.checks.a1_single_head import sentences
from classroom.checks.a3_many_heads_two_sequences.proof import CALLS
from classroom.grader import judge

KEPT = {"a1": 3268057373, "a2": 132279658, "a3": 648258038, "a4": 3000733920}
only_with_all = pytest.mark.only_with_all
each_assignment = pytest.mark.parametrize("name", assignments.NAMES)


def secret_and_public(cells):
    """Return the lines within solutions and hidden tests, and all others."""
    secret, public = set(), set()
    for cell in cells:
        inside = False
        for line in map(str.strip, cell.source.split("\n")):
            if line.startswith(("### BEGIN ", "### END ")):
                inside = line.startswith("### BEGIN ")
            elif line:
                (secret if inside else public).add(line)
    return secret, public


def test_a_check_that_its_folder_does_not_list_is_named_with_the_cure(monkeypatch):
    monkeypatch.delattr(import_checks("a1_single_head"), "check_softmax_rows")
    with pytest.raises(AttributeError, match="check_softmax_rows: list it in .*__init__"):
        load("a1_single_head")


@each_assignment
def test_the_release_is_what_the_source_gives(name, tmp_path):
    fresh = hand_out.write_release(name, tmp_path)
    stored = assignments.FOLDER / "release" / name / f"{name}.ipynb"
    assert stored.read_text(encoding="utf-8") == fresh.read_text(encoding="utf-8"), "run: python -m classroom release"


@each_assignment
def test_no_line_of_a_solution_or_of_a_hidden_test_is_released(name):
    secret, public = secret_and_public(notebook(name).cells)
    hidden, released = secret_and_public(notebook(name, "release").cells)
    assert secret and not hidden
    assert not (secret - public) & released


@each_assignment
@pytest.mark.parametrize("seed", [None, 2027, pytest.param(1, marks=only_with_all)])
def test_the_source_earns_full_points_in_the_version_of_each_class_and_an_unsolved_release_none(name, seed):
    versions = [assignments.submission(name, seed=seed), assignments.submission(name, version="release")]
    solved, unsolved = assignments.verdicts(name, versions, seed)
    assert {check: points for check, (points, _) in solved.items()} == assignments.points(name)
    listed = {check for check in vars(import_checks(name)) if check.startswith("check_")}
    assert listed == {*assignments.points(name)}, "each check that is listed has a cell"
    assert set(map(tuple, unsolved.values())) == {(0, judge.NOT_ATTEMPTED)}


@each_assignment
def test_the_versions_of_two_classes_differ(name):
    sources = [cell.source for cell in notebook(name).cells]
    classes = [import_checks(name).variation(seed) for seed in (0, 1, 2, 2027, 2028)]
    for old_text in classes[0]:
        assert any(old_text in source for source in sources), old_text
    written = {old_text: old_text for old_text in classes[0]}
    assert all(first != second for first, second in itertools.combinations([written, *classes], 2))
    text = "\n".join(cell.source for cell in read_source(name, 0).cells)
    assert all(new_text in text for new_text in classes[0].values())
    words = [text for seed in range(9) for text in import_checks(name).variation(seed).values()]
    words = "".join(text for text in words if "def " not in text)
    assert zlib.crc32(words.encode()) == KEPT[name[:2]]  # or a class would get another version than before


def test_the_word_that_is_read_most_is_found_by_one_reading_only_and_leads_by_more_than_rounding_hides():
    for version in map(sentences._class_sentence, range(6)):
        words, weights, readings = sentences._readings(*sentences._top_of_the_notebook(*version).values())
        assert [word for word, _ in readings.values()].count(readings[sentences.RIGHT][0]) == 1
        *_, second, first = sorted(dict(zip(words, weights[words.index(version[1])].tolist())).values())
        assert first - second > 0.02


@each_assignment
def test_the_cells_are_as_nbgrader_and_the_grader_need_them(name):
    cells = notebook(name).cells
    roles = [role(cell) for cell in cells if role(cell)]
    assert len({metadata["grade_id"] for metadata in roles}) == len(roles)
    assert len({cell.id for cell in cells}) == len(cells)
    assert "Leave `torch.compile` out, and write no files" in cells[0].source
    graded = load(name)
    assert f", {graded.max_total} points." in cells[0].source
    assert graded.functions >= assignments.right_sources(name).keys()
    for cell in cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
        metadata = role(cell)
        if cell.cell_type == "code" and metadata.get("grade"):
            check = getattr(import_checks(name), metadata["grade_id"])
            assert check.__name__ == metadata["grade_id"] and check.__doc__.endswith(".")
            assert metadata["locked"] and metadata["points"] > 0
            assert cell.source.count(f"{metadata['grade_id']}(student)") == 1
            assert cell.source.count(f"{metadata['grade_id']}(student, seed=None)") == 1
        elif metadata.get("solution"):
            assert "### BEGIN SOLUTION" in cell.source


def test_the_teachers_page_says_each_command_as_it_is_understood_and_the_limits_of_time():
    page = (assignments.FOLDER / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"(?:classroom|grader) ((?:release|grade|repeat|solutions) .+?)(?: &&.*)?$", page, re.MULTILINE)
    runs = [_parser().parse_args(shlex.split(line)).run for line in lines]
    assert len(runs) == 6 and {*runs} == {run for run, *_ in COMMANDS.values()}
    shown, told = " ".join(_parser().format_help().split()), [words for _, words, *_ in COMMANDS.values()]
    assert all(words in shown for words in ["Hand out, grade and give back", *told])
    assert f"{exchange.CALL_SECONDS} s for a call, and {exchange.CHECK_SECONDS // 60} minutes for a check" in page


def test_the_copy_for_a_class_in_the_browser_is_the_course_without_solutions(tmp_path):
    (command,) = re.findall(r"^mkdir class .*", (assignments.FOLDER / "hub.md").read_text("utf-8"), re.MULTILINE)
    subprocess.run(command.replace(" class", f" {tmp_path}/c"), shell=True, cwd=assignments.FOLDER.parents[1])
    for name in ("requirements.txt", "utils", "notebooks/assignments/release", "tests", "notebooks/assignments/source"):
        assert (tmp_path / "c" / name).exists() is not name.endswith(("tests", "source")), name


@each_assignment
def test_solutions_are_released_without_marks_and_hidden_tests(name, tmp_path):
    for _ in range(2):  # the second time, the folder is there
        assert main(["solutions", name, str(tmp_path)]) == 0
    solved = nbformat.read(tmp_path / name / f"{name}.ipynb", as_version=4)
    assert not any("###" in cell.source and "BEGIN" in cell.source for cell in solved.cells)
    assert not any(map(role, solved.cells))  # nothing in it is locked
    text = "\n".join(cell.source for cell in solved.cells)
    secret, _ = secret_and_public(cell for cell in notebook(name).cells if role(cell).get("solution"))
    assert all(line in text for line in secret)


@each_assignment
def test_a_question_has_a_model_answer_and_neither_holds_a_mark(name):
    for question in load(name).by_hand.values():
        for part in (question.text, question.answer):
            assert part == part.strip() != "" and "###" not in part


def test_a_check_belongs_to_the_title_above_it_which_says_what_to_reread():
    checks = {check.name: (check.part, check.reread) for name in assignments.NAMES for check in load(name).checks}
    assert checks["check_mask"] == ("5. Masks", "notebooks 08 and 09")
    assert checks["check_open_pairs"] == ("3. Both at once", "")
    assert checks["check_test_hidden"] == ("Hidden keys", "notebook 08")  # as a sentence begins


def test_a_mask_of_pytorch_s_means_the_same_in_the_text_and_in_what_its_check_says():
    told = "; ".join(CALLS), "".join(cell.source for cell in notebook("a3_many_heads_two_sequences").cells)
    means = [re.findall("there True means ([a-z ]+)", re.sub("['*]", "", text)) for text in told]
    assert means[0] == means[1] == ["may not attend"]


def test_notebooks_and_commands_can_be_imported_where_there_is_no_linux():
    modules = ["local", "__main__", *(f"checks.{name}" for name in assignments.NAMES)]
    code = (
        "import torch, nbformat, signal, sys; del signal.SIGKILL; sys.modules['resource'] = sys.modules['fcntl'] = None"
    )
    code += "".join(f"; import classroom.{module}" for module in modules)
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
