"""The reader's own pieces for the models of notebooks 18 and 19, with the course's where one is missing."""

import base64
import html
import io
from contextlib import contextmanager, redirect_stdout
from types import SimpleNamespace

import ipywidgets
from IPython.display import display

from companion import mine, timing
from companion.checks import (
    notebook_01,
    notebook_05,
    notebook_06,
    notebook_08,
    notebook_09,
    notebook_11,
    notebook_12,
    notebook_16,
    notebook_18,
)
from companion.checks.exercise import yours_or
from companion.course_answers import head_removed
from companion.pictures.table import Page, html_sheet
from companion.worlds.stories.world import written
from utils import attention as course
from utils.positions import rotate
from utils.transformer import EncoderBlock

PIECES = {  # {check of an exercise: the course's own}, as the notebooks come
    notebook_01.check_encode: notebook_01.encoded,
    notebook_05.check_softmax: notebook_05.row_softmax,
    notebook_06.check_my_attention: course.attention,
    notebook_08.check_causal_mask: course.causal_mask,
    notebook_09.check_split_heads: course.split_heads,
    notebook_09.check_merge_heads: course.merge_heads,
    notebook_09.check_without_head: head_removed,
    notebook_11.check_turn: rotate,
    notebook_12.check_pre_norm_block: EncoderBlock,
    notebook_16.check_read_on: notebook_16.read_next,
}
LANGUAGE = {  # for the language model of notebook 19
    notebook_01.check_encode: notebook_01.encoded,
    notebook_01.check_apply_merges: notebook_01.merges_applied,
    notebook_06.check_my_attention: course.attention,
    notebook_09.check_split_heads: course.split_heads,
    notebook_09.check_merge_heads: course.merge_heads,
    notebook_11.check_turn: rotate,
    notebook_12.check_pre_norm_block: EncoderBlock,
    notebook_18.check_next_logits: notebook_18.logits_of_next,
    notebook_18.check_next_shares: notebook_18.shares_of_next,
}
KEEPSAKE = """<!doctype html><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 16px/1.5 serif; max-width: 46em; margin: 2em auto; padding: 0 1em }} pre {{ white-space: pre-wrap }}
</style><h1>{title}</h1>
{about}<h2>{heading}</h2><pre>{text}</pre><h2>My code</h2><pre>{code}</pre>
"""
ELSEWHERE = "(your own model, which differs from machine to machine: run the cell)"


@contextmanager
def page(elsewhere=ELSEWHERE):
    """Show what is printed inside `with page():` in a page that a stored notebook does not keep.

    elsewhere: what a stored notebook says instead.
    """
    with redirect_stdout(io.StringIO()) as printed:
        yield
    timing.page(printed.getvalue(), elsewhere)


def page_of(picture):
    """Show a `Picture` and its caption, or a `Page`, in such a page."""
    if isinstance(picture, Page):
        content = html_sheet(picture.content, picture.title)
    else:
        [(data, about), *_] = picture.parts()
        image, look = base64.b64encode(data["image/png"]).decode(), about["image/png"]
        wide, alt = look["width"], html.escape(look["alt"])
        image_tag = f'<img width="{wide}" style="max-width:100%" src="data:image/png;base64,{image}" alt="{alt}">'
        content = f"{image_tag}<p>{html.escape(picture.caption or '', quote=False)}</p>"
    widget = ipywidgets.HTML(content)
    display({**widget._repr_mimebundle_(), "text/plain": ELSEWHERE}, raw=True)


def gather(wanted=PIECES):
    """Return the pieces under their names, and say of each whose it is, and how many are the reader's own."""
    pieces = {check.name: yours_or(ours, check) for check, ours in wanted.items()}
    own = sum(piece is not ours for piece, ours in zip(pieces.values(), wanted.values()))
    print(f"{own} of {len(pieces)} pieces are your own")
    return SimpleNamespace(**pieces)


def keepsake(stories):
    """Say what the reader's file has, and write it with stories of the reader's model into a page beside it."""
    mine.report()
    parts = "What I built: attention, from scratch", "", "Stories by my model", "\n\n".join(map(written, stories))
    if keep_page("what_i_built.html", *parts):
        print(f"what_i_built.html has it, and {len(stories)} stories of your model")


def keep_page(name, title, about, heading, text):
    """Write a text and the reader's file into a page beside that file, and return whether there is one; about: HTML."""
    if not (file := mine.where()) or not file.exists():
        return False
    told = {"text": html.escape(text), "code": html.escape(file.read_text(encoding="utf-8"))}
    file.with_name(name).write_bytes(KEEPSAKE.format(title=title, about=about, heading=heading, **told).encode())
    return True
