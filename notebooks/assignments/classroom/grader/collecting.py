"""Who handed something in, by the names of files alone, and what their notebooks say: nothing in these is run here."""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from classroom.code_cells import DEFINED, LONGEST_ANSWER, words_in
from classroom.grader.records import LARGEST, Submission, Text
from classroom.names import Label, Names, read_label, tidy
from classroom.texts import printable

NOTHING = "nothing was handed in"
RENAME = "rename the file"
PLACEHOLDER = "YOUR ANSWER HERE"  # what nbgrader puts in place of a model answer
ELSEWHERE_NOTE = "(not in the question's cell; this was found in others:)"
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)?|<img\b[^>]*>?", re.IGNORECASE)
SEED = re.compile(r"Local\(globals\(\), class_seed=(-?\d{1,18})\)")


def collect(folder: Path) -> tuple[list[Submission], list[str]]:
    """Return a submission of each student, from the names of files and folders here, and the hidden names left out."""
    belongings, hidden_names = {}, []
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__")):
            hidden_names.append(tidy(path.name))
        else:
            name_label = read_label(path.name, path.is_dir())
            belongings.setdefault(name_label.source, []).append((path, name_label))
    newest = {source: max(paths, key=lambda pair: pair[1].upload)[1] for source, paths in belongings.items()}
    return [Submission(source, newest[source], tuple(paths)) for source, paths in belongings.items()], hidden_names


def expect_students(folder: Path, collected: Sequence[Submission], roster: Names) -> None:
    """Refuse a folder with nothing in it but one folder, in which several have something, unless it is a student's."""
    paths = [path for submission in collected for path, _ in submission.paths]
    if len(paths) == 1 and paths[0].is_dir() and roster.find_label(collected[0].label) is None:
        inside = [path.name for path in paths[0].iterdir() if path.is_dir() or path.suffix in (".ipynb", ".zip")]
        if len(inside) > 1:
            raise ValueError(
                f"{folder} holds nothing but the folder {paths[0].name}, with {len(inside)} in it: if these are your "
                f"students', give {paths[0]}; if it is one student's, put the name on the list that --students gives"
            )


def name_as_listed(submissions: Sequence[Submission], roster: Names) -> list[Submission]:
    """Give each submission the name on the list, note what is doubtful, and add those who are missing: all by name.

    One name on the list that several would have is given to none of them.
    """
    names = [roster.find_label(submission.label) for submission in submissions]
    for submission, name in zip(submissions, names):
        pairs = zip(submissions, names)
        rivals = [rival.source for rival, claim in pairs if claim == name and rival is not submission]
        if name is None and roster.students:
            submission.doubts.append(f"this name is not on the list of students, or fits several there: {RENAME}")
        elif name is not None and rivals:
            submission.doubts.append(f"the list has {name} once, and {'; '.join(rivals)} fits that, too: {RENAME}")
        elif name is not None:
            submission.student = name
    missing = [Submission(name, Label(name, name), trouble=NOTHING) for name in roster.students if name not in names]
    return sorted([*submissions, *missing], key=lambda submission: submission.student.casefold())


def read_notebook(submission: Submission) -> None:
    """Fill in the cells of the notebook that was found, or why it cannot be read."""
    try:
        content = submission.notebook.content()
        submission.digest = hashlib.sha256(content).hexdigest()
        cells = _read_cells(content)
    except ValueError as error:
        submission.trouble = (
            f"{submission.notebook.name} cannot be read as a notebook: the file is damaged or cut off; save it again "
            f"and hand it in again ({error})"
        )
        return
    for number, (kind, source, grade_id) in enumerate(cells, start=1):
        if kind == "code":
            submission.cells.append((_name_cell(number, source), source))
            submission.texts += [(grade_id, words) for words in words_in(source)]
        else:
            submission.texts.append((grade_id, source))
    # The set-up cell survives where a platform drops the metadata.
    seed = SEED.search("\n".join(source for _, source in submission.cells))
    submission.class_seed = int(seed[1]) if seed else None


def find_answers(texts: Sequence[Text], questions: dict[str, str], released: set[str]) -> dict[str, str]:
    """Return {grade_id: what the student wrote}, "" for nothing.

    questions: by grade_id; released: what was handed out. Without ids, a cell is known by the first line of its
    question. Cells of the student's own that stand below belong to the answer too. Where there is no answer, what
    stands elsewhere may be it, and is marked as such.
    """
    parts, current, elsewhere = {name: [] for name in questions}, None, []
    for grade_id, source in texts:
        matches = (name for name, question in questions.items() if question.split("\n")[0] in source)
        name = grade_id if grade_id in questions else next(matches, None)
        if name is not None:
            current = name
            source = source.replace(questions[name], "").replace(PLACEHOLDER, "")
        if source not in released and source.strip():
            (elsewhere if current is None else parts[current]).append(source.strip("\n"))
    elsewhere = [ELSEWHERE_NOTE, *elsewhere] if elsewhere else []
    return {name: _shorten_answer("\n\n".join(own_parts or elsewhere)) for name, own_parts in parts.items()}


def _shorten_answer(answer: str) -> str:
    text = printable(PICTURE.sub("(a picture: open the notebook)", answer[:LONGEST_ANSWER]))
    return text + " [...] (longer than is shown: see the notebook)" * (len(answer) > LONGEST_ANSWER)


def _read_cells(content: bytes) -> list[tuple[str, str, str | None]]:
    """Return [(kind, source, grade_id or None)] of a notebook's cells. Raises ValueError if it is not one."""
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB; clear its outputs")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
        if notebook.get("nbformat") == 4:
            return list(map(_read_cell, notebook["cells"]))
    except (TypeError, AttributeError, LookupError, RecursionError) as error:
        raise ValueError("it is not built as Jupyter builds a notebook") from error
    raise ValueError("it is of another version than 4 of the format; open it in Jupyter and save it")


def _read_cell(cell: dict) -> tuple[str, str, str | None]:
    source, role = "".join(cell["source"]).replace("\r\n", "\n"), cell.get("metadata", {}).get("nbgrader")
    grade_id = role.get("grade_id") if isinstance(role, dict) else None
    return cell["cell_type"], source, grade_id if isinstance(grade_id, str) else None


def _name_cell(number: int, source: str) -> str:
    """Name a cell by what a student sees: the first thing that it defines, or its first line."""
    defined = DEFINED.search(source)
    name = defined[1] if defined else source.strip().split("\n", 1)[0]
    return f"the cell of `{printable(name[:40])}` (number {number} from the top)"
