"""Hand out, grade and give back assignments: python -m classroom, and one of the commands below."""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from classroom import hand_out, names, texts
from classroom.assignment import list_assignments, load
from classroom.grader import fork_server
from classroom.grader.collecting import collect, expect_students
from classroom.grader.whole_class import grade_all, repeat
from classroom.term.grade_log import read_settings
from classroom.term.gradebook import Gradebook
from classroom.term.pages import overview


def main(arguments: list[str] | None = None) -> int:
    """Run a command. Return 0, 1 where the teacher should look at something, 2 for an error, or 130 after Ctrl-C."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except (ValueError, OSError, fork_server.NotStarted, KeyboardInterrupt) as error:
        stopped = isinstance(error, KeyboardInterrupt)
        words = ["stopped" if stopped else f"error: {error}", *getattr(error, "__notes__", [])]
        _complain("; ".join(words))
        return 130 if stopped else 2


def _release(options: argparse.Namespace) -> None:
    for name in list_assignments():
        print(hand_out.write_release(name, options.out, options.seed))


def _solutions(options: argparse.Namespace) -> None:
    print(hand_out.write_solution(options.assignment, options.out, options.seed))


def _grade(options: argparse.Namespace) -> int:
    if sys.platform != "linux":
        raise ValueError("the grader is for Linux; on Windows use WSL, elsewhere a container")
    fork_server.SERVER.fork().stop()  # where no process can be confined, nothing is touched
    book = _open_gradebook(options)
    numbers = book.begin()
    tqdm.monitor_interval = 0  # no thread of its own: only a process without threads is safe to fork
    with tqdm(total=len(numbers), unit="notebook") as bar:

        def take_grade(index, grade):
            book.add(numbers[index], grade)
            bar.update()

        try:
            try:
                submissions = [book.submissions[number] for number in numbers]
                grade_all(book.assignment, submissions, take_grade)
            finally:
                book.write()
        except BaseException as error:  # Ctrl-C, too
            error.add_note(f"{bar.n} of {len(numbers)} graded; the same command goes on from there")
            raise
    print("\n".join(overview(book.results)))
    as_before = sum(not result.grade.trouble for result in book.results.values()) - book.new_count
    print(f"{book.new_count} graded, {as_before} as before; see {book.table}")
    return _warn(book)


def _repeat(options: argparse.Namespace) -> None:
    print(*repeat(load(options.assignment, options.seed), options.notebook, options.check), sep="\n")


def _open_gradebook(options: argparse.Namespace) -> Gradebook:
    """Return the gradebook of a folder, with what was collected; what the folder remembers need not be given again."""
    settings = read_settings(options.graded)
    assignment = load(options.assignment, settings.get("class_seed") if options.seed is None else options.seed)
    collected, hidden_names = collect(options.submissions)
    if not collected:
        _complain(f"{options.submissions} holds nothing that was handed in")
    if hidden_names:
        _complain(f"left out, as their names begin with '.' or '__': {'; '.join(hidden_names)}")
    students = str(options.students.resolve()) if options.students else settings.get("students")
    book = Gradebook(assignment, collected, names.read_roster(students) if students else None, options.graded)
    expect_students(options.submissions, collected, book.roster)
    book.record.add({"students": students})
    return book


def _warn(book: Gradebook) -> int:
    """Name those whose grades need a look, and return the exit code: 1 if somebody has no grade."""
    if book.vanished_names:
        reason = "left out, as they were collected earlier and not now, and the list has none or others of their names"
        _complain(f"{reason}: {'; '.join(book.vanished_names)}")
    if failed := [student for student, result in book.results.items() if result.grade.failed]:
        _complain(f"error: not graded, see the notes of: {'; '.join(failed)}")
    return int(bool(failed))


def _complain(text: str):
    print(texts.printable(text), file=sys.stderr)  # a student's file may be named in it


ARGUMENTS = {
    "assignment": {"choices": list_assignments()},
    "submissions": {"type": Path, "help": "the folder in which each student has one file or folder"},
    "graded": {"type": Path, "help": "the folder for grades and pages, the same for the whole term"},
    "out": {"type": Path, "help": "where to write"},
    "notebook": {"type": Path, "help": "a student's file or folder, as it was graded"},
    "check": {"nargs": "?", "help": "the check whose inputs are shown, like check_project"},
    "--seed": {"type": int, "help": "the class's own number, which changes sentences and numbers; grade remembers it"},
    "--students": {"type": Path, "help": "a list of all names, to see who is missing; grade remembers it, too"},
}
COMMANDS = {
    "release": (_release, "write the students' version of all assignments", "out", "--seed"),
    "grade": (_grade, "grade a folder of notebooks", "assignment", "submissions", "graded", "--seed", "--students"),
    "repeat": (_repeat, "grade one again, and show a check's inputs", "assignment", "notebook", "check", "--seed"),
    "solutions": (_solutions, "write an assignment's solutions, for after the deadline", "assignment", "out", "--seed"),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m classroom", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, (run, help_text, *arguments) in COMMANDS.items():
        command = commands.add_parser(name, help=help_text)
        command.set_defaults(run=run)
        for argument in arguments:
            command.add_argument(argument, **ARGUMENTS[argument])
    return parser


if __name__ == "__main__":
    sys.exit(main())
