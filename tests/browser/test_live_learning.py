"""A training, step by step, in a real JupyterLab: by mouse, finger and keyboard."""

import pytest
import torch
from lab import check_undisturbed, rows
from playwright.sync_api import expect

from companion.pictures.palette import fills
from companion.pictures.words import shown
from companion.which_minute.learning import learning

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
SOURCE = f"""import torch
from companion.which_minute.learning import learning

weights, contexts = torch.tensor({WEIGHTS.tolist()}), torch.tensor({CONTEXTS.tolist()})
learning({STEPS}, {LOSSES}, weights, contexts, {SENTENCES}, [0, 1, 2])"""
PLACES = """root => [...root.querySelectorAll(".attn-plane > g")].map(one => new DOMMatrix(one.style.transform))
  .map(({e, f}) => [e, -f])"""


@pytest.fixture
def picture(show):
    place = show(SOURCE).locator("attn-learning")
    expect(place.locator(".attn-plane")).to_be_visible()
    return place


def check(picture, time, sentence):
    """Assert that weights, loss, points and words are those of a step, and follow a sentence."""
    weights, contexts = WEIGHTS[time], CONTEXTS[time]
    at = f"tep {STEPS[time]}, loss {LOSSES[time]:.3f}"
    assert picture.locator("output").inner_text() == f"s{at}"
    best = weights[sentence].argmax().item()
    assert picture.locator(".attn-sentence").inner_text() == (
        f"S{at}: in “{' '.join(SENTENCES[sentence])}”, “minute” looks most at “{SENTENCES[sentence][best]}” "
        f"({shown(weights[sentence, best].item())})."
    )
    heads, *written = [[text.strip() for text in row] for row in rows(picture.locator("table"))]
    assert heads == ["", "one", "minute", "clue"]
    assert written == [[words[2], *map(shown, row)] for words, row in zip(SENTENCES, weights.tolist())]
    shades = picture.locator("tbody td").evaluate_all(
        "all => all.map(one => one.style.background.match(/[0-9]+/g).map(Number))"
    )
    wanted = 255 * torch.tensor(fills((20 * weights).round().div(20).tolist())).flatten(0, 1)
    assert torch.allclose(torch.tensor(shades).double(), wanted.double(), atol=3)
    places = torch.tensor(picture.evaluate(PLACES))
    assert torch.allclose(places * 5 / 136, contexts, atol=0.01)  # 5 is how far the plane reaches
    chosen = picture.locator(".attn-plane > g").evaluate_all("all => all.map(one => one.matches('.attn-chosen'))")
    assert chosen == [place == sentence for place in range(3)]
    assert picture.locator(".attn-plane text").all_text_contents() == [words[2] for words in SENTENCES]
    way = picture.locator(".attn-way").get_attribute("points").split()
    assert len(way) == time + 1
    dot = picture.locator(".attn-curve circle").get_attribute("transform")
    assert dot.startswith(f"translate({150 * time},")
    expect(picture.locator("[type=radio]").nth(sentence)).to_be_checked()
    followed = picture.locator("tbody tr").evaluate_all("all => all.map(one => one.matches('.attn-followed'))")
    assert followed == [place == sentence for place in range(3)]


def test_the_keyboard_goes_through_the_training_and_the_sentences(picture, bench):
    check(picture, 1, 0)
    picture.get_by_role("slider").focus()
    bench.keyboard.press("Home")
    check(picture, 0, 0)
    bench.keyboard.press("ArrowRight")
    check(picture, 1, 0)
    picture.get_by_role("radio").first.focus()
    bench.keyboard.press("ArrowDown")
    check(picture, 1, 1)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    for letter in "dd":  # JupyterLab deletes a cell
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_the_mouse_goes_through_the_training_and_the_sentences(picture, bench):
    box = picture.get_by_role("slider").bounding_box()
    bench.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    check(picture, 1, 0)
    picture.locator("label", has_text="gap").click()
    check(picture, 1, 2)


def test_a_finger_goes_through_the_training_and_the_sentences(pages, tmp_path):
    path = tmp_path / "page.html"
    page_text = learning(STEPS, LOSSES, WEIGHTS, CONTEXTS, SENTENCES, [0, 1, 2])._repr_mimebundle_()["text/html"]
    path.write_text(page_text, encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    picture = page.locator("attn-learning")
    box = picture.get_by_role("slider").bounding_box()
    page.touchscreen.tap(box["x"] + 9, box["y"] + box["height"] / 2)
    check(picture, 0, 0)
    picture.locator("th label").nth(1).tap()
    check(picture, 0, 1)
    page.watch.check()
