"""Hand out, grade and give back assignments: python -m classroom release | grade | export | solutions."""

import argparse
import os
import secrets
import sys
from pathlib import Path

from tqdm import tqdm

from classroom import hand_out, names
from classroom.assignment import load
from classroom.grader import fork_server, sandbox
from classroom.grader.submissions import NOTHING, collect
from classroom.grader.watched import NotStarted
from classroom.grader.whole_class import grade_all
from classroom.term.export import export
from classroom.term.gradebook import Gradebook
from classroom.term.overview import overview
from classroom.term.record import remembered


def main(arguments=None):
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except (ValueError, OSError, NotStarted) as error:
        print(names.printable(f"error: {error}"), file=sys.stderr)  # a student's file may be named in it
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _release(options):
    for name in hand_out.names():
        print(hand_out.write_release(name, options.out, options.seed))
    return 0


def _solutions(options):
    print(hand_out.write_solution(options.assignment, options.out, options.seed))
    return 0


def _grade(options):
    _expect_linux()
    before = remembered(options.out)
    assignment = load(options.assignment, before.get("class_seed") if options.seed is None else options.seed)
    collected, left_out = collect(options.submissions)
    if left_out:
        print(f"left out, as their names begin with '.' or '__': {'; '.join(left_out)}", file=sys.stderr)
    students = str(options.students.resolve()) if options.students else before.get("students")
    if students and not os.path.exists(students):
        raise ValueError(f"{students} is not there; say by --students where the list of names is")
    roster = names.read_roster(students) if students else None
    book = Gradebook(assignment, collected, roster, options.out)
    if options.forget:
        book.forget(options.forget)
        book = Gradebook(assignment, collect(options.submissions)[0], roster, options.out)
    if students != before.get("students"):
        book.record.add({"students": students})
    numbers = book.open(options.again)
    fork_server.SERVER.start()  # if it cannot, the same command may be given again
    tqdm.monitor_interval = 0  # no thread of its own: only a process without threads is safe to fork
    seen = []
    try:
        with book, tqdm(total=len(numbers), unit="notebook") as bar:

            def done(place, grade):
                book.add(numbers[place], grade)
                seen.append(grade)
                bar.update()

            submissions = [book.submissions[number] for number in numbers]
            grade_all(assignment, submissions, secrets.randbits(32), done=done)
    except (KeyboardInterrupt, OSError, NotStarted) as reason:
        why = "stopped" if isinstance(reason, KeyboardInterrupt) else f"error: {reason}"
        print(f"{why}; {len(seen)} of {len(numbers)} graded; the same command goes on from there", file=sys.stderr)
        return 130 if isinstance(reason, KeyboardInterrupt) else 2
    new = sum(grade is not None for grade in seen)
    missing = sum(result.grade.trouble == NOTHING for result in book.results.values())
    print(overview(assignment, book.results, {each.student: each.doubts for each in book.submissions}))
    print(f"{new} graded, {len(book.results) - missing - new} as before, {missing} missing; see {book.table}")
    return _warn(book, options.submissions, students)


def _export(options):
    read = options.graded / "grades.csv", options.gradebook
    if options.out.exists() and any(map(options.out.samefile, read)):
        raise ValueError(f"{options.out} would be written over; give the file to upload another name")
    text, said, warnings = export(*read, options.column)
    options.out.write_text(text, encoding="utf-8", newline="")
    print(f"{options.out}: {said}")
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return int(bool(warnings))


def _expect_linux():
    """Raise ValueError where the grader does not work, or cannot shut a student's code in."""
    if sys.platform != "linux":
        raise ValueError(
            "the grader is for Linux; on Windows use a Linux system inside it (WSL), elsewhere a container"
        )
    if missing := sandbox.missing():
        raise ValueError(
            f"this system cannot shut a student's code in: {missing}. "
            "Grade on Linux 6.2 or newer with Landlock, on x86-64 or arm64"
        )


def _warn(book, folder, students):
    """Name those whose grades need a look, and return the exit code: 1 if somebody has no grade."""
    if book.marks.passed_over:
        print(f"not counted, as --forget took the student out: {'; '.join(book.marks.passed_over)}", file=sys.stderr)
    handed_in = [each for each in book.submissions if each.paths]
    if students and handed_in and all(each.doubts for each in handed_in):
        print(
            f"warning: no name in {folder} fits {students}. Is it the folder in which each "
            "student has one file or folder? Give the right one, and --forget these names",
            file=sys.stderr,
        )
    grades = [result.grade for result in book.results.values()]
    doubtful, failed = ([each.student for each in grades if getattr(each, which)] for which in ("doubtful", "failed"))
    if doubtful:
        print("warning: another assignment or another --seed? See the notes of:", "; ".join(doubtful), file=sys.stderr)
    if failed:
        print("error: not graded, see the notes of:", "; ".join(failed), file=sys.stderr)
    return int(bool(failed))


def _parser():
    parser = argparse.ArgumentParser(prog="python -m classroom", description=__doc__)
    commands = parser.add_subparsers(required=True)
    seed = {"type": int, "help": "the class's own number, which changes sentences and numbers; grade remembers it"}

    command = commands.add_parser("release", help="write the students' version of all assignments")
    command.set_defaults(run=_release)
    command.add_argument("out", type=Path)
    command.add_argument("--seed", **seed)

    command = commands.add_parser("grade", help="grade a folder of notebooks")
    command.set_defaults(run=_grade)
    command.add_argument("assignment", choices=hand_out.names(), help="the one that was collected")
    command.add_argument("submissions", type=Path, help="the folder in which each student has one file or folder")
    command.add_argument("out", type=Path, help="the folder for grades and pages, the same for the whole term")
    command.add_argument("--seed", **seed)
    command.add_argument("--students", type=Path, help="a list of all names, to see who is missing; remembered, too")
    command.add_argument("--again", nargs="*", metavar="STUDENT", help="grade these again, or all, if unchanged, too")
    command.add_argument(
        "--forget", nargs="+", metavar="STUDENT", help="take these out; their file has another name now"
    )

    command = commands.add_parser("export", help="write the totals for Canvas or Moodle")
    command.set_defaults(run=_export)
    command.add_argument("graded", type=Path, help="the folder with grades.csv")
    command.add_argument("gradebook", type=Path, help="the file that the platform exports, with all students")
    command.add_argument("out", type=Path, help="the file to write, and to upload")
    command.add_argument("--column", default="", help="the title of the column with the grades")

    command = commands.add_parser("solutions", help="write an assignment with its solutions, for after the deadline")
    command.set_defaults(run=_solutions)
    command.add_argument("assignment", choices=hand_out.names())
    command.add_argument("out", type=Path)
    command.add_argument("--seed", **seed)
    return parser


if __name__ == "__main__":
    sys.exit(main())
