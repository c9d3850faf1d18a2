"""Which notebook of a student counts: in folders and zip files, with copies and links beside it."""

import json
import os
import stat
import zipfile

import attacks
import pytest

from classroom.assignment import load
from classroom.grader import collecting, finding, whole_class

NAME = attacks.NAME


def write(path, text="{}", changed=1_000_000):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (changed, changed))


def pack(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def read_submission(folder):
    """Return the only submission in a folder, after its notebook was looked for and read."""
    ((submission,), _) = collecting.collect(folder)
    finding.choose_notebook(submission, NAME)
    if not submission.trouble:
        collecting.read_notebook(submission)
    return submission


NEWEST, HIGHEST = "the newest was graded", "the one with the highest number was graded"
ALIKE = "all have the same time, and one was graded"
MOODLE = "Ada_7_assignsubmission_file_my work"
ZOE = "Zoe\N{COMBINING DIAERESIS}", "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"


@pytest.mark.parametrize(
    "attempts, chosen, why",  # attempts: {path: the minute in which it was changed}
    [
        ({"ada/first.ipynb": 1, "ada/second.ipynb": 2}, 1, NEWEST),
        ({f"ada/{NAME}.ipynb": 1, f"ada/{NAME} (1).ipynb": 5}, 1, f"of those called {NAME}, {NEWEST}"),
        ({f"ada/{NAME}-Copy1.ipynb": 1, f"ada/{NAME}.ipynb": 5}, 1, f"of those called {NAME}, {NEWEST}"),
        ({"ada/newest of all.ipynb": 9, f"ada/{NAME}.IPYNB": 5}, 1, f"of those called {NAME}, {NEWEST}"),
        ({f"ada_7_200_{NAME}.ipynb": 9, f"ada_7_1000_{NAME}-1.ipynb": 5}, 1, f"of those called {NAME}, {NEWEST}"),
        ({"ada/first.ipynb": 1, "ada.ipynb": 5}, 1, NEWEST),
        ({f"{MOODLE}/newest.ipynb": 9, f"{MOODLE}/{NAME}.ipynb": 5}, 1, f"of those called {NAME}, {NEWEST}"),
        ({f"{ZOE[0]}/first.ipynb": 1, f"{ZOE[1]}.ipynb": 5}, 1, NEWEST),
        # In one minute, as a platform's export is unpacked, the highest number counts.
        ({f"ada/{NAME}.ipynb": 1.2, f"ada/{NAME} (2).ipynb": 1.1, f"ada/{NAME}(10).ipynb": 1}, 2, HIGHEST),
        ({"ada/z/my work-Copy1.ipynb": 1.1, "ada/my work-Copy2.ipynb": 1}, 1, HIGHEST),
        ({"ada/b (1).ipynb": 1.1, "ada/a (2).ipynb": 1}, 0, ALIKE),  # numbers of two different series
        ({f"ada/z/{NAME}.ipynb": 1.1, f"ada/{NAME}.ipynb": 1}, 0, ALIKE),
        ({"ada/z/a.ipynb": 1, "ada/b.ipynb": 1}, 1, ALIKE),  # not in a folder of its own
        ({"ada/z/a.ipynb": 5, "ada/b.ipynb": 5, "ada/c.ipynb": 1}, 1, ALIKE.replace("all", "2")),
    ],
)
def test_of_several_attempts_one_counts_and_is_named(tmp_path, attempts, chosen, why):
    for path, minute in attempts.items():
        write(tmp_path / path, changed=60 * minute)
    submission, path = read_submission(tmp_path), [*attempts][chosen]
    assert submission.notebook.path == tmp_path / path
    # A file's own time counts, except that of a platform's download.
    assert submission.notebook.handed_in == (0 if submission.label.platform else 60 * attempts[path])
    (note,) = submission.notes
    assert note.startswith(f"{len(attempts)} notebooks were handed in; ")
    assert note.endswith(f"{why}: {submission.notebook.name}")


def test_a_zip_file_is_opened_and_its_notebook_read(tmp_path):
    litter = dict.fromkeys(["__MACOSX/work/._my.ipynb", "work/.ipynb_checkpoints/my.ipynb"], "junk")
    pack(tmp_path / "ada.ZIP", {"work/my.IPYNB": attacks.text(attacks.GOOD)} | litter)
    submission = read_submission(tmp_path)
    assert submission.student == "ada" and submission.cells and not submission.notes and not submission.trouble
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ada.ZIP"]
    pack(tmp_path / "ada.ZIP", {"old/a.ipynb": "{}", "b.ipynb": "{}"})
    assert read_submission(tmp_path).notebook.name == "b.ipynb"  # not in a folder of its own


def linked(path):
    info = zipfile.ZipInfo("work.ipynb")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    pack(path, {info: "/etc/passwd"})


def changed(offset, new, method=zipfile.ZIP_STORED):
    """Return a function that packs a notebook, and then changes its entry in the list of files, at -1 its content."""

    def make(path):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("work.ipynb", "{}" * 100)
        content = bytearray(path.read_bytes())
        start = content.index(b"PK\1\2") + offset if offset >= 0 else len("PK..") + 26 + len("work.ipynb")
        content[start : start + len(new)] = new
        path.write_bytes(content)

    return make


@pytest.mark.parametrize(
    "make, note, trouble",
    [
        (lambda path: pack(path, {"../../work.ipynb": "{}"}), "../../work.ipynb in ada.zip", "was found in ada.zip"),
        (lambda path: pack(path, {f"{n}.ipynb": "{}" for n in range(1001)}), "more than 1000 files", "no notebook"),
        (linked, "work.ipynb in ada.zip", "no notebook"),
        (changed(6, b"\xff"), "zip file version", "no notebook"),  # a later one
        (lambda path: path.write_bytes(b"PK\3\4"), "not a zip file", "no notebook"),
        (lambda path: path.open("wb").truncate(101 << 20), "more than 100 MB", "no notebook"),
        (lambda path: pack(path, {"a.ipynb": b" " * (21 << 20)} | {str(n): "" for n in range(999)}), "", "20 MB"),
        (changed(8, b"\1"), "", "(ada.zip cannot be unpacked: File 'work.ipynb' is encrypted"),
        (changed(16, b"1234"), "", "cannot be unpacked: Bad CRC-32"),
        (changed(20, b"\0\0\1\0\0\0\1\0"), "", "cannot be unpacked: EOFError"),  # longer than the file
        (changed(-1, b"\xff" * 4, zipfile.ZIP_DEFLATED), "", "cannot be unpacked: Error -3"),
    ],
)
def test_nothing_in_a_zip_file_is_taken_that_leads_elsewhere_costs_much_or_is_damaged(tmp_path, make, note, trouble):
    make(tmp_path / "ada.zip")
    ((submission,), _) = collecting.collect(tmp_path)
    submission.before = whole_class.Grade("", {})  # of nothing, too
    graded = whole_class.grade_if_new(load(NAME), submission)
    assert trouble in graded["trouble"] and note in "; ".join(graded["notes"])


def test_links_and_hidden_files_are_not_followed_and_said(tmp_path):
    write(tmp_path / "elsewhere" / "secret.ipynb")
    write(tmp_path / "submitted" / "ada" / "work.ipynb")
    write(tmp_path / "submitted" / "ada" / ".hidden.ipynb", changed=9e6)
    for litter in (".ipynb_checkpoints", "__pycache__"):
        write(tmp_path / "submitted" / "ada" / litter / "work.ipynb", changed=9e6)
    (tmp_path / "submitted" / "ada" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "secret.ipynb")
    (tmp_path / "submitted" / "ada" / "folder").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "submitted" / "ada" / "pipe.ipynb")
    os.utime(tmp_path / "submitted" / "ada" / "pipe.ipynb", (0, 0))
    submission = read_submission(tmp_path / "submitted")
    assert submission.notebook.name == "work.ipynb"
    assert submission.notes == ["not looked into: .hidden.ipynb, folder (a link), link.ipynb (a link), pipe.ipynb"]
    for name, to in ("ada", "elsewhere"), ("ada.ipynb", "elsewhere/secret.ipynb"):  # in place of what was handed in
        (tmp_path / f"in {name}").mkdir()
        (tmp_path / f"in {name}" / name).symlink_to(tmp_path / to)
        submission = read_submission(tmp_path / f"in {name}")
        assert submission.notebook is None and submission.notes == [f"not looked into: {name} (a link)"]


def test_a_cell_is_named_by_what_it_defines_or_by_its_first_line(tmp_path):
    names = {
        "import torch\nasync def later():\n    pass": "later",
        "%%time\nclass  Head: pass": "Head",
        "x == 1\nscores=1": "scores",
        "weights = 1": "weights",
        "x == 1\nx": "x == 1",
        f"\n  {'1' * 50}  \n2": "1" * 40,
        "'\u202e'": "'\ufffd'",
        "Local(globals(), class_seed=-8)": "Local(globals(), class_seed=-8)",
    }
    cells = [{"cell_type": "code", "source": source} for source in names] + [{"cell_type": "raw", "source": "1 / 0"}]
    write(tmp_path / "ada.ipynb", json.dumps({"nbformat": 4, "cells": cells}))
    called = [f"the cell of `{name}` (number {number} from the top)" for number, name in enumerate(names.values(), 1)]
    submission = read_submission(tmp_path)
    assert [name for name, _ in submission.cells] == called and submission.class_seed == -8  # wherever it stands


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"nbformat": 4, "cells": {"1": 2}},
        *({"nbformat": 4, "cells": [cell]} for cell in (7, {}, {"metadata": []}, {"source": ""})),
        *({"nbformat": 4, "cells": [{"cell_type": "code", "source": source}]} for source in (7, [[]], None)),
    ],
)
def test_what_is_not_a_notebook_says_so(tmp_path, content):
    write(tmp_path / "ada.ipynb", json.dumps(content))
    assert "(it is not built as Jupyter builds a notebook)" in read_submission(tmp_path).trouble


def test_a_notebook_may_have_20_mb_and_is_of_version_4(tmp_path):
    cell = {"cell_type": "code", "source": f"Local(globals(), class_seed={'9' * 5_000})"}  # not a seed
    for size, over in ((20 << 20, True), ((20 << 20) - 3, False)):
        write(tmp_path / "ada.ipynb", "\ufeff" + json.dumps({"nbformat": 4, "cells": [cell]}).ljust(size))
        assert bool(read_submission(tmp_path).trouble) is over and read_submission(tmp_path).class_seed is None
    write(tmp_path / "ada.ipynb", json.dumps({"nbformat": 3, "worksheets": 7}))
    assert "it is of another version than 4 of the format" in read_submission(tmp_path).trouble


def test_the_words_of_a_student_survive_exactly(tmp_path):
    written = "\tfirst\N{NO-BREAK SPACE}line, 👩\N{ZERO WIDTH JOINER}💻  \n    می\u200cروم"
    cell = {"cell_type": "markdown", "metadata": {"nbgrader": {"grade_id": "why"}}}
    source = f"Why?\nSay it.\n\n{written}\n".replace("\n", "\r\n")
    write(tmp_path / "ada.ipynb", json.dumps({"nbformat": 4, "cells": [cell | {"source": source}]}))
    texts = read_submission(tmp_path).texts
    assert collecting.find_answers(texts, {"why": "Why?\nSay it."}, set()) == {"why": written}
