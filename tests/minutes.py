"""What the course states of its notebooks, computed from them: minutes, and how far the reader's `mine.py` has come.

python tests/minutes.py    write it into each notebook's opening and recap, the map in 00 and the README
"""

import itertools
import json
import re

from folding import PREDICTION
from reading import COURSE, EXERCISE, NOT_WORDS, NOTEBOOKS, code_cells, defined, filled_lines, is_stub, parts, read

README, PLUS = COURSE / "README.md", "\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}"
OPENING = re.compile(r"\*The thread takes \d+ minutes(?:, its exercises \d+(?: more)?)?\.")
PIECES = re.compile(r"\*\*Your `mine\.py` so far:\*\*[^\n\"\\]*(?=\\n)")  # in the text of a file
LOOKED_UP = re.compile(
    r"<details>.*?</details>|^(?:\||\*\*Your `mine|In the handbook)[^\n]*$", re.DOTALL | re.MULTILINE
)  # hints, tables


def thread_minutes(notebook):
    """Return the minutes of a thread, rounded to 5: fitted to what readers needed for 01 to 11.

    100 words or five lines of code take a minute, a prediction half of one, and an output a third.
    """
    total, cells = 0, parts(notebook)
    for cell in cells["thread"] + cells["recap"]:
        if cell.cell_type == "markdown":
            prose = NOT_WORDS.sub("", LOOKED_UP.sub("", cell.source))
            total += len(prose.split()) / 100 + prose.count(PREDICTION) / 2
        else:
            total += filled_lines(cell) / 5 + bool(cell.outputs) / 3
    return 5 * round(total / 5)


def exercise_minutes(notebook):
    return sum(int(match[1]) for cell in parts(notebook)["exercises"] if (match := EXERCISE.match(cell.source)))


def minutes_of(path):
    """Return the minutes of a notebook's thread, and of its exercises if it has some."""
    notebook = read(path)
    return [minutes for minutes in (thread_minutes(notebook), exercise_minutes(notebook)) if minutes]


def rewritten():
    """Return {path: its text with the minutes as they are now} of all files that tell them."""
    all_minutes = {path: minutes_of(path) for path in NOTEBOOKS}
    texts, pieces = {}, _pieces()
    for path, (thread, *exercises) in all_minutes.items():
        more = "".join(f", its exercises {minutes} more" for minutes in exercises)
        opening = f"*The thread takes {thread} minutes{more}"
        texts[path] = OPENING.sub(f"{opening}.", path.read_text(encoding="utf-8"))
        texts[path] = PIECES.sub(json.dumps(pieces[path], ensure_ascii=False)[1:-1], texts[path])
    texts[NOTEBOOKS[0]] = _in_map(texts[NOTEBOOKS[0]], all_minutes)
    return texts | {README: _in_readme(README.read_text(encoding="utf-8"), all_minutes)}


def _pieces():
    """Return for each notebook the sentence of its recap on the pieces that the reader has by then."""
    new = {path: [defined(cell.source) for cell in code_cells(read(path)) if is_stub(cell)] for path in NOTEBOOKS}
    total, so_far, sentences = sum(map(len, new.values())), 0, {}
    for path, names in new.items():
        so_far += len(names)
        here = ", ".join(f"`{name}`" for name in names)
        sentences[path] = f"**Your `mine.py` so far:** {so_far} of {total} pieces, from this notebook {here}."
    return sentences


def _in_map(text, all_minutes):
    for path, (thread, *exercises) in all_minutes.items():
        row = rf"(\| \[\d\d [^|]+\({path.name}\) \| [^|]+ \|) \d+ \| \d* \|"
        text = re.sub(row, rf"\1 {thread} | {''.join(map(str, exercises))} |", text)
    return text


def _in_readme(text, all_minutes):
    """Write each notebook's row, above each part its sums, and the hours of all."""
    rows = {path.name: minutes for path, minutes in all_minutes.items()}
    lines, part = text.splitlines(), []
    for number, line in reversed(list(enumerate(lines))):
        if (match := re.match(r"\| \[.+\(notebooks/(.+?)\).* \|", line)) and match[1] in rows:
            part.append(rows[match[1]])
            lines[number] = f"{match[0].rpartition(' | ')[0]} | {PLUS.join(map(str, rows[match[1]]))} |"
        elif re.match(r"\| \*\*.+\*\* \| \*\*", line) and part:
            sums = [sum(column) for column in itertools.zip_longest(*part, fillvalue=0)]
            lines[number] = f"{line.rpartition(' | ')[0]} | **{PLUS.join(map(str, sums))}** |"
            part = []
    hours = round(sum(map(sum, rows.values())) / 60)
    return re.sub(r"^About \d+ hours", f"About {hours} hours", "\n".join(lines) + "\n", flags=re.MULTILINE)


if __name__ == "__main__":
    for path, text in rewritten().items():
        path.write_text(text, encoding="utf-8", newline="\n")
