"""A term in one folder: rounds of collecting, the teacher's own tables, totals. Nothing is run: grades are given."""

import html
import re
import time
from datetime import datetime

import attacks
import pytest

import assignments
from classroom.assignment import load
from classroom.csv_tables import format_row, read_table, read_time
from classroom.grader.records import Grade, Submission
from classroom.names import read_label, read_roster
from classroom.term.grade_log import read_settings
from classroom.term.gradebook import Gradebook
from classroom.term.marks import SHOWN
from classroom.term.pages import overview
from companion.checks.feedback import IN_PLACE
from companion.verdict_words import CORRECT


def own(seed=None):
    """Return an assignment with two checks of its own, so that a1's may change."""
    assignment = load(attacks.NAME, seed)
    project = next(check for check in assignment.checks if check.name == "check_project")._replace(points=3)
    assignment.checks = [project, project._replace(name="check_rest", points=23)]
    return assignment


A1, POINTS, TOTAL = own(), "points (of 26)", "total (of 30)"
IN_TIME = datetime(2027, 3, 1, 20).timestamp()
LATE = datetime(2027, 3, 3, 9).timestamp()  # two days begun after the deadline
DEADLINE = "everybody,2027-03-01 23:59,10"


def grade(digest="d1", answer="Because.", handed_in=IN_TIME, wrong=(), **more):
    """Return a grade of 26 points, or fewer: wrong: the checks that failed."""
    verdicts = {check.name: (check.points, CORRECT) for check in A1.checks} | dict.fromkeys(wrong, (0, "off by 1.5"))
    return Grade("", verdicts, {"explain_repeated": answer}, digest=digest, handed_in=handed_in, **more)


def make_submission(name):
    label = read_label(name)
    return Submission(label.source, label, (("a path", label),))


class Term:
    """A folder, as a teacher sees it between the runs of the command."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, grades, students="", assignment=A1):
        """Collect and grade once. grades: {name of a file: Grade}, None for a notebook that is unchanged; students:
        their list, plain or with a first line of titles."""
        path = self.folder.with_name("list.csv" if "," in students.split("\n")[0] else "list.txt")
        path.write_text(students, encoding="utf-8")
        roster = read_roster(path) if students else None
        book = Gradebook(assignment, list(map(make_submission, grades)), roster, self.folder)
        for number in book.begin():
            book.add(number, grades[book.submissions[number].label.entry])
        book.write()
        self.book = book
        return assignments.rows(self.folder)

    def totals(self):
        return {student: row[TOTAL] for student, row in assignments.rows(self.folder).items()}

    def page(self, student):
        text = html.unescape((self.folder / "feedback" / f"{student}.html").read_text(encoding="utf-8"))
        assert '<meta charset="utf-8">' in text and f"<title>{A1.name}: {student}</title>" in text
        return text

    def type(self, table, *lines):
        with open(self.folder / table, "a", encoding="utf-8", newline="") as file:
            file.write("".join(f"{line}\r\n" for line in lines))

    def mark(self, points, remark=""):
        """Type points into every row of words.csv that has none."""
        table = read_table(self.folder / "words.csv")
        marked = [cells if cells[2] else [*cells[:2], points, cells[3], remark, cells[5]] for _, cells in table.rows]
        (self.folder / "words.csv").write_text("".join(map(format_row, marked)), encoding="utf-8")


@pytest.fixture
def term(tmp_path):
    term = Term(tmp_path / "graded")
    term.run({})  # which writes the teacher's tables
    return term


def test_what_was_graded_in_an_earlier_round_stays(term):
    term.run({"ada": grade(), "emmy": grade("d2")})
    with open(term.folder / "record.jsonl", "ab") as record:
        record.write(b'{"label": {"sour')  # where a computer stopped
    rows = term.run({"emmy": None, "zoe": grade("d3")})
    assert [row[POINTS] for row in rows.values()] == ["26", "26", "26"]
    assert list(rows) == ["ada", "emmy", "zoe"] == list(term.run({}))
    assert len(list((term.folder / "feedback").iterdir())) == 3


def test_the_newest_notebook_counts_unless_it_cannot_be_read(term):
    term.run({"ada": grade(wrong=["check_project"])})
    for _ in range(2):  # the second time with news of another file
        assert term.run({"ada": grade("d2")})["ada"][POINTS] == "26"
        assert term.page("ada").count("another notebook was handed in before, for 23 points") == 1
    wrong = [check.name for check in A1.checks]
    for _ in range(2):
        row = term.run({"ada": grade("", answer="", wrong=wrong, trouble="no notebook")})["ada"]
        assert row[POINTS] == "26" and row["notes"].count("could not be graded: no notebook") == 1
    assert "could not be graded" in term.run({"ada": grade("d2")})["ada"]["notes"]  # graded once more
    row = term.run({"zoe": grade("d3", answer="", trouble="damaged", notes=["not looked into: a"])})["zoe"]
    assert row["notes"] == "damaged; not looked into: a" and row[TOTAL] == ""  # unlike an honest 0
    assert term.book.new_count == 0 and "Every check" not in term.page("zoe")
    assert "Nothing could be graded: damaged." in term.page("zoe") and "<li>not looked into: a</li>" in term.page("zoe")
    assert term.run({"zoe": grade("d4", trouble="no cells")})["zoe"]["notes"] == "no cells"
    assert term.run({"zoe": grade("d5")})["zoe"]["notes"] == ""
    assert term.run({"zoe": grade("d6")})["zoe"]["notes"].endswith("before, for 26 points")  # no more than that


def test_a_grade_that_failed_is_tried_again(term):
    failed = {"trouble": "not graded: killed", "failed": True, "answer": "", "wrong": ["check_project"]}
    term.run({"ada": grade("", **failed)})
    assert term.totals() == {"ada": ""} and "? of 26 points, before the answers" in term.page("ada")
    assert "(not graded: see the notes)" in (term.folder / "by_hand.html").read_text(encoding="utf-8")
    assert term.run({}) == {} and term.run({"ada": grade()})["ada"]["notes"] == ""
    notes = term.run({"ada": grade("", **failed)})["ada"]["notes"]
    assert notes == "not graded: killed; another notebook was handed in before, for 26 points"


def test_a_list_that_comes_later_gives_earlier_work_its_name(term):
    term.run({"ada lovelace": grade()})
    (term.folder / "feedback" / "mine.txt").touch()
    words = (term.folder / "words.csv").stat()
    rows = term.run({}, "Ada Lovelace\nZoë\n")
    assert (term.folder / "words.csv").stat() == words  # the same file, which the teacher may be writing in
    assert [(row["notes"], row[TOTAL]) for row in rows.values()] == [("", ""), ("nothing was handed in", "")]
    assert len(read_table(term.folder / "words.csv").records()) == 1  # for the same answer
    assert sorted(page.stem for page in (term.folder / "feedback").iterdir()) == ["Ada Lovelace", "Zoë", "mine"]


def test_a_name_may_be_typed_as_files_or_the_list_have_it(term):
    students = 'Student,ID\n"Turing, Alan",17\n"Noether, Emmy",18\n'
    term.run({"turingalan_17_4711_work": grade(answer=""), "emmy": grade("d2")}, students)
    term.type("overrides.csv", "alán TURING,total,12,agreed", "17,check_project,2,agreed")
    term.type("overrides.csv", "turingalan_17,check_rest,1,agreed")
    assert term.run({}, students)["Turing, Alan"][TOTAL] == "12"
    with pytest.raises(ValueError, match="here: 'Emy Noether' fits no student, or several"):
        term.book.names.expect_student("Emy Noether", "here")


def test_names_that_differ_in_case_have_pages_of_their_own(term):
    rows = term.run({"ada": grade(), "Ada": grade("d2"), "?" + "\U0001d538" * 61: grade("d3")})  # of 245 bytes
    assert all(re.fullmatch(r"feedback/[\w -]+\.html", row["feedback"]) for row in rows.values())
    assert len({row["feedback"].casefold() for row in rows.values()}) == 3


def test_a_file_that_was_renamed_leaves_no_row_of_its_old_name_and_one_on_no_list_comes_back(term):
    students = "Zoë\nAda"
    assert list(term.run({"zoe2": grade(), "ada": grade("d2")}, students)) == ["Ada", "zoe2", "Zoë"]
    term.type("overrides.csv", "ZOE2,total,12,agreed")
    assert list(term.run({"zoë": grade()}, students)) == ["Ada", "Zoë"] and term.book.vanished_names == ["zoe2"]
    assert list(term.run({"zoe": grade("d3")}, students)) == ["Ada", "Zoë"]
    assert term.book.vanished_names == ["zoe2", "zoë"]
    assert term.run({"zoe": None}, "Zoë\nAda\nZoe2")["Zoe2"][TOTAL] == "12"


def test_what_belongs_to_another_or_was_changed_is_not_written_over(term):
    term.run({"ada": grade()})
    with pytest.raises(ValueError, match="as a1_single_head with --seed None, not as a2"):
        term.run({}, assignment=load("a2_masks_and_modules"))
    term.run({}, assignment=own(8))
    with pytest.raises(ValueError, match="--seed 8, not as a1_single_head with --seed 7"):
        term.run({}, assignment=own(7))
    for table, content, problem in (
        ("overrides.csv", "who,what,points", "no column 'student'; its first line should hold student, .*one column"),
        ("words.csv", "student,question,points,of,remark", "no column 'answer'"),
        ("grades.csv", "mine", "grades.csv was not written here, or changed since"),
        ("record.jsonl", "mine", "record.jsonl was changed or damaged"),
    ):
        (term.folder / table).write_text(f"{content}\n", encoding="utf-8")
        with pytest.raises(ValueError, match=problem):
            term.run({}, assignment=own(8))
        (term.folder / table).unlink()


def test_a_seed_that_was_forgotten_can_be_given_afterwards_and_all_are_graded_again(term):
    term.run({"ada": grade(), "emmy": grade("d2")})
    with_seed = own(7)
    rows = term.run({"ada": grade(wrong=["check_project"])}, assignment=with_seed)
    assert [row[POINTS] for row in rows.values()] == ["23", "26"]
    assert [submission.before for submission in term.book.submissions] == [None, None]
    term.run({"ada": None, "emmy": grade("d2")}, assignment=with_seed)
    assert [not submission.before for submission in term.book.submissions] == [False, True]  # emmy's was still to come
    assert read_settings(term.folder) == {"class_seed": 7}


# Marks for answers in words


def test_points_for_words_go_into_pages_and_totals_and_stay(term):
    term.run({"ada": grade(), "silent": grade("d2", answer="")})
    assert term.totals() == {"ada": "", "silent": "26"} and "not marked yet of 4 points" in term.page("ada")
    for points in ("", "3,5"):  # a remark may come first
        term.mark(points, "Well seen.")
        rows = term.run({"ada": None, "silent": None})
        assert "explain_repeated: Well seen." in term.page("ada")
    assert rows["ada"]["explain_repeated (by hand, of 4)"] == "3.5" and term.totals()["ada"] == "29.5"
    assert "3.5 of 4 points" in term.page("ada") and "Start with the first" not in term.page("ada")
    page = (term.folder / "by_hand.html").read_text(encoding="utf-8")
    assert "<h3>ada, v8e18bd2e: 3.5 points</h3>" in page  # as words.csv may have it from an earlier version
    assert f"<h2>explain_repeated, 4 points</h2>\n<pre>{A1.by_hand['explain_repeated'].text[:20]}" in page
    term.run({"ada": grade("d2", answer="Something\nelse. " + 2000 * "x")})  # which waits for a mark of its own
    assert term.totals()["ada"] == ""
    rows = [row for _, row in read_table(term.folder / "words.csv").records()]
    assert [row["points"] for row in rows] == ["3,5", ""] and rows[1]["of"] == "4"
    assert rows[1]["begins"].startswith("Something else. x") and len(rows[1]["begins"]) == SHOWN
    term.mark("1")
    term.run({"ada": grade("d3")})
    assert term.totals()["ada"] == "29.5"


def test_an_answer_that_two_students_gave_is_pointed_out_to_the_teacher(term):
    answers = {"ada": "Equal.", "bob": "Equal.", "cem": "They are equal.", "dan": "", "eve": "Equal."}
    term.run({student: grade(student, answer) for student, answer in answers.items()})
    page = (term.folder / "by_hand.html").read_text(encoding="utf-8")
    said = [" ".join(part.split()) for part in re.findall("The same answer as (.*?)</p>", page, re.DOTALL)]
    assert said == ["bob; eve.", "ada; eve.", "ada; bob."]
    assert page.startswith('<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n')
    assert page.count("(no answer was found)") == term.page("dan").count("(no answer was found)") == 1


def test_the_teachers_sheet_keeps_its_separator_order_and_columns(term):
    term.run({"ada": grade(), "zoe": grade("d2")})
    table = read_table(term.folder / "words.csv")
    rows = [["mine", *cells[:6]] for _, cells in (table.rows[0], *table.rows[:0:-1])]
    (term.folder / "words.csv").write_text("".join(format_row(cells, ";") for cells in rows), encoding="cp1252")
    term.run({"emmy": grade("d3")})
    kept = read_table(term.folder / "words.csv")
    assert kept.separator == ";" and [cells[1] for _, cells in kept.rows] == ["student", "zoe", "ada", "emmy"]
    assert kept.rows[1][1][0] == "mine"
    assert read_table(term.folder / "deadlines.csv").rows[1][1][0] == "everybody"  # to fill in


WRONG_ROWS = [
    ("words.csv", "ada,explain_repeated,5,4,,v1", "words.csv, line 2: 5 points are more than the 4"),
    ("words.csv", "ada,explain_repeated,4,4,,v2\r\nADA,explain_repeated,2,4,,v2", "line 4 sets 'points' of ada again"),
    ("words.csv", "ada,explain_repeated,,4,a,v3\r\nada,explain_repeated,,4,b,v3", "sets 'remark' of ada again"),
    ("words.csv", "ada,explain,4,4,,v4", "there is nothing called 'explain'; there are explain_repeated$"),
    ("overrides.csv", "everybody,total,1,why", "overrides.csv, line 2: 'everybody' fits no student"),
    ("overrides.csv", "ada,total,all,why", "overrides.csv, line 3: 'all' is not a number"),
    ("overrides.csv", "ada,total,1,", "overrides.csv, line 4: write a reason"),
    ("overrides.csv", "ada,sum,1,why", "there is nothing called 'sum'; there are check_project"),
    ("overrides.csv", "ada,total,1,why\r\nada,total,2,why", "line 7 sets 'total' of ada again, after .*, line 6"),
    ("deadlines.csv", "ada,01.03.2027,10", "deadlines.csv, line 3: write '01.03.2027' like 2027-03-01 23:59"),
    ("deadlines.csv", "ada,2027-03-01\r\nada,2027-03-02", "line 5 sets 'deadline' of ada again, after .*, line 4"),
    ("deadlines.csv", "ada,,-1", "deadlines.csv, line 6: '-1' is not a number of points or percent, 0 or more"),
    ("deadlines.csv", "ada,,inf", "deadlines.csv, line 7: 'inf' is not a number"),
    ("deadlines.csv", "ada,,,2107-01-01", "deadlines.csv, line 8: write '2107-01-01' like 2027-03-01 23:59"),
]


def test_all_cells_that_mean_nothing_are_named_in_one_run_before_grading(term):
    term.run({"ada": grade(answer="")})
    for table, line, _ in WRONG_ROWS:
        term.type(table, line)
    term.type("deadlines.csv", *(20 - len(WRONG_ROWS)) * ["bob,,7"])
    with pytest.raises(ValueError) as caught:
        term.run({})
    problems = str(caught.value).split("\n")
    assert len(problems) == 20  # as many as are shown
    for problem, (_, _, expected) in zip(problems, WRONG_ROWS):
        assert re.search(expected, problem)
    term.type("overrides.csv", *[f"bob{number},total,1,why" for number in range(30)])
    with pytest.raises(ValueError, match="line 18: 'bob10' fits no [^\n]*\nand 30 more$"):
        term.run({})


# Marks that are set by hand


def test_a_mark_set_by_hand_stays_when_the_notebook_is_graded_again(term):
    term.run({"ada": grade(answer="", wrong=["check_project"]), "emmy": grade("d2")})
    term.type("overrides.csv", "Ada, check_project ,2,nearly right", "emmy,total,12,agreed")
    term.type("overrides.csv", ",,,", "emmy,explain_repeated,0,short")
    for digest in ("d3", "d4"):
        rows = term.run({"ada": grade(digest, answer="", wrong=["check_project"])})
        assert rows["ada"]["check_project (of 3)"] == "2" and term.totals() == {"ada": "25", "emmy": "12"}
        assert "check_project was set to 2 by your teacher: nearly right" in term.page("ada")
        assert "25 of 26 points" in term.page("ada") and "total was set to 12" in rows["emmy"]["notes"]
        assert ">2 of 3</td>" in term.page("ada") and "explain_repeated: 0 of 4 points" in term.page("emmy")
        assert ": 0 points</h3>" in (term.folder / "by_hand.html").read_text(encoding="utf-8")


def test_a_mark_above_the_maximum_or_for_an_earlier_notebook_counts_and_is_pointed_out(term):
    term.run({"ada": grade(answer="")})
    term.type("overrides.csv", "ada,check_project,5,a bonus", "ada,total,30,agreed")
    term.run({})
    bonus = "check_project was set to 5, more than the 3 that there are"
    assert term.totals() == {"ada": "30"} and bonus in "\n".join(overview(term.book.results))
    assert "earlier" not in "\n".join(overview(term.book.results))
    for _ in range(2):
        row = term.run({"ada": grade("d2", answer="")})["ada"]
        told = f"^{bonus}; its total was set by hand for an earlier notebook.* another notebook was .* by your teacher"
        assert row[TOTAL] == "30" and re.search(told, row["notes"])
        assert f"  ada: {bonus}; its total was set by" in "\n".join(overview(term.book.results))
    table = (term.folder / "overrides.csv").read_text(encoding="utf-8-sig")
    (term.folder / "overrides.csv").write_text(table.replace("agreed", "still agreed"), encoding="utf-8")
    assert "earlier" not in term.run({})["ada"]["notes"].replace("handed in before", "")


# Late work


@pytest.mark.parametrize(
    "lines, handed_in, total, late",
    [
        ([], LATE, "26", ""),
        ([DEADLINE], IN_TIME, "26", ""),
        ([DEADLINE], LATE, "20.8", "2 days after 2027-03-01 23:59: 20% off"),
        (["Everybody,2027-02-01,10"], LATE, "0", "30 days after 2027-02-01 23:59: 100% off"),
        ([DEADLINE, "ada,,0"], LATE, "26", "2 days after 2027-03-01 23:59: 0% off"),
        ([DEADLINE, "ada,,,2027-03-01 21:00"], LATE, "26", ""),
        ([DEADLINE, "ada,2027-03-05,", "ada,,,2027-03-04 21:00"], 0, "26", ""),
        ([DEADLINE], datetime(2027, 3, 1, 23, 59, 59, 5).timestamp(), "26", ""),
        (["everybody,2027-03-02,33.3"], LATE + 53_940, "17.34", "1 day after 2027-03-02 23:59: 33.3% off"),
        (["Everybody,2027-03-01,10"], IN_TIME + 14_405, "23.4", "1 day after 2027-03-01 23:59: 10% off"),  # midnight
        ([], 1 << 40, "26", "its time cannot be right"),  # of a file, in the year 36812
        ([DEADLINE], -1, "", "its time cannot be right: write into deadlines.csv when it was handed in"),
        ([DEADLINE], 0, "", "no time is known: write into deadlines.csv when it was handed in"),
        (['everybody,"Monday, 1 March 2027, 9:00 PM",10'], IN_TIME, "26", ""),
    ],
)
def test_late_work_costs_what_the_rule_says_in_table_and_page(term, lines, handed_in, total, late):
    term.type("deadlines.csv", *lines)
    row = term.run({"ada": grade(answer="", handed_in=handed_in)})["ada"]
    assert row[TOTAL] == total and row["late"].partition(" (")[0] == late
    assert not row["handed in"] or f"in {', '.join(filter(None, [row['handed in'], row['late']]))}." in term.page("ada")
    assert row[POINTS] == "26"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("day", ["2027-03-28", "2027-11-07"])
def test_a_day_alone_ends_at_midnight_when_clocks_change_too(zone, day, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert str(datetime.fromtimestamp(read_time("here", day))) == f"{day} 23:59:59"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_what_the_platform_calls_late_waits_for_the_time_and_what_canvas_does_not_is_in_time(term):
    assert term.run({"zoe": grade(answer="", late=True)})["zoe"]["late"] == "late, as the platform says"
    term.type("deadlines.csv", DEADLINE)
    row = term.run({"ada": grade(answer="", handed_in=0, late=True)})["ada"]
    assert row[TOTAL] == "" and "write into deadlines.csv when it was handed in" in row["late"]
    term.type("deadlines.csv", "ada,,0,")
    row = term.run({})["ada"]
    assert row[TOTAL] == "26" and row["late"] == "late, as the platform says"
    assert [*overview(term.book.results)][-1] == "  late: ada"  # and no answer waits
    term.type("deadlines.csv", "ada,,,2027-03-02 09:00")
    assert term.run({})["ada"]["late"].startswith("1 day after 2027-03-01 23:59: 0% off")
    row = term.run({"emmy_7_4711_a1": grade(answer="", handed_in=0)})["emmy_7"]
    assert row[TOTAL] == "26" and not row["late"]


def worksheet(time):
    """Return Moodle's grading worksheet for Ada, who handed in at this time."""
    titles = "Identifier,Full name,Last modified (submission)"
    return f'{titles}\nParticipant 7,Ada Lovelace,"{time}"\nParticipant 8,Zoë,-\n'


@pytest.mark.parametrize("time", ["Wednesday, 3 March 2027, 9:00 AM", "Wednesday, March 3, 2027, 09:00"])
def test_moodles_worksheet_says_the_time_but_not_of_two_notebooks(term, time):
    first, again = grade(answer="", handed_in=0), grade("d2", answer="", handed_in=0)
    term.run({"Ada Lovelace": first}, worksheet(time))
    term.type("deadlines.csv", DEADLINE)
    row = term.run({}, worksheet(time))["Ada Lovelace"]
    assert row["handed in"] == "2027-03-03 09:00" and row[TOTAL] == "20.8" and "(10% for each day" in row["late"]
    for _ in range(2):  # the worksheet is older than this notebook
        row = term.run({"Ada Lovelace": again}, worksheet(time))["Ada Lovelace"]
        assert row["handed in"] == row[TOTAL] == "" and "the list has the time of an earlier" in row["late"]
    assert "  Ada Lovelace: the list has the time of an earlier" in "\n".join(overview(term.book.results))
    row = term.run({}, worksheet("Thursday, 4 March 2027, 9:00 AM"))["Ada Lovelace"]
    assert row["handed in"] == "2027-03-04 09:00" and row[TOTAL] == "18.2"
    row = term.run({"Ada Lovelace": grade("d3")}, worksheet("Friday, 5 March 2027, 9:00 AM"))["Ada Lovelace"]
    assert row["handed in"] == "2027-03-01 20:00"  # its own time
    with pytest.raises(ValueError, match="list.csv, Ada Lovelace: write 'vorgestern' like 2027-03-01 23:59"):
        term.run({}, worksheet("vorgestern"))


# The whole class


def test_the_overview_says_who_needs_a_look(term):
    wrong = grade("d2", wrong=["check_project"])
    other = grade("d3", wrong=["check_project"], handed_in=LATE)
    idle = {name: grade(f"d of {name}", handed_in=0) for name in ("ida", "eva", "uma")}
    for idle_grade in idle.values():
        idle_grade.verdicts["check_project"] = (0, "not attempted yet")
    typo = "the cell of `project` stopped with SyntaxError: invalid syntax"
    idle["ida"].notes = [typo + "." * 300]
    term.run({"zoe": grade("d7")})
    term.type("deadlines.csv", DEADLINE)
    term.type("overrides.csv", "stranger,total,31,agreed")
    stranger = grade("", trouble="no notebook" * 99, handed_in=LATE)
    grades = idle | {"ada": grade(notes=[IN_PLACE]), "emmy": wrong, "zoe": other, "mia": wrong, "stranger": stranger}
    term.run(grades, "ada\nemmy\n\n zoe \nmia\nFay, A\nFay, B\nida\neva\numa")
    text = "\n".join(overview(term.book.results))
    for part in (
        f"  ida: no time is known: write into deadlines.csv when it was handed in; {typo}",
        "  zoe: another notebook was handed in before, for 26 points, more than this one",
        "  eva: no time is known: write into deadlines.csv when it was handed in",
        "  stranger: this name is not on the list of students, or fits several there: rename the file; total was",
        "  late: stranger; zoe",
        "  nothing from: Fay, A; Fay, B",
        "  8 answers in words wait for their points in words.csv",
    ):
        assert part in text.split("\n") or part in text, text
    assert "  ada: " not in text and "  Fay, A: " not in text and max(map(len, text.split("\n"))) < 300
