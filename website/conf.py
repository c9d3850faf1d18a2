"""How Sphinx turns the notebooks into pages: nothing is run, and nothing is asked of a network."""

import html
import json
from operator import methodcaller

PNG, PAGE = "image/png", "text/html"
# The stored notebooks speak to a reader who can run them.
WORDS = {
    "Your guess first. Then run the cell, or open this.": "Your guess first. Then open this.",
    "Run the cell to make this picture react.": "This picture reacts where scripts may run.",
    "Run the cell to move this picture's controls.": "This picture is driven by Python: its controls move in "
    "JupyterLab, or on Binder.",
}
# Every notebook, in order, in the list beside each page.
CONTENTS = {
    "cell_type": "markdown",
    "id": "contents",
    "metadata": {},
    "source": "```{toctree}\n:hidden:\n:glob:\nself\n*\n```",
}

project = html_title = "Attention from scratch"
root_doc = "00_start_here"
exclude_patterns = ["assignments"]
extensions = ["myst_nb"]
nb_execution_mode = "off"
myst_heading_anchors = 3
myst_heading_slug_func = methodcaller("replace", " ", "-")  # as JupyterLab: its links to headings lead there here, too
myst_heading_anchors_html_ids = False  # a heading's quotation mark would end the attribute
html_theme = "furo"
html_copy_source = html_use_index = html_show_copyright = False
pygments_dark_style = "a11y-high-contrast-dark"
html_show_search_summary = False  # it would be fetched, which a page opened from a file may not do
html_static_path = ["custom.css"]
html_css_files = ["custom.css"]


def setup(app):
    app.connect("builder-inited", keep_copies_inside, priority=900)
    app.connect("source-read", amend)


def keep_copies_inside(app):
    """Let MyST-NB write its copies of the notebooks into the folder that is built, not beside it."""
    app.env.mystnb_config = app.env.mystnb_config.copy(output_folder=str(app.doctreedir))


def amend(app, name, source):
    """Fit a notebook, as it is read, to a page without a kernel; its file stays as it is."""
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "data" in output:
                output["data"] = shown(output["data"], output["metadata"])
    if name == root_doc:
        notebook["cells"].append(CONTENTS)
    source[0] = json.dumps(notebook)


def shown(data, about):
    """Return an output's data with its picture, if it has one, and its words as they are on a page."""
    if PNG in data:
        image, alt = "".join(data[PNG]).strip(), html.escape(about[PNG]["alt"])
        return {PAGE: f'<img src="data:image/png;base64,{image}" alt="{alt}" width="{about[PNG]["width"]}">'}
    if PAGE in data:
        page = "".join(data[PAGE])
        for here, there in WORDS.items():
            page = page.replace(here, there)
        return {PAGE: page}
    return data
