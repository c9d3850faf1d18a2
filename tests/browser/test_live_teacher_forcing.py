"""A decoder in training and in writing: in the tables that are stored, and by mouse, finger and keyboard."""

import pytest
import torch
from lab import PHONE, place_on, sentence
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.notebook_14_teacher_forcing import teacher_forcing

WEIGHTS = torch.tensor([[0.7, 0.2, 0.1], [0.01, 0.8, 0.19], [0.0, 0.1, 0.9]])
RIGHT = ["M", "IY", "end"], WEIGHTS
WORDS = {"me": (["M", "IY"], RIGHT, RIGHT), "to": (["T", "UW"], *[(["T", "OW", "end"], WEIGHTS)] * 2)}
LONGER = (["T", "UW"], WORDS["to"][1], (["T", "OW", "AH", "end"], WEIGHTS[[0, 1, 1, 2]]))
SOUNDS = {"M": "me", "IY": "eat", "T": "tea", "OW": "oat", "ZH": "vision"}
PICTURE = teacher_forcing(WORDS, {"T": "tea"})
TAUGHT = [["begin", "T"], ["begin", "T", "OW", "≠ UW"], ["begin", "T", "UW", "end"]]
WRITTEN = [["begin", "T"], ["↓", "begin", "T", "OW", "≠ UW"], ["↓", "begin", "T", "OW", "end"]]
WIDTHS = "all => all.map(row => [...row.querySelectorAll('path')].map(one => one.getAttribute('stroke-width') / 14))"


def test_each_row_holds_its_beginning_its_answer_and_its_letter_both_ways():
    assert twin_rows(teacher_forcing({"to": LONGER}, SOUNDS)) == [
        ["training: the true beginning", "", "", "writing: its own beginning", "", ""],
        ["begin", "T", "reads t"] * 2,
        ["begin T", "OW", "reads o"] * 2,
        ["begin T UW", "end", "reads end", "begin T OW", "AH", "reads o"],
        ["", "", "", "begin T OW AH", "end", "reads end"],
    ]


def test_the_sentence_tells_what_is_wrong_and_what_the_next_rows_are_given():
    texts = [teacher_forcing({word: WORDS[word]}, SOUNDS).text for word in WORDS]
    begun = "“{}” in training: one pass answers all 3 rows with "
    assert texts[0] == f"{begun.format('me')}M, IY, end. All are right."
    right = " Row 2 should say UW. The rows below are given the right one."
    assert texts[1] == f"{begun.format('to')}T, OW, end.{right}"


def test_the_key_holds_the_sounds_that_are_heard_and_no_others():
    heard = {sound: SOUNDS[sound] for sound in ("IY", "M", "OW", "T")}
    assert teacher_forcing(WORDS, SOUNDS).data["sounds"] == heard


def rows(page):
    return [row.locator("text").all_text_contents() for row in page.locator(".attn-asked").all()][::-1]


def test_training_shows_all_rows_and_lines_as_wide_as_the_weights(on_page):
    page = on_page(PICTURE)
    page.get_by_label("to").check()
    assert rows(page) == TAUGHT
    drawn = [[weight for weight in row if weight >= 0.02] for row in WEIGHTS.tolist()]
    assert [pytest.approx(row, abs=1e-5) for row in drawn] == page.locator(".attn-asked").evaluate_all(WIDTHS)[::-1]
    expect(page.get_by_role("slider")).to_be_hidden()
    expect(page.locator(".attn-body")).to_contain_text("T as in tea.")
    assert sentence(page) == teacher_forcing({"to": WORDS["to"]}, {}).text


def test_the_keyboard_writes_pass_by_pass_on_its_own_answers(on_page):
    page = on_page(PICTURE)
    page.get_by_label("to").check()
    page.get_by_label("training").press("ArrowRight")
    assert rows(page) == WRITTEN[:1]
    page.keyboard.press("Tab")
    for done in (2, 3):
        page.keyboard.press("ArrowRight")
        assert rows(page) == WRITTEN[:done]
    said = "“to” in writing, pass 3 of 3: after its own T OW it says end. It looks most at “end” (0.90)."
    assert sentence(page) == said


def test_a_finger_chooses_and_writing_then_begins_anew(on_page):
    page = on_page(PICTURE, **PHONE)
    page.get_by_text("writing", exact=True).tap()
    assert len(rows(page)) == 1
    page.touchscreen.tap(*place_on(page.get_by_role("slider"), 1))
    assert len(rows(page)) == 3
    page.get_by_text("to", exact=True).tap()
    assert rows(page) == WRITTEN[:1]
