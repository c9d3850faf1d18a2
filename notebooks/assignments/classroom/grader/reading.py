"""Find a student's notebook and read it: cells, and answers in words. Nothing in it is run or believed here."""

import hashlib
import json
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from classroom.checks.graded import DEFINED
from classroom.names import printable

LARGEST = 20 << 20  # bytes; a notebook full of pictures is smaller
LARGEST_ARCHIVE, MOST_FILES = 100 << 20, 1_000  # bytes, and entries, of a zip file
LONGEST_TROUBLE, LONGEST_ANSWER = 300, 10_000  # characters
UNTOUCHED = "YOUR ANSWER HERE"  # what nbgrader puts in place of a model answer
NOBODYS = {".ipynb_checkpoints", "__MACOSX", "__pycache__"}  # what programs leave in folders
COPY = re.compile(r"(-Copy\d+|-\d+| ?\(\d+\))$")  # what Jupyter, Canvas and browsers add to the name of a copy

SEED = re.compile(r"Local\(globals\(\), class_seed=(\d{1,18})\)")


@dataclass(frozen=True)
class Notebook:
    """A file that may be the one to grade. inside: its name in a zip file, or ""; upload: the platform's number of the
    file; handed_in: seconds since 1970."""

    path: Path
    name: str
    depth: int
    upload: int
    handed_in: float
    inside: str = ""

    def content(self):
        """Return its bytes, one more than may be at most. Raises ValueError if a zip file cannot be opened."""
        if not self.inside:
            with open(self.path, "rb") as file:
                return file.read(LARGEST + 1)
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.inside) as file:
                return file.read(LARGEST + 1)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
            raise ValueError(f"{self.path.name} cannot be unpacked: {error}") from error


def find(submission, assignment):
    """Choose the notebook among what was handed in: of those called as the assignment, if there are any, the newest.

    Links are not followed: they may lead to the source.
    """
    candidates, left_out = [], []
    for path, label in submission.paths:
        candidates += _notebooks(path, label, left_out)
    if any(label.late for _, label in submission.paths):
        submission.notes.append("the platform says that this is late")
    if left_out:
        submission.notes.append(f"not looked into: {', '.join(sorted(left_out)[:5])}")
    if not candidates:
        names = ", ".join(path.name for path, _ in submission.paths)
        submission.trouble = f"no notebook (.ipynb) was found in {names}"
        return
    called = [each for each in candidates if COPY.sub("", PurePosixPath(each.name).stem) == assignment]
    order = sorted(called or candidates, key=lambda each: (-each.upload, -each.handed_in, each.depth, each.name))
    submission.found = order[0]
    if len(candidates) > 1:
        which = f"the newest that is called {assignment}" if called else "the newest"
        submission.notes.append(f"{len(candidates)} notebooks were handed in; {which} was graded: {order[0].name}")


def read(submission):
    """Fill in the cells of the notebook that was found, or why it cannot be read."""
    try:
        content = submission.found.content()
        submission.digest = hashlib.sha256(content).hexdigest()
        if submission.digest == submission.graded:
            return
        cells = _cells(content)
    except (ValueError, RecursionError, OSError) as error:
        submission.trouble = (
            f"{submission.found.name} cannot be read as a notebook: the file is damaged or cut off; save it again and "
            f"hand it in again ({type(error).__name__}: {error})"
        )[:LONGEST_TROUBLE]
        return
    for number, (kind, source, grade_id) in enumerate(cells, start=1):
        if kind == "code":
            submission.cells.append((_called(number, source), source))
        else:
            submission.texts.append((grade_id, source))
    # The set-up cell survives where a platform drops the metadata.
    seed = SEED.search("\n".join(source for _, source in submission.cells))
    submission.class_seed = int(seed[1]) if seed else None


def answers(texts, questions, given):
    """Return {grade_id: what the student wrote}, "" for nothing.

    texts: [(grade_id, source)] of all text cells; questions: {grade_id: question}; given: the sources of the text
    cells that were handed out. Without ids, a cell is known by the first line of its question. Cells of the student's
    own that stand below belong to the answer too.
    """
    found, current = {name: [] for name in questions}, None
    for grade_id, source in texts:
        name = grade_id if grade_id in questions else _asked(source, questions)
        if name is not None:
            current = name
            source = source.replace(questions[name], "").replace(UNTOUCHED, "")
        if current is not None and source not in given and source.strip():
            found[current].append(source.strip("\n"))
    return {name: _answer("\n\n".join(parts)) for name, parts in found.items()}


def _notebooks(path, label, left_out):
    """Return the notebooks at a path; add what is passed over to `left_out`, where a student may miss it."""
    if path.is_symlink():
        left_out.append(f"{path.name} (a link)")
        return []
    found, files = [], [path]
    if path.is_dir():
        files = []
        for folder, inside, names in os.walk(path):  # which follows no link to a folder
            hidden = [name for name in inside if name.startswith((".", "__"))]
            left_out += [name for name in hidden if name not in NOBODYS]
            left_out += [f"{name} (a link)" for name in inside if Path(folder, name).is_symlink()]
            inside[:] = [name for name in inside if name not in hidden]
            files += [Path(folder, name) for name in names]
    for file in files:
        kind = file.suffix.casefold()
        if kind not in (".ipynb", ".zip"):
            continue
        if file.is_symlink() or not file.is_file() or file.name.startswith((".", "__")):
            left_out.append(f"{file.name} (a link)" if file.is_symlink() else file.name)
        elif kind == ".zip":
            found += _zipped(file, label, left_out)
        else:
            name = label.file if file == path and label.file else file.name
            found.append(Notebook(file, name, len(file.parts), label.upload, _handed_in(file)))
    return found


def _zipped(file, label, left_out):
    """Return the notebooks in a zip file, of which nothing is written to a disk."""
    try:
        if file.stat().st_size > LARGEST_ARCHIVE:
            raise ValueError(f"more than {LARGEST_ARCHIVE >> 20} MB")
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
        if len(entries) > MOST_FILES:
            raise ValueError(f"more than {MOST_FILES} files")
    except (ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        left_out.append(f"{file.name} ({error})")
        return []
    found = []
    for entry in entries:
        inside = PurePosixPath(entry.filename.replace("\\", "/"))
        if inside.suffix.casefold() != ".ipynb" or NOBODYS & set(inside.parts):
            continue
        odd = inside.is_absolute() or any(part.startswith((".", "__")) for part in inside.parts)  # ".." begins so, too
        if odd or stat.S_ISLNK(entry.external_attr >> 16):
            left_out.append(f"{entry.filename} in {file.name}")
        else:
            depth = len(file.parts) + len(inside.parts)
            found.append(Notebook(file, inside.name, depth, label.upload, _handed_in(file), entry.filename))
    return found


def _handed_in(file):
    """Return when a file was handed in: what nbgrader notes beside it, else the time of the file."""
    noted = file.with_name("timestamp.txt")
    if noted.is_file() and not noted.is_symlink():
        with open(noted, encoding="utf-8", errors="replace") as text:
            words = text.read(100).strip().removesuffix(" UTC")
        try:
            return datetime.fromisoformat(words + "+00:00").timestamp()
        except ValueError:
            pass
    return file.stat().st_mtime


def _cells(content):
    """Return [(kind, source, grade_id or None)] of a notebook's cells. Raises ValueError if it is none."""
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB; clear its outputs")
    notebook = _typed(json.loads(content.decode("utf-8-sig")), dict, "the notebook")
    if notebook.get("nbformat") != 4:
        raise ValueError("it is of another version than 4 of the format; open it in Jupyter and save it")
    return [_cell(_typed(cell, dict, "a cell")) for cell in _typed(notebook.get("cells"), list, "the list of cells")]


def _cell(cell):
    source = cell.get("source")
    if isinstance(source, list):
        source = "".join(_typed(line, str, "a line") for line in source)
    role = _typed(cell.get("metadata", {}), dict, "a cell's metadata").get("nbgrader", {})
    grade_id = role.get("grade_id") if isinstance(role, dict) else None
    kind, source = _typed(cell.get("cell_type"), str, "the type of a cell"), _typed(source, str, "the source of a cell")
    return kind, source.replace("\r\n", "\n"), grade_id if isinstance(grade_id, str) else None


def _typed(value, kind, what):
    if not isinstance(value, kind):
        raise ValueError(f"{what} is a {type(value).__name__}, not a {kind.__name__}")
    return value


def _answer(text):
    rest = " [...] (longer than is shown: see the notebook)" if len(text) > LONGEST_ANSWER else ""
    return printable(text[:LONGEST_ANSWER]) + rest


def _called(number, source):
    """Name a cell by what a student sees: the first thing that it defines, or its first line."""
    defined = DEFINED.search(source)
    name = defined[1] if defined else source.strip().split("\n", 1)[0]
    return f"the cell of `{printable(name[:40])}` (number {number} from the top)"


def _asked(source, questions):
    """Return the question that a cell begins with, or None."""
    return next((name for name, question in questions.items() if question.split("\n")[0] in source), None)
