import functools
import html
import io
import re
from itertools import combinations

import ipywidgets
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text
from PIL import Image

from companion.pictures import arcs, charts, heatmap, notebook_16_race, notebook_16_tiles, spread
from companion.pictures import notebook_03_lines as lines
from companion.pictures import notebook_12_lanes as lanes
from companion.pictures.palette import FAINT, MUTED, PAPER, ROLES
from store import WIDGET_VIEW

TOKENS = ["Life", "is", "short", "eat", "dessert", "<b>first</b>"]
WEIGHTS = [[(7 * i + 3 * j) % 6 / 15 for j in range(6)] for i in range(6)]
CAUSAL = [[j <= i for j in range(6)] for i in range(6)]
TOGETHER = {"a": [0, 5], "b": [0, 5.01], "c": [0, 1]}
READS = {"one": {10: [0.1, 0, 0, 0, 0, 0.9, 0, 0, 0, 0, 0]}, "other": {5: [0.1, 0, 0, 0, 0.9, 0, 0, 0, 0, 0, 0]}}
NEIGHBORS = {"one": {4: READS["one"][10]}, "other": {8: [0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0.9, 0]}}
PARTS = {"attention": "reads across the lanes", "feed-forward": "each lane by itself"}
DRAWN = {
    "weights": lambda: heatmap.heatmap(WEIGHTS, TOKENS, mask=CAUSAL, focus=2),
    "scores": lambda: heatmap.heatmap([[9.5, -3.0]], ["is"], ["Life", "short"], signed=True),
    "lines": lambda: lines.lines(WEIGHTS, TOKENS, TOKENS, focus=5),
    "curves": lambda: charts.curves([1, 2, 4], {"scaled": [1, 0.5, 0.2]}, ["query"], "head size", "entropy"),
    "curves that end together": lambda: charts.curves([0, 9], TOGETHER, ["input"] * 3, "x", "y"),
    "arcs": lambda: arcs.arcs(list("afgeihafgei"), READS),
    "arcs of neighbors": lambda: arcs.arcs(list("afgeihafgei"), NEIGHBORS),
    "block": lambda: lanes.block(PARTS, TOKENS[:3], norm_first=(True, False)),
}

every_picture = pytest.mark.parametrize("name", DRAWN)


@functools.cache
def drawn(name):
    """Return a picture and its image, drawn among settings of somebody else's."""
    with mpl.rc_context({"font.family": "serif", "text.color": "red"}):
        before, inputs = {**mpl.rcParams, "backend": plt.get_backend()}, repr((TOKENS, WEIGHTS, CAUSAL))
        picture = DRAWN[name]()
        found = picture, picture.png()
        assert dict(mpl.rcParams) == before and repr((TOKENS, WEIGHTS, CAUSAL)) == inputs
    return found


@every_picture
def test_an_image_is_opaque_small_sharp_on_dense_screens_and_keeps_every_ink(name):
    picture, stored = drawn(name)
    image = Image.open(io.BytesIO(stored))
    assert image.mode == "P" and "transparency" not in image.info and len(stored) < 70_000
    assert image.size == pytest.approx(200 * picture.figure.get_size_inches(), abs=1)
    (width, height), image = image.size, image.convert("RGB")
    corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    assert {image.getpixel(corner) for corner in corners} == {(255, 255, 255)}
    inks = {to_hex(text.get_color()) for text in picture.figure.findobj(Text) if text.get_text().strip()}
    assert inks - {"#000000"} <= {to_hex(np.divide(color, 255)) for _, color in image.getcolors()}


def test_every_cell_of_a_map_has_exactly_its_color():
    picture = heatmap.heatmap([[(10 * row + step) / 99 for step in range(10)] for row in range(10)], range(10))
    faces = {to_hex(patch.get_facecolor()) for patch in picture.figure.axes[0].patches}
    colors = Image.open(io.BytesIO(picture.png())).convert("RGB").getcolors()
    assert len(faces) == 100 and faces <= {to_hex(np.divide(color, 255)) for _, color in colors}


@every_picture
def test_drawing_takes_the_courses_fonts_and_changes_no_setting_figure_or_input(name):
    texts = drawn(name)[0].figure.findobj(Text)
    families = {family for text in texts for family in text.get_fontfamily()}
    assert families <= {"Inter", "DejaVu Sans", "DejaVu Sans Mono"} and plt.get_fignums() == []
    assert to_rgb("red") not in {to_rgb(text.get_color()) for text in texts}


@every_picture
def test_no_word_covers_another_or_leaves_the_picture(name):
    figure = drawn(name)[0].figure
    figure.draw_without_rendering()
    texts = [text for axes in figure.axes for text in (*axes.texts, axes.title) if text.get_text().strip()]
    boxes = [(text.get_text(), Text.get_window_extent(text)) for text in texts]  # without an arrow
    page = figure.bbox.padded(1)
    assert [word for word, box in boxes if not (page.contains(*box.min) and page.contains(*box.max))] == []
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)] == []


@every_picture
def test_a_picture_has_its_description_as_alternative_text(name):
    picture, stored = drawn(name)
    width, height = Image.open(io.BytesIO(stored)).size
    attributes = {"width": width // 2, "height": height // 2, "alt": picture.description}
    data = {"image/png": stored, "text/plain": f"picture: {picture.description}"}
    assert picture.parts() == [(data, {"image/png": attributes})]


def test_a_picture_is_shown_as_often_as_asked_with_its_caption_below_as_text(monkeypatch):
    shown = []
    monkeypatch.setattr("companion.pictures.picture.display", lambda data, **options: shown.append((data, options)))
    picture = heatmap.heatmap([[1.0]], ["Life"], caption="All of it <goes> to itself.")
    for _ in range(2):
        picture._ipython_display_()
        assert picture.figure.axes == []  # it would hold 4 MB
    _, (caption, _) = parts = picture.parts()
    assert shown == 2 * [(data, {"metadata": about, "raw": True}) for data, about in parts]
    paragraph = re.search("<p .*?>(.*)</p>", caption["text/html"])[1]
    assert caption["text/plain"] == "All of it <goes> to itself."  # in a terminal or a PDF
    assert html.unescape(paragraph) == "All of it <goes> to itself." and "<goes>" not in paragraph


def test_a_level_is_dotted_over_each_bar_that_goes_beyond_it_and_a_bar_without_end_is_broken():
    numbers, dark = {"below": 0, "beyond": 5, "dark": 4, "broken": "many"}, {"dark": "#0072B2"}
    axes = charts.bars(numbers, "%", dark, rule={"chance": 3}).figure.axes[0]
    assert [len(lines.get_segments()) for lines in axes.collections] == [0, 1, 1, 1]
    assert [to_hex(lines.get_color()[0]).upper() for lines in axes.collections[1:3]] == [MUTED, PAPER]
    assert "//" in {text.get_text() for text in axes.texts}
    assert [label.get_text() for label in axes.get_yticklabels()] == [*numbers]


def test_more_than_five_equal_dots_are_one_with_their_number():
    numbers = {"group": {"some": [1] * 6 + [2], "all": [1] * 6, "five": [1] * 5}}
    axes = spread.spread(numbers, "x", (1, 1), "line").figure.axes[0]
    assert [text.get_text() for text in axes.texts] == ["line", "×6", "all 6"]
    assert [line.get_marker() for line in axes.lines].count("o") == 2 + 1 + 5
    assert axes.get_yticklabels()[0].get_fontweight() == "bold" and axes.patches[0].get_linewidth() == 1
    assert spread.spread({"all": [1, 1]}, "x", (1, 1), "line").png()
    axes = spread.spread({"one": [3], "two": [1, 2]}, "x", (1, 2), "band", level=0).figure.axes[0]
    dot, level = (line for line in axes.lines if line.get_color() == ROLES["query"].fill)
    assert dot.get_xdata() == [3] and level.get_xdata() == [3, 3] and axes.patches[0].get_linewidth() == 0


def test_a_curve_is_named_once_at_a_place_or_at_its_end():
    series, named = {"aside": [1, 1, 0], "end": [2, 0, 1]}, {"aside": (0.5, 1.2)}
    picture = charts.curves(range(3), series, [*ROLES][1:3], "x", "y", beside=named, pale=["end"])
    (axes,) = picture.figure.axes
    assert [text.get_text() for text in axes.texts] == ["aside", "end", "y"]
    assert axes.texts[0].get_position() == (0.5, 1.2)
    assert [line.get_color() for line in axes.lines] == [ROLES["query"].fill, FAINT]


def test_a_head_with_one_query_says_what_its_arcs_do_not_show():
    axes = arcs.arcs("abcd", {"head": {3: [0.5, 0.04, 0.03, 0.43]}}).figure.axes[0]
    assert "itself 0.43, others 0.07" in {text.get_text() for text in axes.texts}


def test_only_contexts_of_rows_above_the_tile_in_memory_are_done():
    axes = notebook_16_tiles.tiles(4, now=4).figure.axes[0]  # in the third row
    assert [text.get_text() for text in axes.texts].count("done") == 2


def test_times_of_a_run_stand_on_a_page_and_others_are_stored(monkeypatch):
    bundles, pages, make = [], [], ipywidgets.HTML
    monkeypatch.setattr(ipywidgets, "HTML", lambda page: pages.append(page) or make(page))
    monkeypatch.setattr(notebook_16_race, "display", lambda bundle, metadata, raw: bundles.append(bundle))
    notebook_16_race.raced({"plain": 100, "tiles < 8": 37}, 2)
    assert "tiles &lt; 8 37%" in pages[0] and "take 2 times as long" in pages[1]
    assert all(WIDGET_VIEW in bundle for bundle in bundles)
    assert "tiles of 64 180%" in bundles[0]["text/plain"] and "29 November 2026" in bundles[1]["text/plain"]
