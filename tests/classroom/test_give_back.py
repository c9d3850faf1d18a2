"""What platforms take in: a zip file with the pages, and a table of totals."""

import io
import zipfile

import attacks
import nbformat
import pytest
import test_names

from classroom.__main__ import main

MOODLE = "Grace Hopper_1234_assignsubmission_file"
CANVAS = "turingalan_LATE_17_4711_my work.ipynb"


def give_back(folder, *handed_in, cells=(), options=()):
    """Hand in files of these names, grade them, and return {name in the zip: content}."""
    for path in (folder / "submitted" / name for name in handed_in):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ZIP":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("a.ipynb", attacks.text(*cells))
        else:
            path.write_text(attacks.text(*cells), encoding="utf-8")
    assert main(["grade", attacks.NAME, str(folder / "submitted"), str(folder / "graded"), *options]) == 0
    with zipfile.ZipFile(folder / "graded" / "feedback.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    "handed_in, entry",
    [
        (f"{MOODLE}_/my work.ipynb", f"{MOODLE}_/feedback.html"),
        (f"{MOODLE}/week 1/my work.ipynb", f"{MOODLE}/feedback.html"),  # since Moodle 4.1
        (f"{MOODLE}_my work_2_3.ipynb", f"{MOODLE}_/feedback.html"),  # a download without folders
    ],
)
def test_moodle_finds_the_student_of_each_page(tmp_path, handed_in, entry):
    files = give_back(tmp_path, handed_in)
    assert list(files) == [entry] and f"0 of {attacks.FULL} points".encode() in files[entry]


def test_canvas_finds_the_newest_file_and_gives_back_one_of_its_kind(tmp_path):
    handed_in = [
        CANVAS.replace("_LATE", ""),
        "turingalan_17_14720_my work-1.IPYNB",
        "hoppergrace_18_4712_1_2_a.ipynb",
        "zuse_19_4713_b.ZIP",
        "noetheremmy_20_4714_c.docx",
    ]
    files = give_back(tmp_path, *handed_in)
    assert sorted(files) == sorted(handed_in[1:])
    notebook = nbformat.reads(files[handed_in[1]].decode(), as_version=4)
    assert f"0 of {attacks.FULL} points" in notebook.cells[0].outputs[0].data["text/html"]
    assert notebook.metadata.kernelspec.name == "python3"  # or Jupyter would ask for one
    with zipfile.ZipFile(io.BytesIO(files[handed_in[3]])) as archive:
        assert archive.read("feedback.html").startswith(b"<!doctype html>")
    assert files[handed_in[4]].startswith(b"<!doctype html>")


def test_the_same_work_in_a_newer_file_gets_its_page_there_and_no_other_has_one(tmp_path, capsys):
    give_back(tmp_path, CANVAS)
    (tmp_path / "submitted" / CANVAS).unlink()
    newer = "turingalan_LATE_17_4720_again.ipynb"  # all else is as before, so it is not graded again
    assert list(give_back(tmp_path, newer, "Zoë.ipynb")) == [newer]
    assert (tmp_path / "graded" / "feedback" / "Zoë.html").exists()
    (tmp_path / "submitted" / newer).unlink()
    (tmp_path / "submitted" / "Zoë.ipynb").unlink()
    assert list(give_back(tmp_path)) == [newer], "also once it is not collected any more"
    assert f"{tmp_path}/submitted holds nothing that was handed in\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content, handed_in, cells, table",
    [
        (
            test_names.CANVAS,
            "lovelaceada_11_4711_a1.ipynb",
            [attacks.GOOD],
            'Student,ID,SIS User ID,SIS Login ID,Section,{}\r\n"Lovelace, Ada",11,S1,ada,XC 101,{}\r\n',
        ),
        (
            f"{test_names.WORKSHEET}Participant 13,Ada Lovelace,b@x.org,Submitted,\nParticipant 14,Emmy Noether,,,\n",
            "Ada Lovelace_13_assignsubmission_file_/a1.ipynb",
            [],
            "Identifier,Full name,Email address,{}\r\nParticipant 13,Ada Lovelace,b@x.org,{}\r\n",
        ),
        ("Ada Lovelace\nEmmy", "Ada Lovelace.ipynb", [attacks.GOOD], ""),
    ],
)
def test_a_platform_gets_its_own_columns_back_with_the_totals(tmp_path, content, handed_in, cells, table):
    (tmp_path / "list.csv").write_text(content, encoding="utf-8")
    give_back(tmp_path, handed_in, cells=cells, options=["--students", str(tmp_path / "list.csv")])
    written = tmp_path / "graded" / "totals.csv"  # Emmy, who has no total, keeps what the platform has
    assert written.exists() is bool(table)
    assert not table or written.read_bytes().decode() == table.format(attacks.TOTAL, attacks.FULL if cells else 0)
