"""Find each student's notebook in a folder, and read it; nothing in it is run or believed here."""

import csv
import logging
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

LARGEST = 20 << 20  # bytes; a notebook full of pictures is smaller
NOTHING = "nothing was handed in"
EXPORTED = re.compile(r"(?P<student>.+?)_assignsubmission_.*")  # as Moodle names files and folders
PARTICIPANT = re.compile(r"_\d+$")  # the number behind a name in such an export
DEFINED = re.compile(r"^(?:async )?(?:def|class) +(\w+)", re.MULTILINE)

SEED = re.compile(r"Local\(globals\(\), class_seed=(\d{1,18})\)")


@dataclass
class Submission:
    """One student's notebook as it was handed in.

    cells: [(name, source)] of all code cells, in order; texts: [(grade_id, source)] of all others;
    trouble: why there is nothing to grade, or ""; class_seed: what the notebook says, to warn about a mix-up.
    """

    student: str
    path: Path | None = None
    cells: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    trouble: str = ""
    class_seed: int | None = None


def collect(folder, assignment, roster=()):
    """Read all submissions in a folder, one for each student, in order of their names.

    folder: each file or folder directly in it belongs to one student: files named after the student, a learning
    platform's export, or nbgrader's student/assignment/notebook. roster: names of all students; who is missing
    gets an empty submission. All files are read before any code runs, so that none of it can change another's.
    """
    belongings = {}
    for path in sorted(Path(folder).iterdir()):
        if not path.name.startswith((".", "__")):
            belongings.setdefault(_student(path), []).append(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbformat reports small faults, like a cell's id that comes twice
        found = [_read(printable(student), paths, assignment) for student, paths in belongings.items()]
    known = {name for submission in found for name in _names(submission.student)}
    missing = [name for name in roster if name.casefold() not in known]
    found += [Submission(name, trouble=NOTHING) for name in missing]
    if roster:
        _name_as_listed(found, roster)
    return sorted(found, key=lambda submission: submission.student.casefold())


def _name_as_listed(found, roster):
    """Give each submission the name on the list, unless two would have the same, and note who is not on it."""
    listed = {name.casefold(): name for name in roster}
    names = [next((listed[name] for name in _names(each.student) if name in listed), None) for each in found]
    for submission, name in zip(found, names):
        if name is None:
            submission.notes.append("this name is not on the list of students")
        elif names.count(name) == 1:
            submission.student = name


def read_roster(path):
    """Return the names in a text file, one a line, or in the first column of a .csv file."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = [row[0] for row in csv.reader(file) if row] if Path(path).suffix == ".csv" else file.readlines()
    rows = [row.strip() for row in rows if row.strip()]
    return rows[1:] if rows and rows[0].casefold() in ("name", "student", "students", "id") else rows


def printable(text):
    """Replace what cannot be written or printed: half characters, control characters."""
    text = text.encode("utf-8", "replace").decode()
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _student(path):
    exported = EXPORTED.fullmatch(path.name)
    if exported:
        return exported["student"]
    return path.name if path.is_dir() else path.stem


def _names(student):
    return {student.casefold(), PARTICIPANT.sub("", student).casefold()}


def _read(student, paths, assignment):
    submission = Submission(student)
    candidates = [found for path in paths for found in _notebooks(path)]
    if not candidates:
        submission.trouble = f"no notebook (.ipynb) was found in {', '.join(path.name for path in paths)}"
        return submission
    named = [path for path in candidates if path.stem == assignment]
    chosen = (named or candidates)[0]
    if len(candidates) > 1:
        submission.notes.append(f"{len(candidates)} notebooks were handed in; this one was graded: {chosen.name}")
    submission.path = chosen
    try:
        _fill(submission, chosen)
    except Exception as error:  # a file that anybody may have written: any error means that it cannot be read
        submission.cells = []
        submission.trouble = (
            f"{chosen.name} cannot be read as a notebook: the file is damaged or cut off; save it again and hand it in "
            f"again ({type(error).__name__}: {error})"
        )[:300]
    return submission


def _notebooks(path):
    """Return the notebooks at a path. Links are not followed: they may lead to the source."""
    if path.is_symlink():
        return []
    if path.is_file():
        return [path] if path.suffix == ".ipynb" else []
    inside = sorted(path.rglob("*.ipynb"), key=lambda found: (len(found.parts), found.name)) if path.is_dir() else []
    return [
        found
        for found in inside
        if found.is_file()
        and not any(part.startswith((".", "__")) for part in found.relative_to(path).parts)
        and not any(part.is_symlink() for part in (found, *found.parents) if part.is_relative_to(path))
    ]


def _called(number, source):
    """Name a cell by what a student sees: the first thing that it defines, or its first line."""
    lines = source.strip().split("\n")
    defined = DEFINED.search(source)
    return f"the cell of `{printable(defined[1] if defined else lines[0])[:40]}` (number {number} from the top)"


def _fill(submission, path):
    if path.stat().st_size > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB; clear its outputs")
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)  # where nbformat reports other faults
    notebook = nbformat.reads(path.read_bytes().decode("utf-8-sig"), as_version=4)
    for number, cell in enumerate(notebook.cells, start=1):
        source = cell.source if isinstance(cell.source, str) else "".join(cell.source)
        if cell.cell_type == "code":
            submission.cells.append((_called(number, source), source))
        else:
            role = cell.get("metadata", {}).get("nbgrader", {})
            submission.texts.append((role.get("grade_id"), source))
    seed = SEED.search(
        "\n".join(source for _, source in submission.cells)
    )  # in the set-up cell, which survives where a platform drops the metadata
    submission.class_seed = int(seed[1]) if seed else None
