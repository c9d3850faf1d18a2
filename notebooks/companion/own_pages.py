"""Pages of what is the reader's own: in a notebook, which does not store them, and beside the reader's file."""

import base64
import html
import io
from contextlib import contextmanager, redirect_stdout

import ipywidgets
from IPython.display import display

from companion import mine
from companion.pictures.table import Page, html_sheet
from companion.worlds.stories.world import written

ELSEWHERE = "(your own model, which differs from machine to machine: run the cell)"
KEPT = """<!doctype html><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 16px/1.5 serif; max-width: 46em; margin: 2em auto; padding: 0 1em }} pre {{ white-space: pre-wrap }}
</style><h1>{title}</h1>
{about}<h2>{heading}</h2><pre>{text}</pre><h2>My code</h2><pre>{code}</pre>
"""
EQUAL = """<p>The published weights of SmolLM2, and the code below.
On {} of 10 texts the logits are those of the library transformers.</p>
"""


@contextmanager
def on_page(elsewhere=ELSEWHERE):
    """Show what is printed inside `with on_page():` on a page that a stored notebook does not keep.

    elsewhere: what a stored notebook says instead.
    """
    with redirect_stdout(io.StringIO()) as printed:
        yield
    _show(f'<pre style="white-space:pre-wrap">{html.escape(printed.getvalue())}</pre>', elsewhere)


def show_on_page(picture):
    """Show a `Picture` and its caption, or a `Page`, on such a page."""
    if isinstance(picture, Page):
        content = html_sheet(picture.content, picture.title)
    else:
        [(data, about), *_] = picture.parts()
        image, look = base64.b64encode(data["image/png"]).decode(), about["image/png"]
        wide, alt = look["width"], html.escape(look["alt"])
        image_tag = f'<img width="{wide}" style="max-width:100%" src="data:image/png;base64,{image}" alt="{alt}">'
        content = f"{image_tag}<p>{html.escape(picture.caption or '', quote=False)}</p>"
    _show(content, ELSEWHERE)


def _show(content, elsewhere):
    widget = ipywidgets.HTML(content)
    display({**widget._repr_mimebundle_(), "text/plain": elsewhere}, raw=True)


def write_keepsake(stories):
    """Say what the reader's file has, and write it with stories of the reader's model into a page beside it."""
    mine.report()
    parts = "What I built: attention, from scratch", "", "Stories by my model", "\n\n".join(map(written, stories))
    if _write_page("what_i_built.html", *parts):
        print(f"what_i_built.html has it, and {len(stories)} stories of your model")


def write_certificate(equal, texts):
    """Say what the reader has built, and write it on a page beside the reader's file, if there is one.

    equal: on how many of the ten texts the logits agree; texts: by the model.
    """
    mine.report()
    print(f"{equal} of 10 texts: the logits of the library transformers")
    parts = "A language model on my own code", EQUAL.format(equal), "What it wrote", "\n".join(texts)
    if _write_page("my_language_model.html", *parts):
        print("my_language_model.html has it, with your code and what it wrote")


def _write_page(name, title, about, heading, text):
    """Write a text and the reader's file into a page beside that file, and return whether there is one; about: HTML."""
    if not (file := mine.where()) or not file.exists():
        return False
    told = {"text": html.escape(text), "code": html.escape(file.read_text(encoding="utf-8"))}
    file.with_name(name).write_bytes(KEPT.format(title=title, about=about, heading=heading, **told).encode())
    return True
