"""What platforms take in: names in the zip file with the pages, read by their own rules, and a table of totals."""

import io
import re
import zipfile

import attacks
import nbformat
import pytest
import test_names

from classroom.__main__ import main

MOODLE = "Grace Hopper_1234_assignsubmission_file"
CANVAS = "turingalan_LATE_17_4711_my work.ipynb"


def moodle_finds(path):
    """Return (participant, plugin, file), as Moodle's importer reads a path: `is_valid_filename_for_import`."""
    parts = path.split("/")
    while parts:
        words = parts.pop(0).split("_", 4)
        if len(words) >= 4 and words[1].isdigit():
            return words[1], words[2:4], "/".join(words[4:] + parts).lstrip("/")


def canvas_finds(name):
    """Return (user, attachment), as Canvas reads a file's name: `infer_comment_context_from_filename`."""
    return [part for part in name.split("_") if re.fullmatch(r"\d+", part) and part != "LATE"][:2]


@pytest.fixture
def given_back(submitted, tmp_path):
    """Hand in files of these names, grade them, and return {name in the zip: content}."""

    def given_back(*handed_in, cells=(), options=()):
        for path in (submitted / name for name in handed_in):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".ZIP":
                with zipfile.ZipFile(path, "w") as archive:
                    archive.writestr("a.ipynb", attacks.text(*cells))
            else:
                path.write_text(attacks.text(*cells), encoding="utf-8")
        assert main(["grade", attacks.NAME, str(submitted), str(tmp_path / "graded"), *options]) == 0
        with zipfile.ZipFile(tmp_path / "graded" / "feedback.zip") as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    return given_back


@pytest.mark.parametrize(
    "handed_in, entry",
    [
        (f"{MOODLE}_/my work.ipynb", f"{MOODLE}_/feedback.html"),
        (f"{MOODLE}/week 1/my work.ipynb", f"{MOODLE}/feedback.html"),  # since Moodle 4.1
        (f"{MOODLE}_my work_2_3.ipynb", f"{MOODLE}_/feedback.html"),  # a download without folders
    ],
)
def test_moodle_finds_the_student_of_each_page(given_back, handed_in, entry):
    files = given_back(handed_in)
    assert list(files) == [entry] and f"0 of {attacks.FULL} points".encode() in files[entry]
    assert moodle_finds(entry) == ("1234", ["assignsubmission", "file"], "feedback.html")


def test_canvas_finds_the_newest_file_and_gives_back_one_of_its_kind(given_back):
    handed_in = [
        CANVAS.replace("_LATE", ""),
        "turingalan_17_4720_my work-1.IPYNB",
        "hoppergrace_18_4712_1_2_a.ipynb",
        "zuse_19_4713_b.ZIP",
    ]
    files = given_back(*handed_in)
    assert sorted(files) == sorted(handed_in[1:])
    assert [canvas_finds(name) for name in sorted(files)] == [["18", "4712"], ["17", "4720"], ["19", "4713"]]
    notebook = nbformat.reads(files[handed_in[1]].decode(), as_version=4)
    assert f"0 of {attacks.FULL} points" in notebook.cells[0].outputs[0].data["text/html"]
    assert notebook.metadata.kernelspec.name == "python3"  # or Jupyter would ask for one
    with zipfile.ZipFile(io.BytesIO(files[handed_in[3]])) as archive:
        assert f"0 of {attacks.FULL} points".encode() in archive.read("feedback.html")


def test_the_same_work_in_a_newer_file_gets_its_page_there_and_no_other_has_one(given_back, tmp_path, capsys):
    given_back(CANVAS)
    (tmp_path / "submitted" / CANVAS).unlink()
    newer = "turingalan_LATE_17_4720_again.ipynb"  # all else is as before, so it is not graded again
    assert list(given_back(newer, "Zoë.ipynb")) == [newer]
    assert (tmp_path / "graded" / "feedback" / "Zoë.html").exists()
    (tmp_path / "submitted" / newer).unlink()
    (tmp_path / "submitted" / "Zoë.ipynb").unlink()
    assert list(given_back()) == [newer], "also once it is not collected any more"
    assert f"{tmp_path}/submitted holds nothing that was handed in\n" in capsys.readouterr().err


OF_MOODLE = (
    "Identifier,Full name,Email address,Status,Grade\n"
    "Participant 12,Ada Lovelace,a@x.org,Submitted,\n"
    "Participant 13,Ada Lovelace,b@x.org,Submitted,\n"
    "Participant 14,Emmy Noether,e@x.org,,\n"
)


@pytest.mark.parametrize(
    "content, handed_in, cells, wanted",
    [
        (
            test_names.CANVAS,
            "lovelaceada_11_4711_a1.ipynb",
            [attacks.GOOD],
            'Student,ID,SIS User ID,SIS Login ID,Section,{}\r\n"Lovelace, Ada",11,S1,ada,XC 101,{}\r\n',
        ),
        (
            OF_MOODLE,
            "Ada Lovelace_13_assignsubmission_file_/a1.ipynb",
            [],
            "Identifier,Full name,Email address,{}\r\nParticipant 13,Ada Lovelace,b@x.org,{}\r\n",
        ),
        ("Ada Lovelace\nEmmy", "Ada Lovelace.ipynb", [attacks.GOOD], ""),
    ],
)
def test_a_platform_gets_its_own_columns_back_with_the_totals_that_there_are(
    given_back, tmp_path, content, handed_in, cells, wanted
):
    (tmp_path / "list.csv").write_text(content, encoding="utf-8")
    given_back(handed_in, cells=cells, options=["--students", str(tmp_path / "list.csv")])
    written = tmp_path / "graded" / "totals.csv"  # Emmy, who has no total, keeps what the platform has
    assert written.exists() is bool(wanted)
    assert not wanted or written.read_bytes().decode() == wanted.format(attacks.TOTAL, attacks.FULL if cells else 0)
