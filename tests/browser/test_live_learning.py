"""A training: its end in the table that is stored, and step by step by mouse, finger and keyboard."""

import torch
from lab import PHONE, place_on, rows, sentence
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.palette import fills
from companion.pictures.words import shown
from companion.worlds.which_minute.learning import learning

SENTENCES = [["one", "minute", "pause"], ["one", "minute", "crack"], ["one", "minute", "gap"]]
STEPS, LOSSES = [0, 20, 40], [1.0987, 0.5125, 0.0125]
WEIGHTS = torch.tensor(
    [
        [[0.3, 0.32, 0.38], [0.4, 0.31, 0.29], [0.3, 0.4, 0.3]],
        [[0.2, 0.2, 0.6], [0.1, 0.1, 0.8], [0.5, 0.3, 0.2]],
        [[0.02, 0.0, 0.98], [0.0, 0.01, 0.99], [0.6, 0.3, 0.1]],
    ]
)
CONTEXTS = torch.tensor(
    [[[0.1, 0.2], [0.0, 0.1], [0.2, 0.0]], [[-1, -1], [-1, 2], [2, -1]], [[-3.54, -1.59], [-0.41, 4.9], [1.92, -2.97]]]
)
PICTURE = learning(STEPS, LOSSES, WEIGHTS, CONTEXTS, SENTENCES, [0, 1, 2])
PLACES = """[...document.querySelectorAll(".attn-plane > g")].map(one => new DOMMatrix(one.style.transform))
  .map(({e, f}) => [e, -f])"""


def test_the_table_holds_the_last_weights():
    assert ">Weights of “minute” at step 40, loss 0.013</caption>" in PICTURE.twin
    assert twin_rows(PICTURE) == [
        [meaning, *(f"{word}{shown(weight)}" for word, weight in zip(words, row))]
        for meaning, words, row in zip(("● a time", "▲ tiny", "■ either"), SENTENCES, WEIGHTS[-1].tolist())
    ]


def test_the_sentence_tells_where_minute_looks_most():
    assert PICTURE.text == "Step 40, loss 0.013: in “one minute pause”, “minute” looks most at “pause” (0.98)."


def check(page, time, followed):
    """Assert that weights, loss, points and words are those of a step, and follow a sentence."""
    weights, contexts = WEIGHTS[time], CONTEXTS[time]
    at = f"tep {STEPS[time]}, loss {LOSSES[time]:.3f}"
    assert page.locator("output").inner_text() == f"s{at}"
    best = weights[followed].argmax().item()
    assert sentence(page) == (
        f"S{at}: in “{' '.join(SENTENCES[followed])}”, “minute” looks most at “{SENTENCES[followed][best]}” "
        f"({shown(weights[followed, best].item())})."
    )
    heads, *written = [[text.strip() for text in row] for row in rows(page.locator("table"))]
    assert heads == ["", "one", "minute", "clue"]
    assert written == [[words[2], *map(shown, row)] for words, row in zip(SENTENCES, weights.tolist())]
    channels = "all => all.map(one => one.style.background.match(/[0-9]+/g).map(Number))"
    shades = torch.tensor(page.locator("tbody td").evaluate_all(channels)).double()
    faces = 255 * torch.tensor(fills((20 * weights).round().div(20).tolist())).flatten(0, 1)
    assert torch.allclose(shades, faces.double(), atol=3)
    places = torch.tensor(page.evaluate(PLACES))
    assert torch.allclose(places * 5 / 136, contexts, atol=0.01)  # 5 is how far the plane reaches
    assert page.locator(".attn-plane text").all_text_contents() == [words[2] for words in SENTENCES]
    assert len(page.locator(".attn-way").get_attribute("points").split()) == time + 1
    assert page.locator(".attn-curve circle").get_attribute("transform").startswith(f"translate({150 * time},")
    expect(page.locator("[type=radio]").nth(followed)).to_be_checked()
    for parts, kind in ((".attn-plane > g", ".attn-chosen"), ("tbody tr", ".attn-followed")):
        marked = page.locator(parts).evaluate_all(f"all => all.map(one => one.matches('{kind}'))")
        assert marked == [place == followed for place in range(3)]


def test_keyboard_and_mouse_go_through_the_training_and_the_sentences(on_page):
    page = on_page(PICTURE)
    check(page, 2, 0)
    page.mouse.click(*place_on(page.get_by_role("slider"), 0.5))
    check(page, 1, 0)
    page.get_by_role("radio").first.press("ArrowDown")
    check(page, 1, 1)
    page.locator("label", has_text="gap").click()
    check(page, 1, 2)


def test_a_finger_goes_through_the_training_and_the_sentences(on_page):
    page = on_page(PICTURE, **PHONE)
    page.touchscreen.tap(*place_on(page.get_by_role("slider"), 0))
    check(page, 0, 0)
    page.locator("th label").nth(1).tap()
    check(page, 0, 1)
