"""Whose work it is, in the names that platforms give, and tables as sheets take them."""

import csv
import unicodedata

import pytest

from classroom import csv_tables
from classroom.grader.collecting import NOTHING, collect, name_as_listed
from classroom.names import read_label, read_roster, tidy
from classroom.texts import printable

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Attention 1 (87568490),Current Score\n"
    "    Points Possible,,,,,30.00,(read only)\n"
    '"Lovelace, Ada",11,S1,ada,XC 101,,90\n'
    '"Noether, Emmy",12,S2,emmy,XC 101,3.00,80\n'
    '"Student, Test",99,,,XC 101,,\n'
)
MOODLE = "First name,Last name,ID number,Email address\nAda,Lovelace,S1,Ada@x.org\nEmmy,Noether,S2,e@x.org\n"
WORKSHEET = "Identifier,Full name,Email address,Status,Grade\nParticipant 12,Ada Lovelace,a@x.org,Submitted,\n"
QUOTES = "'`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u02bc\u2032\uff07"
NBGRADER = "id,first_name,last_name,email\nbitdiddle,Ben,Bitdiddle,\nada,Ada,Lovelace,a@x.org\n"
NUMBERS = "ID", "SIS User ID", "SIS Login ID", "ID number", "Username", "Identifier", "Email address", "Email", "mail"
PLAIN = " Name ;group\nLovelace, Ada;1\n;\nZoë Ñandú;2;;\n"


def doubts_by_student(path, content, *handed_in, encoding="utf-8"):
    """Return {student: doubts} of a class with this list, in which somebody has handed in files of these names."""
    path.joinpath("list.TSV").write_bytes(content.encode(encoding))
    for name in handed_in:
        (path / "submitted" / name).parent.mkdir(parents=True, exist_ok=True)
        (path / "submitted" / name).write_text("{}", encoding="utf-8")
    roster = read_roster(path / "list.TSV")
    submissions = name_as_listed(collect(path / "submitted")[0], roster)
    return {submission.student: submission.doubts or submission.trouble for submission in submissions}


@pytest.mark.parametrize(
    "content, name, student",
    [
        (CANVAS, "noetheremmy_11_4711_a1.ipynb", "Lovelace, Ada"),
        (CANVAS, "lovelaceada_7_4711_a1.ipynb", "Lovelace, Ada"),
        (CANVAS, "studenttest_99_4711_a1.ipynb", None),  # of Canvas's own "Student, Test"
        (MOODLE, "Ada Lovelace_12_assignsubmission_file_/work.ipynb", "Ada Lovelace"),
        (MOODLE, "\uff21da Lovelace.ipynb", "Ada Lovelace"),  # a wide letter
        (f"{WORKSHEET}Participant 13,Emmy\n", "Emmy_12_assignsubmission_file_/work.ipynb", "Ada Lovelace"),
        (NBGRADER, "bitdiddle/a1_single_head/a1_single_head.ipynb", "Ben Bitdiddle"),
        (PLAIN, "Ada\N{NO-BREAK SPACE}Love\N{ZERO WIDTH SPACE}lace.ipynb", "Lovelace, Ada"),
        (PLAIN, unicodedata.normalize("NFD", "zoë ñandú.zip"), "Zoë Ñandú"),
        ("Zoe Muller-Weiss\nEmmy\n", "Zoë MÜLLER-WEIß_12_assignsubmission_file_/work.ipynb", "Zoe Muller-Weiss"),
        (f"Pat O{QUOTES}Brien\nEmmy\n", "Pat O'Brien.ipynb", f"Pat O{QUOTES}Brien"),
        ("José\nJose\n", "JOSÉ.ipynb", None),
        ("José\nJose\n", "José.IPYNB", "José"),
        ("Ada King Lovelace\n", "lovelaceadaking_7_4711_a1.ipynb", "Ada King Lovelace"),
        ('Student,ID\n"O\'Hara-Li, Al",\n"Noether, Emmy",\n', "oharalial_7_4711_a1.ipynb", "O'Hara-Li, Al"),
        ("zuse_19\nEmmy\n", "zuse_19_4711_a1.ipynb", "zuse_19"),  # who was left out, put on the list as named there
        ("Ada_7\n", "Ada_7_assignsubmission_file_/a.ipynb", "Ada_7"),
        ("Identifier,Status\nParticipant 12,\n", "Participant_12_assignsubmission_text_/a.ipynb", "Participant 12"),
        ("username,name,mail\nada,Ada,a@x.org\nbob,Ada,b@x.org\n", "B@x.org.ipynb", "Ada (bob)"),
        *((f"{title},of\nAda,1\n", "Ada.ipynb", "Ada") for title in ("students", "Student  name")),
        *((f"name,{title}\nAda,x\nAda,y\n", "Y.ipynb", "Ada (y)") for title in NUMBERS),
        ("firstname,surname\nAda,Lovelace\n", "Lovelace, Ada.ipynb", "Ada Lovelace"),
        ("first name,lastname\rAda,Lovelace\r", "lovelace ada.ipynb", "Ada Lovelace"),
    ],
)
def test_a_name_is_found_on_the_list_however_a_platform_writes_it(tmp_path, content, name, student):
    doubts = doubts_by_student(tmp_path, content, name)
    assert [name for name, trouble in doubts.items() if not trouble] == [student] * bool(student)


@pytest.mark.parametrize("encoding, mark", [("utf-8-sig", ""), ("cp1252", ""), ("utf-16", ""), ("utf-16-be", "\ufeff")])
def test_a_list_may_be_in_any_encoding_that_sheets_write(tmp_path, encoding, mark):
    content = mark + PLAIN.replace(";", "\t")
    assert not doubts_by_student(tmp_path, content, "Zoë Ñandú.ipynb", encoding=encoding)["Zoë Ñandú"]


@pytest.mark.parametrize(
    "content, problem",
    [
        (b"Vorname;Matrikel\nAda;7\n", "no column holds names.*in English"),
        (b"name,group\n,1\n", "no column holds names"),
        (b"Identifier,Full name,Email address\n", "list.csv has a header, and no student below it"),
        (b"name;id\nAda;7;8\n", "line 2 has 3 cells.* has 2; put a cell that holds ';'"),
        (b'name,mail\n"Ada\n', "cannot be read as a table.*Data, From Text/CSV"),
        (b"name,id\nAda,7\nAda,7\n", "twice"),
        (b"name,id\nAda,\0\n", "list.csv is not text; save it as CSV in UTF-8"),
    ],
)
def test_a_list_that_is_not_understood_is_refused_by_its_name(tmp_path, content, problem):
    (tmp_path / "list.csv").write_bytes(content)
    with pytest.raises(ValueError, match=problem) as caught:
        read_roster(tmp_path / "list.csv")
    assert "list.csv" in str(caught.value)


UNKNOWN = "not on the list of students, or fits several there: rename the file"
TWICE = "the list has Grace Hopper once, and {} fits that, too"


@pytest.mark.parametrize(
    "content, handed_in, expected",
    [
        ("name\nAda\nada\n", ["Ada", "ada", "ADA"], {"Ada": "", "ada": "", "ADA": UNKNOWN}),
        (CANVAS, ["lovelaceada_11_4711_a1"], {"Lovelace, Ada": "", "Noether, Emmy": NOTHING}),  # no rows of others
        (
            "name\nGrace Hopper\n",
            ["grace hopper", "Grace Hopper_1_assignsubmission_file_x"],
            {"grace hopper": TWICE.format("Grace Hopper_1"), "Grace Hopper_1": TWICE.format("grace hopper")},
        ),
        # Two of one name are told apart by number, and no address is in titles and names of files.
        ("name,id,email\nAda,7.00,a@x.org\nAda,8.0,b@x.org\n", ["ada_8_4711_a1"], {"Ada (7)": NOTHING, "Ada (8)": ""}),
        ("Ada\nZoë\n", ["Ada", "stranger"], {"Ada": "", "Zoë": NOTHING, "stranger": UNKNOWN}),
    ],
)
def test_who_is_missing_unknown_or_there_twice_is_said(tmp_path, content, handed_in, expected):
    doubts = doubts_by_student(tmp_path, content, *(f"{name}.ipynb" for name in handed_in))
    assert doubts.keys() == expected.keys()
    for student, doubt in expected.items():
        assert doubt in "".join(doubts[student]) and bool(doubt) == bool(doubts[student])


@pytest.mark.parametrize("name", ["\u200b", " ", "a\x1b\ud800"])
def test_whatever_a_file_is_called_its_student_has_a_name_that_finds_nobody_else(name):
    source = read_label(f"{name}.ipynb").source
    assert source and tidy(source) == source == read_label(source, is_folder=True).source


@pytest.mark.parametrize("text", [*"\0\x08\x0b\x1f\x7f\x9f\ud800\udfff\u202a\u202e\u2066\u2069", "\x1b[2J"])
def test_what_cannot_be_shown_or_shows_other_letters_elsewhere_is_replaced(text):
    assert printable(f"\r\n\ta{text}b").startswith("\n\ta\ufffd")
    assert read_label(f"a{text}b.ipynb").name.startswith("a\ufffd")


@pytest.mark.parametrize(
    "entry", [*"=+-@\uff1d\uff0b\uff0d\uff20", "\tx", "\r=1", " =1", "a;=1", 'a;"=1"', "a\t+1", "a\n=1;@b"]
)
@pytest.mark.parametrize("before", ["", "a,b"])
def test_no_sheet_calculates_with_words_wherever_it_splits(entry, before):
    line = csv_tables.format_row([before, entry])
    for separator in ",;\t":
        for cell in next(csv.reader([line.rstrip("\r\n")], delimiter=separator)):
            assert not cell.lstrip(' "').startswith((*"=+-@\t\uff1d\uff0b\uff0d\uff20",)), (separator, cell)


def test_a_table_that_is_read_and_written_again_stays_as_it_is(tmp_path):
    written = csv_tables.format_table([["name", "points"], ["=1;-2\t+3", "\t3"]])
    (tmp_path / "words.csv").write_bytes(written.encode("utf-8"))
    assert written.startswith("\ufeffname")  # or Excel takes it for Windows' Latin-1
    table = csv_tables.read_table(tmp_path / "words.csv")
    assert [*table.records()[0][1].values()] == ["=1;-2\t+3", "3"]
    assert csv_tables.format_table(cells for _, cells in table.rows) == written
