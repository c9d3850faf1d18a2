"""Find a student's notebook among what was handed in: files, folders and zip files. Links are not followed."""

import contextlib
import os
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

LARGEST = 20 << 20  # bytes; a notebook full of pictures is smaller
LARGEST_ARCHIVE, MOST_FILES = 100 << 20, 1_000  # bytes, and entries, of a zip file
DAMAGED = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError)  # what reading a zip file may raise
NOBODYS = {".ipynb_checkpoints", "__MACOSX", "__pycache__"}  # what programs leave in folders
COPY = re.compile(r"(-Copy\d+|-\d+| ?\(\d+\))$")  # what Jupyter, Canvas and browsers add to the name of a copy


@dataclass(frozen=True)
class Notebook:
    """A file that may be the one to grade. upload: the platform's number of the file; changed, handed_in: seconds since
    1970, the latter 0 if nothing says when; inside: its name in a zip file, or ""."""

    path: Path
    name: str
    depth: int
    upload: int
    changed: float
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
        except DAMAGED as error:
            raise ValueError(f"{self.path.name} cannot be unpacked: {error}") from error


def find(submission, assignment):
    """Choose the notebook among what was handed in: of those called as the assignment, if there are any, the newest.

    Links are not followed: they may lead to the source.
    """
    candidates, left_out = [], []
    for path, label in submission.paths:
        candidates += _notebooks(path, label, assignment, left_out)
    if left_out:
        submission.notes.append(f"not looked into: {', '.join(sorted(left_out)[:5])}")
    if not candidates:
        names = ", ".join(path.name for path, _ in submission.paths)
        submission.trouble = f"no notebook (.ipynb) was found in {names}"
        return
    called = [each for each in candidates if COPY.sub("", PurePosixPath(each.name).stem) == assignment]
    order = sorted(called or candidates, key=lambda each: (-each.upload, -each.changed, each.depth, each.name))
    submission.found = order[0]
    if len(candidates) > 1:
        which = f"the newest that is called {assignment}" if called else "the newest"
        submission.notes.append(f"{len(candidates)} notebooks were handed in; {which} was graded: {order[0].name}")


def _notebooks(path, label, assignment, left_out):
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
            found += _zipped(file, label, _times(file, label, assignment), left_out)
        else:
            name = label.file if file == path and label.file else file.name
            found.append(Notebook(file, name, len(file.parts), label.upload, *_times(file, label, assignment)))
    return found


def _zipped(file, label, times, left_out):
    """Return the notebooks in a zip file, of which nothing is written to a disk."""
    try:
        if file.stat().st_size > LARGEST_ARCHIVE:
            raise ValueError(f"more than {LARGEST_ARCHIVE >> 20} MB")
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
        if len(entries) > MOST_FILES:
            raise ValueError(f"more than {MOST_FILES} files")
    except (ValueError, *DAMAGED) as error:
        left_out.append(f"{file.name} ({error})")
        return []
    found = []
    for entry in entries:
        inside = PurePosixPath(entry.filename)
        if inside.suffix.casefold() != ".ipynb" or NOBODYS & set(inside.parts):
            continue
        odd = inside.is_absolute() or any(part.startswith((".", "__")) for part in inside.parts)  # ".." begins so, too
        if odd or stat.S_ISLNK(entry.external_attr >> 16):
            left_out.append(f"{entry.filename} in {file.name}")
        else:
            depth = len(file.parts) + len(inside.parts)
            found.append(Notebook(file, inside.name, depth, label.upload, *times, entry.filename))
    return found


def _times(file, label, assignment):
    """Return when a file was changed, and handed in: the latter is the former, unless nbgrader notes another beside it.

    Files from Moodle and Canvas have the time of the download, which says nothing.
    """
    changed, noted = file.stat().st_mtime, file.with_name("timestamp.txt")
    if label.platform:
        return changed, 0
    if file.parent.name == assignment and noted.is_file():
        with open(noted, encoding="utf-8", errors="replace") as text:
            words = text.read(100).strip().removesuffix(" UTC")
        with contextlib.suppress(ValueError):
            return changed, datetime.fromisoformat(words + "+00:00").timestamp()
    return changed, changed
