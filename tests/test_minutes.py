"""The minutes that a notebook states are honest, and the README and the map repeat them."""

import re

import pytest

from folding import LIVE, PREDICTION
from reading import COURSE, EXERCISE, NOTEBOOKS, filled_lines, parts, prose_cells, read

MINUTES = re.compile(
    r"^\*The thread takes (\d+) minutes(?:, its exercises (\d+))?(?:, \"Deeper\" (\d+))?\. You need: .+\*$",
    re.MULTILINE,
)
SECTION = re.compile(r"### .+ \((\d+) minutes?\)\n\n\*For .+\*\n")
LOOKED_UP = re.compile(r"<details>.*?</details>|^\|[^\n]*$", re.DOTALL | re.MULTILINE)  # hints, solutions, tables
NOT_WORDS = re.compile(r"```.*?```|(?<=\])\([^)]*\)", re.DOTALL)  # code, and what a link leads to
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def stated(path):
    """Return the minutes of thread, exercises and "Deeper" that a notebook states in its opening."""
    return [int(minutes) for minutes in MINUTES.search(read(path).cells[0].source).groups(default=0)]


def of_exercises(cells):
    return sum(int(found[1]) for cell in cells if (found := EXERCISE.match(cell.source)))


def to_read(cells):
    """How long cells take: 110 words or five lines of code a minute, one for a guess, two for a live picture."""
    total = 0
    for cell in cells:
        if cell.cell_type == "markdown":
            prose = LOOKED_UP.sub("", cell.source)
            total += len(re.findall(r"\w+", NOT_WORDS.sub("", prose))) / 110 + prose.count(PREDICTION)
        else:
            texts = [text for output in cell.outputs for text in output.get("data", {}).values()]
            total += filled_lines(cell) / 5 + 2 * any(map(LIVE.search, texts))
    return round(total, 6)


@each_notebook
def test_the_stated_minutes_are_honest_and_the_thread_takes_one_sitting(path):
    (thread, exercises, deeper), cells = stated(path), parts(read(path))
    assert abs(thread - to_read(cells["thread"])) <= 2, f"{to_read(cells['thread']):.0f} minutes"
    assert thread <= (10 if path is NOTEBOOKS[0] else 25 if path.name < "10" else 35)
    assert exercises == of_exercises(cells["exercises"])
    found = to_read(cells["deeper"]) + of_exercises(cells["deeper exercises"])
    assert abs(deeper - found) <= 3, f"{found:.0f} minutes"


@each_notebook
def test_what_is_deeper_says_for_whom_it_is_and_how_long_it_takes(path):
    cells = parts(read(path))
    headings = [cell.source for cell in cells["deeper"][1:] if cell.source.startswith("### ")]
    found = [SECTION.match(heading) for heading in headings]
    assert all(found), [heading[:80] for heading, match in zip(headings, found) if not match]
    assert stated(path)[2] == sum(int(match[1]) for match in found) + of_exercises(cells["deeper exercises"])


def test_the_readme_and_the_map_repeat_the_minutes():
    readme = (COURSE / "README.md").read_text(encoding="utf-8")
    course_map = "\n".join(cell.source for cell in prose_cells(read(NOTEBOOKS[0])))
    for path in NOTEBOOKS:
        minutes = [str(each) for each in stated(path)[:2] if each]
        end = f" | {' + '.join(minutes)} |"
        assert any(path.name in line and line.endswith(end) for line in readme.splitlines()), path.name
        row = rf"\({path.name}\) \| .+ \| {re.escape(' | '.join(minutes))} \|"
        assert path is NOTEBOOKS[0] or re.search(row, course_map), path.name
