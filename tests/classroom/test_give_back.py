"""Feedback in bulk: the names in the zip file, read by the rules of the platforms that take it in."""

import io
import re
import zipfile

import attacks
import nbformat
import pytest

import assignments
from classroom.__main__ import main

MOODLE = "Grace Hopper_1234_assignsubmission_file"
CANVAS = "turingalan_LATE_17_4711_my work.ipynb"


def moodle_finds(path):
    """Return (participant, plugin, file), as Moodle's importer reads a path: `is_valid_filename_for_import`."""
    parts = path.split("/")
    while parts:
        said = parts.pop(0).split("_", 4)
        if len(said) >= 4 and said[1].isdigit():
            return said[1], said[2:4], "/".join(said[4:] + parts).lstrip("/")


def canvas_finds(name):
    """Return (user, attachment), as Canvas reads a file's name: `infer_comment_context_from_filename`."""
    return [part for part in name.split("_") if re.fullmatch(r"\d+", part) and part != "LATE"][:2]


@pytest.fixture
def give_back(tmp_path, capsys):
    """Hand in files of these names, grade them, and return (exit code, {name in the zip: content}, what is said)."""

    def give_back(*handed_in):
        for name in handed_in:
            path = tmp_path / "submitted" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(path, "w") if name.endswith(".zip") else open(path, "w", encoding="utf-8") as file:
                file.writestr("a.ipynb", attacks.text()) if name.endswith(".zip") else file.write(attacks.text())
        assert main(["grade", attacks.NAME, str(tmp_path / "submitted"), str(tmp_path / "graded")]) == 0
        capsys.readouterr()
        code = main(["give-back", str(tmp_path / "graded"), str(tmp_path / "feedback.zip")])
        with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
            return code, {name: archive.read(name) for name in archive.namelist()}, capsys.readouterr()

    return give_back


@pytest.mark.parametrize(
    "handed_in, entry",
    [
        (f"{MOODLE}_/my work.ipynb", f"{MOODLE}_/feedback.html"),
        (f"{MOODLE}/week 1/my work.ipynb", f"{MOODLE}/feedback.html"),  # since Moodle 4.1
        (f"{MOODLE}_my work_2_3.ipynb", f"{MOODLE}_/feedback.html"),  # a download without folders
    ],
)
def test_moodle_finds_the_student_of_each_page(give_back, handed_in, entry):
    code, files, _ = give_back(handed_in)
    assert code == 0 and list(files) == [entry] and f"0 of {attacks.FULL} points".encode() in files[entry]
    assert moodle_finds(entry) == ("1234", ["assignsubmission", "file"], "feedback.html")


def test_canvas_finds_the_newest_file_and_gives_back_one_of_its_kind(give_back):
    handed_in = [
        CANVAS.replace("_LATE", ""),
        "turingalan_17_4720_my work-1.ipynb",
        "hoppergrace_18_4712_1_2_a.ipynb",
        "zuse_19_4713_b.zip",
    ]
    code, files, _ = give_back(*handed_in)
    assert code == 0 and sorted(files) == sorted(handed_in[1:])
    assert [canvas_finds(name) for name in sorted(files)] == [["18", "4712"], ["17", "4720"], ["19", "4713"]]
    cell = nbformat.reads(files[handed_in[1]].decode(), as_version=4).cells[0]
    assert f"0 of {attacks.FULL} points" in cell.outputs[0].data["text/html"]
    with zipfile.ZipFile(io.BytesIO(files[handed_in[3]])) as archive:
        assert f"0 of {attacks.FULL} points".encode() in archive.read("feedback.html")


def test_the_same_work_in_a_newer_file_gets_its_page_there(give_back, tmp_path):
    give_back(CANVAS)
    (tmp_path / "submitted" / CANVAS).unlink()
    assert list(give_back("turingalan_17_4720_again.ipynb")[1]) == ["turingalan_17_4720_again.ipynb"]


def test_whose_work_no_platform_named_is_told_and_so_is_a_page_without_a_total(give_back, tmp_path, capsys):
    (tmp_path / "submitted").mkdir()
    notebook = assignments.notebook(attacks.NAME, "release")
    next(cell for cell in notebook.cells if cell.id == "explain-repeated").source += "\n\nBecause."
    nbformat.write(notebook, tmp_path / "submitted" / CANVAS)
    (tmp_path / "submitted" / "Zoë.ipynb").write_text(attacks.text(), encoding="utf-8")
    code, files, said = give_back()
    assert code == 1 and list(files) == [CANVAS] and said.out.endswith("feedback.zip: 1 pages\n")
    assert "to be sent by hand: feedback/Zoë.html\n" in said.err
    assert "no total yet, and the page says so: turingalan_17\n" in said.err
    assert main(["give-back", str(tmp_path / "graded"), str(tmp_path / "graded" / "grades.csv")]) == 2
    assert "call the file to upload like feedback.zip" in capsys.readouterr().err
