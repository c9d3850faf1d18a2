"""Every live picture and every chart of bars is readable on a dark page, too, with its script and without it."""

import math
import re

import pytest
import torch
from lab import faults
from live_pictures import made
from playwright.sync_api import expect

from companion.pictures.live.explore import explore
from companion.pictures.live.notebook_10_linked_heads import linked_heads

# A page that would color what does not color itself. On a gradient, axe would not judge the contrast of words.
DARK = "body { background: #111; color: white } td, th { color: white } * { background-image: none !important }"

# Beside a number that is spoken already, without a name, or without its value in words.
UNSAID = "output:not([aria-hidden]), fieldset:not(:has(> legend)), [type=range]:not([aria-valuetext])"
UNSAID += ", [role=slider]:not([aria-valuetext])"


def shares(size):
    return explore(lambda x: {f"q{place}": place / size for place in range(size)}, x=(0, 1, 1, 0))


@pytest.mark.parametrize("stripped", [False, True])
def test_every_picture_is_readable_and_accessible(stripped, on_page, names):
    pictures = [made(name) for name in names] + [shares(8)]
    page = on_page(*pictures, style=DARK, stripped=stripped, color_scheme="dark")
    assert faults(page, ".attention-live, .attention-sheet, .attn-hint") == [] and page.locator(UNSAID).count() == 0
    boxes = page.locator(":is(attn-turn-query, attn-linked-heads) .attn-scroll")  # where all fits, no key stops
    assert boxes.evaluate_all("all => all.map(box => box.tabIndex)") == [-1, -1] * (not stripped)


BARS = [  # the bars of a picture, the side that counts, and the numbers that they show
    ("turn-query", ".attn-bar > div", "width", "tr:not([aria-hidden]) td:last-child"),
    ("softmax-machine", "tbody .attn-exp .attn-bar", "width", "tbody .attn-exp .attn-figure"),
    ("softmax-machine", "tbody .attn-share .attn-bar", "width", "tbody .attn-share .attn-figure"),
    ("softmax-machine", "tfoot .attn-bar", "width", "tbody .attn-share .attn-figure"),
    ("letter-bars", ".attn-columns i", "height", ".attn-columns small"),
    ("parting", ".attn-part", "height", ".attn-bar span"),
    ("one-query", ".attn-part", "height", "td > div:last-child"),
    ("mixture", ".attn-part", "length", "tbody td:last-child"),
    ("two-sentences", ".attn-arcs g", "strokeWidth", ".attn-words small"),
]
SIZES = """(bars, side) => bars.map(bar => {
  const [own, room] = [bar, bar.parentElement].map(each => each.getBoundingClientRect());
  const size = own[side] ?? (parseFloat(bar.style[side]) || bar.getTotalLength());
  return [size, room[side], own.x + own.width / 2 - room.x - room.width / 2];
})"""


@pytest.mark.parametrize("name, bars, side, numbers", BARS)
def test_a_bar_is_as_long_as_its_number(name, bars, side, numbers, on_page):
    page = on_page(made(name), reduced_motion="reduce")
    texts = [text.replace("−", "-") for text in page.locator(numbers).all_text_contents()]
    written = [[*map(float, re.findall(r"-?[\d.]+", text))] for text in texts]  # one number, or a vector
    sizes = page.locator(bars).evaluate_all(SIZES, side)
    pairs = [(*size, math.hypot(*own) if own[1:] else own[0]) for size, own in zip(sizes, written) if own]
    longest = max(pairs, key=lambda pair: abs(pair[-1]))
    unit = longest[0] / abs(longest[-1])
    assert len(pairs) > 1 and all(abs(size - abs(number) * unit) < 1 + unit / 100 for size, _, _, number in pairs)
    if name == "turn-query":  # from the middle, to the left below zero
        assert all(abs(2 * off - number * unit) < 2 + unit / 50 for _, _, off, number in pairs)
    if name == "one-query" or "share" in numbers:  # a whole fills its place
        assert abs(unit - longest[1]) < 0.02 * unit


AREAS = """marks => marks.map(mark => {
  const {x, y, width, height} = mark.getBoundingClientRect();
  const middle = new DOMPoint(x + width / 2, y + height / 2);
  return [...document.querySelectorAll(".attn-area")].findIndex(area =>
    area.isPointInFill(middle.matrixTransform(area.getScreenCTM().inverse())));
})"""


def test_a_mark_lies_in_the_area_of_its_answer(on_page):
    page = on_page(made("two-sentences"), reduced_motion="reduce")
    assert page.locator(".attn-chosen").evaluate_all(AREAS) == [0, 1]  # a time, tiny


def test_a_large_picture_scrolls_by_keyboard_too_and_fades_where_more_follows(on_page):
    tokens = [f"a token {place}" for place in range(40)]
    page = on_page(linked_heads(torch.eye(40)[None], tokens), viewport={"width": 390, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".attention-live").evaluate("paper => paper.scrollWidth <= paper.clientWidth")
    table = page.locator(".attn-scroll").first
    assert table.evaluate("box => box.tabIndex") == 0 and faults(page, ".attention-live") == []
    for left, mask in ((0, "linear-gradient"), (99999, "none"), (0, "linear-gradient")):
        table.evaluate("(box, left) => { box.scrollLeft = left; }", left)
        expect(table).to_have_css("mask-image", re.compile(f"^{mask}"))
    page = on_page(linked_heads(torch.eye(40)[None], [f"t{place}" for place in range(40)]))
    tall = "box.scrollHeight > box.clientHeight && box.scrollWidth <= box.clientWidth"
    assert page.locator(".attn-scroll").first.evaluate(f"box => {tall} && box.tabIndex") == 0


def test_the_paper_is_as_wide_as_its_picture_whatever_the_sentence(on_page):
    page = on_page(made("softmax-machine"), shares(2))
    widths = [paper.bounding_box()["width"] for paper in page.locator(".attention-live, .attention-sheet").all()]
    assert max(widths) < 700
    page.locator(".attn-sentence").evaluate("sentence => { sentence.textContent = 'long '.repeat(200); }")
    assert page.locator(".attention-live").bounding_box()["width"] == widths[0]


@pytest.mark.parametrize("place", ["root", "document.body"])
def test_a_script_that_runs_again_changes_nothing(place, on_page):
    page = on_page(made("linked-heads"))
    root = page.locator(".attention-live")
    before = root.inner_html()
    root.evaluate(f"""root => {{
      const again = document.createElement("script");
      again.text = root.querySelector("script").text;
      {place}.append(again);
      again.remove();
    }}""")
    page.watch.check()
    assert root.inner_html() == before
    page.locator("tbody button").first.press("ArrowDown")
    root.evaluate("root => document.body.append(root)")  # moved, it goes on
    assert page.locator("tr.attn-followed button").all_text_contents() == ["is"]
