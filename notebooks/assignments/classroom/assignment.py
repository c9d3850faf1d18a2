"""What the grader takes from the source notebook of an assignment."""

import re
from dataclasses import dataclass, field

from classroom import hand_out
from classroom.checks.graded import DEFINED
from classroom.grader.submissions import words_in

HEADING = re.compile(r"#+ +([^·\n]+)")  # a part's title, without its minutes
NOTEBOOK = re.compile(r"notebooks? \d\d(?: and \d\d)?", re.IGNORECASE)


@dataclass(frozen=True)
class Check:
    """One test cell of an assignment.

    judge: the function, as a notebook calls it; about: what it shows, in words; part: the title above it;
    reread: "notebook 04" or "".
    """

    name: str
    points: float
    judge: object
    about: str
    part: str
    reread: str


@dataclass(frozen=True)
class Question:
    """What a teacher marks by hand. answer: a good one, and what earns points."""

    points: float
    text: str
    answer: str


@dataclass
class Assignment:
    """What the grader takes from a source notebook.

    setup: [(name, source)] of its set-up cells; by_hand: {grade_id: Question}; texts: all other texts, and the
    sentences in its code; functions: the names that students define; remarks: a function of the sources of a student's
    code cells, or None; most, most_by_hand: the points that there are for checks, and for answers in words.
    """

    name: str
    class_seed: int | None
    remarks: object
    setup: list = field(default_factory=list)
    checks: list = field(default_factory=list)
    by_hand: dict = field(default_factory=dict)
    texts: set = field(default_factory=set)
    functions: set = field(default_factory=set)

    @property
    def most(self):
        return sum(check.points for check in self.checks)

    @property
    def most_by_hand(self):
        return sum(question.points for question in self.by_hand.values())


def load(name, class_seed=None):
    """Read an assignment: its set-up cells, checks and points, from the source notebook."""
    module, part = hand_out.checks(name), ("", "")
    found = Assignment(name, class_seed, getattr(module, "remarks", None))
    for cell in hand_out.source(name, class_seed).cells:
        role = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code":
            found.texts.update(words_in(cell.source))
        if cell.cell_type == "markdown" and role:
            text, _, answer = cell.source.partition("### BEGIN SOLUTION")
            answer = answer.partition("### END SOLUTION")[0]
            found.by_hand[role["grade_id"]] = Question(role["points"], text.strip(), answer.strip())
        elif cell.cell_type == "markdown":
            found.texts.add(cell.source)
            if title := HEADING.match(cell.source):
                notebook = NOTEBOOK.search(cell.source)
                part = title[1].strip(), notebook[0].lower() if notebook else ""
        elif role.get("grade"):
            judge = getattr(module, role["grade_id"])
            found.checks.append(Check(role["grade_id"], role["points"], judge, judge.__doc__, *part))
        elif role.get("locked"):
            found.setup.append((f"the set-up cell {role['grade_id']}", cell.source))
        elif role.get("solution"):
            found.functions |= set(DEFINED.findall(cell.source))
    return found
