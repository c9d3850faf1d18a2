"""The question of the course in a real JupyterLab: what the script computes is what the head computes."""

import re

import pytest
import torch
from lab import CURRENT, check_undisturbed, close
from playwright.sync_api import expect

from companion.pictures.words import shown
from companion.which_minute.ask import ask
from companion.which_minute.head import trained, untrained
from companion.which_minute.sentences import CLUES, MEANINGS, encode
from reading import NOTEBOOKS

HEADS = {"trained": trained(), "untrained": untrained()}
START = {"opening": "she noticed", "word before": "one", "ending": "today"}
ALL_CLUES = [clue for clues in CLUES for clue in clues]
MATRICES = """(root, name) => [...root.querySelectorAll(name)].map(one => new DOMMatrix(one.style.transform))
  .map(({e, f}) => [e, -f])"""
# Where each ribbon of a reading starts and ends, and how wide it is.
RIBBONS = """root => [...root.querySelectorAll(".attn-arcs path")].map(path => {
  const places = path.getAttribute("d").match(/[\\d.]+/g).map(Number);
  return [places[0], places.at(-2), parseFloat(path.style.strokeWidth)];
})"""
MIDDLES = """root => {
  const left = root.querySelector("svg").getBoundingClientRect().left;
  return [...root.querySelectorAll(".attn-words > div")].map(one => one.getBoundingClientRect())
    .map(({x, width}) => x + width / 2 - left);
}"""


@pytest.fixture
def picture(show):
    return show("from companion.which_minute.ask import ask\nask()").locator("attn-ask")


@torch.no_grad()
def check(picture, head, pair, **chosen):
    """Assert that words, weights, ribbons, answers and points are those of Python's head."""
    opening, before, ending = (START | chosen).values()
    texts = {clue: f"{opening} {before} minute {clue} {ending}".split() for clue in ALL_CLUES}
    sentences = [texts[clue] for clue in pair]
    logits, weights, contexts = HEADS[head](*encode(sentences))
    answers = logits.softmax(dim=1)
    said = ""
    readings = picture.locator(".attn-reading")
    expect(readings).to_have_count(2)
    for reading, clue, words, row, found in zip(readings.all(), pair, sentences, weights, answers):
        row = row[: len(words)]
        cells = reading.locator(".attn-words > div").evaluate_all("all => all.map(one => one.textContent)")
        assert_near(cells, [f"{word}{shown(weight)}" for word, weight in zip(words, row.tolist())])
        check_ribbons(reading, words.index("minute"), row)
        best, first = row.argmax().item(), found.argmax().item()
        expect(reading.locator(".attn-most")).to_contain_text(words[best])
        meaning = next(place for place, clues in enumerate(CLUES) if clue in clues)
        verdict = "✓ right" if first == meaning else f"✗ wrong: it is {MEANINGS[meaning]}"
        rest = ", ".join(f"{MEANINGS[m]} {shown(found[m].item())}" for m in range(3) if m != first)
        told = reading.locator(".attn-answer").evaluate("one => one.textContent")
        assert_near([told], [f"means {MEANINGS[first]} {shown(found[first].item())}{verdict}{rest}"])
        said += f"“minute {clue}”: most attention goes to “{words[best]}” ({shown(row[best].item())}), "
        said += f"and the answer is “{MEANINGS[first]}” ({shown(found[first].item())}). "
    assert_near([picture.locator(".attn-sentence").text_content()], [said.strip()])
    everywhere = HEADS[head](*encode(list(texts.values())))[2]
    reach = 7  # of the plane, in which all values have room
    for name, points in ((".attn-chosen", contexts), (".attn-faint", everywhere)):
        places = torch.tensor(picture.evaluate(MATRICES, name))
        assert torch.allclose(places * reach / 136, points, atol=0.002)
    assert picture.locator(".attn-plane text:not(.attn-name)").all_text_contents() == list(pair)
    check_areas(picture, HEADS[head])


def assert_near(found, wanted):
    """Assert that texts are equal but for numbers, whose last digit may be another processor's."""
    number = r"\d\.\d\d"
    assert [re.sub(number, "#", text) for text in found] == [re.sub(number, "#", text) for text in wanted]
    numbers = [[float(each) for text in texts for each in re.findall(number, text)] for texts in (found, wanted)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.0101)


def check_ribbons(reading, own, weights):
    """Assert that ribbons leave "minute" side by side, end at their words, and are as wide as their weights."""
    ribbons, middles = reading.evaluate(RIBBONS), reading.evaluate(MIDDLES)
    wanted = [max(26 * each, 0.8) for each in weights.tolist()]
    assert [wide for *_, wide in ribbons] == pytest.approx(wanted, abs=0.01)
    goals = [end - 30 * (j == own) for j, (_, end, _) in enumerate(ribbons)]
    assert goals == pytest.approx(middles, abs=1)
    edge = middles[own] - 13
    for j in [*reversed(range(own)), *reversed(range(own, len(ribbons)))]:  # in this order, none crosses another
        assert ribbons[j][0] - 13 * weights[j].item() == pytest.approx(edge, abs=1)
        edge += 26 * weights[j].item()


@torch.no_grad()
def check_areas(picture, head):
    """Assert that each point of a coarse grid lies in the area of the answer that the head gives there."""
    grid = torch.cartesian_prod(*[torch.arange(-6.5, 7, 1.0)] * 2)
    inside = picture.evaluate(
        """(root, points) => points.map(([x, y]) => [...root.querySelectorAll(".attn-area")].map(area =>
          area.isPointInFill(new DOMPoint(x * 136 / 7, -y * 136 / 7))))""",
        grid.tolist(),
    )
    assert torch.tensor(inside).int().argmax(dim=1).tolist() == head.answer(grid).argmax(dim=1).tolist()
    assert (torch.tensor(inside).sum(dim=1) == 1).all()


def choose(picture, **texts):
    for name, text in texts.items():
        picture.get_by_label(name.replace("_", " "), exact=True).select_option(text)


def test_every_menu_changes_what_both_heads_read_as_in_python(picture):
    check(picture, "trained", ("pause", "crack"))
    choose(picture, clue_of_sentence_1="gap", clue_of_sentence_2="walk")
    check(picture, "trained", ("gap", "walk"))
    choose(picture, opening="they talked about", word_before="that one", ending="in the garden")
    longest = {"opening": "they talked about", "word before": "that one", "ending": "in the garden"}
    check(picture, "trained", ("gap", "walk"), **longest)
    picture.get_by_label("untrained").check()
    check(picture, "untrained", ("gap", "walk"), **longest)
    choose(picture, ending="", clue_of_sentence_1="pause", clue_of_sentence_2="pause")
    check(picture, "untrained", ("pause", "pause"), **longest | {"ending": ""})


def test_the_keyboard_chooses_a_clue_and_a_head(picture, bench):
    picture.get_by_label("clue of sentence 1").focus()
    bench.keyboard.press("ArrowDown")
    check(picture, "trained", ("break", "crack"))
    picture.get_by_label("trained", exact=True).focus()
    bench.keyboard.press("ArrowRight")
    check(picture, "untrained", ("break", "crack"))
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    for letter in "dd":  # JupyterLab deletes a cell
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_a_finger_changes_the_head_on_a_phone_and_ribbons_still_reach_their_words(pages, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(ask()._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    picture = page.locator("attn-ask")
    picture.locator("label", has_text="untrained").tap()
    check(picture, "untrained", ("pause", "crack"))
    page.set_viewport_size({"width": 1000, "height": 800})
    page.evaluate("new Promise(again => requestAnimationFrame(() => requestAnimationFrame(again)))")
    check(picture, "untrained", ("pause", "crack"))
    page.set_viewport_size({"width": 390, "height": 800})
    page.watch.check()


def test_every_area_is_named_where_no_point_lies(picture):
    names = picture.locator(".attn-name")
    assert names.all_text_contents() == list(MEANINGS)
    frames = "all => all.map(one => one.getBoundingClientRect().toJSON())"
    points = picture.locator(".attn-plane .attn-mark").evaluate_all(frames)
    for box in names.evaluate_all(frames):
        for point in points:
            apart = box["right"] < point["left"] or point["right"] < box["left"]
            assert apart or box["bottom"] < point["top"] or point["bottom"] < box["top"]


def test_two_keys_bring_the_courses_first_picture_to_life(lab, desk):
    lab.open(desk, NOTEBOOKS[0].name)
    desk.keyboard.press("Shift+Enter")
    desk.keyboard.press("Shift+Enter")
    picture = desk.locator(f"{CURRENT} attn-ask")
    check(picture, "trained", ("pause", "crack"))
    desk.keyboard.press("Shift+Tab")
    expect(picture.locator("[type=radio]").first).to_be_focused()
    desk.keyboard.press("ArrowRight")
    check(picture, "untrained", ("pause", "crack"))
    close(desk)
    desk.watch.check()
