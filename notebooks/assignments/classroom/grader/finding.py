"""Find a student's notebook among what was handed in: files, folders and zip files. Links are not followed."""

import re
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from classroom.grader.records import Candidate, Submission
from classroom.names import Label

LARGEST_ARCHIVE, MOST_FILES = 100 << 20, 1_000  # bytes, and entries, of a zip file
LITTER = {".ipynb_checkpoints", "__MACOSX", "__pycache__"}  # what programs leave in folders
COPY = re.compile(r"(.*?)(?:(?:-Copy|-| ?\()(\d{1,9})\)?)?", re.DOTALL)  # as Jupyter, Canvas and browsers name a copy


def choose_notebook(submission: Submission, assignment: str) -> None:
    """Choose the notebook among what was handed in: of those called as the assignment, if there are any, the newest."""
    candidates, omissions = [], []
    for path, label in submission.paths:
        candidates += _notebooks(path, label, omissions)
    if omissions:
        submission.notes.append(f"not looked into: {', '.join(sorted(omissions)[:5])}")
    if not candidates:
        names = ", ".join(path.name for path, _ in submission.paths)
        submission.trouble = f"no notebook (.ipynb) was found in {names}"
        return
    namesakes = [notebook for notebook in candidates if _split_copy_number(notebook)[0] == assignment]
    submission.notebook, reason = _choose_newest(namesakes or candidates)
    if len(candidates) > 1:
        of = f"of those called {assignment}, " if namesakes else ""
        submission.notes.append(f"{len(candidates)} notebooks were handed in; {of}{reason}: {submission.notebook.name}")


def _choose_newest(notebooks: list[Candidate]) -> tuple[Candidate, str]:
    """Return the newest and why it was chosen. In what a platform exports, all may be of one minute."""
    newest_first = sorted(notebooks, key=lambda file: (-file.upload, -file.changed, file.depth, file.name))
    newest = newest_first[0]
    rivals = [file for file in newest_first if file.upload == newest.upload and file.changed > newest.changed - 60]
    if len(rivals) == 1:
        return newest, "the newest was graded"
    copies = [_split_copy_number(file) for file in rivals]
    name, highest = max(copies)
    if {series for series, _ in copies} == {name} and copies.count((name, highest)) == 1:
        return rivals[copies.index((name, highest))], "the one with the highest number was graded"
    return newest, f"{'all' if rivals == newest_first else len(rivals)} have the same time, and one was graded"


def _split_copy_number(notebook: Candidate) -> tuple[str, int]:
    """Return the name that a notebook has in common with its copies, and the number of the copy, 0 for none."""
    name, number = COPY.fullmatch(PurePosixPath(notebook.name).stem).groups()
    return name, int(number or 0)


def _notebooks(path: Path, label: Label, omissions: list[str]) -> Iterator[Candidate]:
    """Yield the notebooks at a path; add what is passed over to `omissions`, where a student may miss it."""
    for file in _files(path, omissions):
        name = label.file if file == path and label.file else file.name
        changed = file.stat().st_mtime  # in what Moodle and Canvas export, that of the download, which says nothing
        candidate = Candidate(file, name, len(file.parts), label.upload, changed, 0 if label.platform else changed)
        if file.suffix.casefold() == ".zip":
            yield from _zip_entries(candidate, omissions)
        else:
            yield candidate


def _files(path: Path, omissions: list[str]) -> Iterator[Path]:
    """Yield what may be or hold a notebook: a file, or all in a folder that is not hidden. Links are not followed."""
    if path.name in LITTER or not (path.suffix.casefold() in (".ipynb", ".zip") or path.is_dir()):
        return
    if path.is_symlink():
        omissions.append(f"{path.name} (a link)")
    elif path.name.startswith((".", "__")) or not (path.is_file() or path.is_dir()):
        omissions.append(path.name)
    elif path.is_file():
        yield path
    else:
        for inside in path.iterdir():
            yield from _files(inside, omissions)


def _zip_entries(archive: Candidate, omissions: list[str]) -> Iterator[Candidate]:
    """Yield the notebooks in a zip file, of which nothing is written to a disk."""
    try:
        if archive.path.stat().st_size > LARGEST_ARCHIVE:
            raise ValueError(f"more than {LARGEST_ARCHIVE >> 20} MB")
        with zipfile.ZipFile(archive.path) as opened:
            entries = opened.infolist()
        if len(entries) > MOST_FILES:
            raise ValueError(f"more than {MOST_FILES} files")
    except Exception as error:
        omissions.append(f"{archive.path.name} ({error})")
        return
    for entry in entries:
        inside = PurePosixPath(entry.filename)
        if inside.suffix.casefold() != ".ipynb" or LITTER & set(inside.parts):
            continue
        hidden = any(part.startswith((".", "__")) for part in inside.parts)  # ".." begins so, too
        if hidden or stat.S_ISLNK(entry.external_attr >> 16):
            omissions.append(f"{entry.filename} in {archive.path.name}")
        else:
            depth = archive.depth + len(inside.parts)
            yield archive._replace(name=inside.name, depth=depth, inside=entry.filename)
