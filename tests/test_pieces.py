"""What a reader's own model says and looks like is shown in a page that no stored notebook keeps."""

import ipywidgets
import pytest

from companion import pieces, timing
from companion.pictures.picture import Picture, canvas
from companion.pictures.table import Page
from store import WIDGET_VIEW


@pytest.fixture
def pages(monkeypatch):
    """The pages that are displayed; a stored notebook keeps one sentence of each."""
    bundles, texts, make = [], [], ipywidgets.HTML
    monkeypatch.setattr(ipywidgets, "HTML", lambda text: texts.append(text) or make(text))
    for module in (pieces, timing):
        monkeypatch.setattr(module, "display", lambda bundle, raw: bundles.append(bundle))
    yield texts
    (bundle,) = bundles
    assert {*bundle} == {WIDGET_VIEW, "text/plain"} and bundle["text/plain"] == pieces.ELSEWHERE


def test_what_is_printed_stands_on_a_page_and_not_below_the_cell(pages, capsys):
    with pieces.page():
        print("5 < 50 are true")
    assert capsys.readouterr().out == "" and "5 &lt; 50 are true" in pages[0]


@pytest.mark.parametrize(
    "picture, parts",
    [
        (Picture(canvas(1, 1)[0], "a <line>", "It's < 1."), ['alt="a &lt;line&gt;"', "<p>It's &lt; 1.</p>"]),
        (Picture(canvas(1, 1)[0], "a line"), ['width="100" ', "<p></p>"]),
        (Page("words", "<b>words</b>", "a title"), ["<b>words</b>", 'aria-label="a title"', "overflow:auto"]),
    ],
)
def test_a_picture_stands_on_a_page_with_its_words(picture, parts, pages):
    pieces.page_of(picture)
    assert all(part in pages[0] for part in parts)
