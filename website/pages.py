"""What changes a notebook's page: an extension of Sphinx, so that what a reader runs reads well where nothing runs."""

import functools
import html
import json
import os
import re
from pathlib import Path

PNG, PAGE, TEXT = "image/png", "text/html", "text/plain"
# The stored notebooks speak to a reader who can run them.
WORDS = {
    "Your guess first. Then run the cell, or open this.": "Your guess first. Then open this.",
    "Click the cell, and press `Shift` + `Enter`. Then choose other words from the menus.": (
        "Choose other words from the menus."
    ),
    " (JupyterLab opens another notebook at its top. Once it is open, come back and click the link again: now it leads "
    "to the section.)": "",
    "Look for a word of it with your browser's search,": "Type words of it into the field above,",
    "Run the cell and drag the slider": "Drag the slider",
    "Run the cell, and untick the parts.": "Untick the parts.",
    " when the picture is live)": ")",
    "Run the cell to move this picture.": "This picture moves where scripts may run.",
    "Run the cell to move this picture's controls:": "This one stands still: it is driven by Python, and moves in "
    "JupyterLab, or on Binder. It shows",
    "<b>not attempted yet</b>": "checked when you run it",
    # A notebook shows no formula as a figure without a network; a page does.
    "**softmax(Q Kᵀ / √d_k) V**": (
        '<math display="block"><mi>softmax</mi><mrow><mo>(</mo><mfrac><mrow><mi>Q</mi><msup><mi>K</mi><mi>T</mi></msup>'
        "</mrow><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac><mo>)</mo></mrow><mi>V</mi></math>"
    ),
}
# A symbol such as d_k, outside code and marks.
SYMBOLS = re.compile(r"<(pre|code|script|style)\b.*?</\1>|<[^>]*>|\b([A-Za-z])_{?([a-z]+[−+\d]*)}?(?!\w*_)", re.DOTALL)
# What a notebook says on one machine alone, which it does not store, and what `machine_texts.py` kept of it.
WITHHELD = re.compile(r"(<pre[^>]*>)?\([^()]*: run the cell\)\n?(</pre>)?")
MACHINE_TEXTS = json.loads((Path(__file__).with_name("machine_texts.json")).read_text(encoding="utf-8"))
FROM_ANOTHER_MACHINE = '<p class="once">From one run on another machine; yours gives something else:</p>'
# That a reader has not solved an exercise yet: no visitor has.
COURSES_OWN = re.compile(r"(<pre[^>]*>)?((\w+: the course's own, until|0 of \d+ pieces) [^<\n]+\n?)+(?(1)</pre>)")
IMAGE = re.compile(r'<img src="data:[^>]*width="([6-9]\d\d)">')  # a still picture too wide for a phone
CODE = re.compile(r'(?<=highlight-python notranslate"><div class="highlight"><pre>)<span></span>(?s:(.*?))(?=</pre>)')
CODE_WIDTH = 86  # letters of code in the width of the text
# Every notebook, in order, in the list beside each page.
CONTENTS = {
    "cell_type": "markdown",
    "id": "contents",
    "metadata": {},
    "source": "```{toctree}\n:hidden:\n:glob:\nself\n*\nhandbook/README\nhandbook/*\n```",
}

# A part of the course, or a notebook in it: a row of the README's table.
ROW = re.compile(r"^\| (?:\*\*(.+)\*\* \| \*\*|\[.+\]\(notebooks/(\w+)\.ipynb\))", re.MULTILINE)
ABOUT = (
    "Which “minute” is meant, a time or something tiny? A course in notebooks, from a sentence to cross-attention and "
    "on to a small model that writes, in which every number is computed in front of you."
)
SHORT = "A notebook of a course that teaches attention from scratch."


def setup(app):
    app.connect("builder-inited", keep_copies_inside, priority=900)
    app.connect("source-read", fit_notebook)
    app.connect("html-page-context", fill_page)


def fill_page(app, page, template, context, doctree):
    """Give each page the path of the course, and the cover its live picture."""
    path = course(app.srcdir)
    lessons = [lesson for _, part in path["parts"] for lesson in part]
    questions = {lesson["name"]: lesson["question"] for lesson in lessons}
    context |= {
        "about": f"{questions[page]} {SHORT}" if page in questions else ABOUT,
        "preview": f"{app.config.html_baseurl}_static/preview.png",
        "following": dict(zip(questions, lessons[1:])).get(page),
        "master_doc": "index",  # where the site's name leads
        "repository": os.environ.get("GITHUB_REPOSITORY"),
        **path,
    }
    for part in {"body", "toc"} & context.keys():
        context[part] = SYMBOLS.sub(as_subscript, context[part])
    if "body" in context:
        body = context["body"].replace('<th class="head"><p></p></th>', "<td></td>")  # the corner of a table
        body = IMAGE.sub(r'<div class="still" style="--own: \1px">\g<0></div>', body)
        body = CODE.sub(lambda code: re.sub(".*\n", hang_long_line, code[1]), body)
        context["body"] = re.sub(r"<pre\b.*?</pre>", let_prose_wrap, body, flags=re.DOTALL)


def let_prose_wrap(block):
    """Mark a block that is wider than any table of the course: it is prose, and its lines may go on below."""
    text = html.unescape(re.sub("<.*?>", "", block[0]))
    prose = max(map(len, text.splitlines()), default=0) > 100
    return block[0].replace("<pre", '<pre class="prose"', 1) if prose else block[0]


def hang_long_line(line):
    """Let a line of code that is too long go on below, four letters right of where it begins."""
    text = html.unescape(re.sub("<.*?>", "", line[0])).rstrip()
    kind, hang = "line wide" if len(text) > CODE_WIDTH else "line", len(text) - len(text.lstrip()) + 4
    return f'<span class="{kind}" style="--hang: {hang}ch">{line[0]}</span>'


@functools.cache  # for all pages
def course(folder):
    """Return the course's first live picture, its parts, [(part, its lessons)], and the pages of the handbook."""
    folder, parts = Path(folder), []
    for part, name in ROW.findall((Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")):
        if part:
            parts.append((part, []))
        else:
            parts[-1][1].append(lesson(folder / f"{name}.ipynb"))
    first = json.loads((folder / "00_start_here.ipynb").read_text(encoding="utf-8"))
    outputs = (output for cell in first["cells"] for output in cell.get("outputs", []))
    live = next(fit_output(output["data"], {}, ())[PAGE] for output in outputs if PAGE in output.get("data", {}))
    return {"live": live, "parts": parts, "pages": handbook(folder / "handbook")}


def handbook(folder):
    """Return the name and the title of the handbook's index, and of its pages in the order of the index."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    names = re.findall(r"\]\((\w+)\.ipynb#", text)
    pages = {"README": text} | {name: opening(folder / f"{name}.ipynb") for name in names}
    return [{"name": f"handbook/{name}", "title": re.match("# (.+)", page)[1]} for name, page in pages.items()]


def opening(path):
    return "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])


def lesson(path):
    """Return a notebook's number, title and question, from its first cell."""
    number, title, question = re.match(r"# (\d\d) · (.+)\n\n\*\*(.+?)\*\*", opening(path)).groups()
    return {"name": path.stem, "number": int(number), "title": title, "question": question}


def keep_copies_inside(app):
    """Let MyST-NB write its copies of the notebooks into the folder that is built, not beside it."""
    app.env.mystnb_config = app.env.mystnb_config.copy(output_folder=str(app.doctreedir))


def fit_notebook(app, name, source):
    """Fit a notebook, as it is read, to a page without a kernel; its file stays as it is."""
    if not source[0].startswith("{"):
        source[0] = fit_text(source[0])  # a page of text
        return
    notebook, texts = json.loads(source[0]), iter(MACHINE_TEXTS.get(name, []))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = fit_text("".join(cell["source"]))
            continue
        lines = "".join(cell["source"]).splitlines()
        if 2 * sum(line.startswith(("import ", "from ")) for line in lines) > len(lines):
            cell["metadata"] |= {
                "tags": ["hide-input"],
                "mystnb": {"code_prompt_show": "What the code of this page imports"},
            }
        for output in cell["outputs"][:]:
            if "text" in output:
                output["text"] = COURSES_OWN.sub("", "".join(output["text"]))
                if not output["text"]:
                    cell["outputs"].remove(output)
            if "data" in output:
                output["data"] = fit_output(output["data"], output["metadata"], texts)
    top = notebook["cells"][0]
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        there = f"https://mybinder.org/v2/gh/{repository}/HEAD?labpath=notebooks/{name}.ipynb"
        top["source"] += f"\n\n[Run this notebook on Binder]({there})"
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    if name[:2].isdigit() and first["outputs"]:
        first["metadata"] = {"tags": ["hide-input"]}  # a visitor has come for the picture
    if name.startswith("00"):
        notebook["cells"].append(CONTENTS)
    source[0] = json.dumps(notebook)


def fit_output(data, about, texts):
    """Return an output's data with its picture, if it has one, and its words as they are on a page.

    Nothing is left of an empty text, as a bar of progress leaves it. texts: gives in order what the notebook withholds.
    """
    if PNG in data:
        image, alt = "".join(data[PNG]).strip(), html.escape(about[PNG]["alt"])
        return {PAGE: f'<img src="data:image/png;base64,{image}" alt="{alt}" width="{about[PNG]["width"]}">'}
    if PAGE in data:
        page = WITHHELD.sub(lambda withheld: next_machine_text(texts), COURSES_OWN.sub("", "".join(data[PAGE])))
        return {PAGE: fit_text(page)}
    text = "".join(data[TEXT]).strip()
    if WITHHELD.fullmatch(text):
        return {PAGE: next_machine_text(texts)}
    return data if text else {}


def next_machine_text(texts):
    """Return the next text of what a notebook withholds, and whose it is. Raises LookupError if none is left."""
    for page in texts:
        return FROM_ANOTHER_MACHINE + page
    raise LookupError("a notebook withholds more than machine_texts.json has: run `python website/machine_texts.py`")


def as_subscript(symbol):
    """Return a symbol such as d_k or W_output with what follows the bar below the line."""
    return f"{symbol[2]}<sub>{symbol[3]}</sub>" if symbol[2] else symbol[0]


def fit_text(text):
    """Replace what only somebody can do who runs the notebooks, or knows their parts by name."""
    for here, there in WORDS.items():
        text = text.replace(here, there)
    text = re.sub(r"The thread takes (\d+ minutes)", r"\1 to read", text)
    text = re.sub(r", its exercises (\d+ more)", r", \1 for exercises", text)
    return re.sub("When the picture is live, (.)", lambda first: first[1].upper(), text)
