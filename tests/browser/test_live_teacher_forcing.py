"""A decoder in training and in writing, on a page: rows, ways and passes, by mouse, finger and keyboard."""

import pytest
from playwright.sync_api import expect

from companion.pictures.live.teacher_forcing import teacher_forcing

WEIGHTS = [[0.7, 0.2, 0.1], [0.01, 0.8, 0.19], [0.0, 0.1, 0.9]]
WORDS = {
    "me": (["M", "IY"], (["M", "IY", "end"], WEIGHTS), (["M", "IY", "end"], WEIGHTS)),
    "to": (["T", "UW"], (["T", "OW", "end"], WEIGHTS), (["T", "OW", "end"], WEIGHTS)),
}
TAUGHT = [["begin", "T"], ["begin", "T", "OW", "≠ UW"], ["begin", "T", "UW", "end"]]
WRITTEN = [["begin", "T"], ["↓", "begin", "T", "OW", "≠ UW"], ["↓", "begin", "T", "OW", "end"]]


@pytest.fixture
def opened(pages, tmp_path):
    """Return a function that opens the picture on a page."""
    path = tmp_path / "page.html"
    path.write_text(teacher_forcing(WORDS, {"T": "tea"})._repr_mimebundle_()["text/html"], encoding="utf-8")

    def open_page(**options):
        page = pages(**options)
        page.goto(path.as_uri())
        return page

    return open_page


def rows(page):
    return [row.locator("text").all_text_contents() for row in page.locator(".attn-asked").all()][::-1]


def widths(page):
    """The widths of each row's lines."""
    script = (
        "all => all.map(row => [...row.querySelectorAll('path')].map(one => one.getAttribute('stroke-width') / 14))"
    )
    return page.locator(".attn-asked").evaluate_all(script)[::-1]


def test_training_shows_all_rows_and_lines_as_wide_as_the_weights(opened):
    page = opened()
    page.get_by_label("to").check()
    assert rows(page) == TAUGHT
    drawn = [[weight for weight in row if weight >= 0.02] for row in WEIGHTS]
    assert [pytest.approx(row) for row in drawn] == widths(page)
    expect(page.get_by_role("slider")).to_be_hidden()
    expect(page.locator(".attn-body")).to_contain_text("T as in tea.")
    sentence = "“to” in training: one pass answers all 3 rows with T, OW, end. Row 2 should say UW. "
    assert page.locator(".attn-sentence").inner_text() == f"{sentence}The rows below are given the right one."
    page.watch.check()


def test_the_keyboard_writes_pass_by_pass_on_its_own_answers(opened):
    page = opened()
    page.get_by_label("to").check()
    page.get_by_label("training").focus()
    page.keyboard.press("ArrowRight")
    assert rows(page) == WRITTEN[:1]
    page.keyboard.press("Tab")
    for done in (2, 3):
        page.keyboard.press("ArrowRight")
        assert rows(page) == WRITTEN[:done]
    said = "“to” in writing, pass 3 of 3: after its own T OW it says end. It looks most at “end” (0.90)."
    assert page.locator(".attn-sentence").inner_text() == said
    page.watch.check()


def test_a_finger_chooses_and_writing_then_begins_anew(opened):
    page = opened(has_touch=True, viewport={"width": 390, "height": 800})
    page.get_by_text("writing", exact=True).tap()
    assert len(rows(page)) == 1
    box = page.get_by_role("slider").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    assert len(rows(page)) == 3
    page.get_by_text("to", exact=True).tap()
    assert rows(page) == WRITTEN[:1]
    page.watch.check()
