"""The question of the course: what the script computes is what the head computes."""

import re

import pytest
import torch
from lab import CURRENT, PHONE, close
from playwright.sync_api import expect

from companion.pictures.words import shown
from companion.worlds.which_minute.ask import FORMS, TELLS, ask
from companion.worlds.which_minute.head import trained, untrained
from companion.worlds.which_minute.rows import MARKS
from companion.worlds.which_minute.sentences import MEANING_OF, MEANINGS, encode
from reading import NOTEBOOKS

HEADS = {"trained": trained(), "untrained": untrained()}
MATRICES = """(root, name) => [...root.querySelectorAll(name)].map(one => new DOMMatrix(one.style.transform))
  .map(({e, f}) => [e, -f])"""
# Where each ribbon of a reading starts and ends, and how wide it is.
RIBBONS = """root => [...root.querySelectorAll(".attn-arcs g")].map(arrow => {
  const [ribbon, tip] = [...arrow.children].map(path => path.getAttribute("d").match(/[\\d.]+/g).map(Number));
  const {strokeWidth, opacity} = arrow.style;
  return [ribbon[0], tip.at(-2), opacity > 0 ? parseFloat(strokeWidth) : 0];
})"""
CELLS = """all => all.map(({children: [word, weight]}) => (word.value ?? word.textContent) + weight.textContent)"""
MIDDLES = """root => {
  const left = root.querySelector("svg").getBoundingClientRect().left;
  return [...root.querySelectorAll(".attn-words > div")].map(one => one.getBoundingClientRect())
    .map(({x, width}) => x + width / 2 - left);
}"""


@torch.no_grad()
def check(page, head, pair):
    """Assert that words, weights, ribbons, answers and points are those of Python's head."""
    sentences = [form.format(clue).split() for form, clue in zip(FORMS, pair)]
    logits, weights, contexts = HEADS[head](*encode(sentences))
    answers = logits.softmax(dim=1)
    said = ""
    readings = page.locator(".attn-reading")
    expect(readings).to_have_count(2)
    for number, (reading, clue, words, row, found) in enumerate(
        zip(readings.all(), pair, sentences, weights, answers), start=1
    ):
        row = row[: len(words)]
        cells = reading.locator(".attn-words > div").evaluate_all(CELLS)
        wanted = [shown(weight) if word == clue else printed(weight) for word, weight in zip(words, row.tolist())]
        assert_near(cells, [word + weight for word, weight in zip(words, wanted)])
        check_ribbons(reading, words.index("minute"), row)
        best, first = row.argmax().item(), found.argmax().item()
        expect(reading.locator(".attn-most")).to_contain_text(words[best])
        unread = ": it found no clue, so it answers either" * (not printed(row[words.index(clue)].item()))
        lucky = ", by luck" if head == "untrained" else unread
        verdict = f"✓ right{lucky}" if first == MEANING_OF[clue] else f"✗ wrong: it is {MEANINGS[MEANING_OF[clue]]}"
        others = [m for m in range(3) if m != first and printed(found[m].item())]
        rest = ", ".join(f"{MEANINGS[m]} {percent(found[m])}" for m in others)
        told = reading.locator(".attn-answer").evaluate("one => one.textContent")
        assert_near([told], [f"means {MEANINGS[first]}{percent(found[first])} sure{verdict}{rest}"])
        said += f"In sentence {number}, most attention goes to “{words[best]}” ({shown(row[best].item())}), "
        said += f"and the answer is “{MEANINGS[first]}” ({percent(found[first])} sure). "
    expect(page.locator(".attn-network p")).to_have_text(TELLS[head])
    assert_near([page.locator(".attn-sentence").text_content()], [said.strip()])
    everywhere = HEADS[head](*encode([FORMS[0].format(clue).split() for clue in MEANING_OF]))[2]
    reach = 7  # of the plane, in which all values have room
    for name, points in ((".attn-chosen", contexts), (".attn-faint", everywhere)):
        places = torch.tensor(page.locator("attn-ask").evaluate(MATRICES, name))
        assert torch.allclose(places * reach / 136, points, atol=0.002)
    assert page.locator(".attn-plane text:not(.attn-name)").all_text_contents() == list(pair)
    check_areas(page.locator("attn-ask"), HEADS[head])


def printed(share):
    return shown(share) if share >= 0.005 else ""


def percent(share):
    return f"{100 * share:.0f}%"


def assert_near(found, wanted):
    """Assert that texts are equal except for numbers, whose last digit may be another processor's."""
    number = r"\d\.\d\d|\d+(?=%)"
    assert [re.sub(number, "#", text) for text in found] == [re.sub(number, "#", text) for text in wanted]
    numbers = [[float(each) for text in texts for each in re.findall(number, text)] for texts in (found, wanted)]
    assert all(one == pytest.approx(other, abs=1 if other > 1 else 0.0101) for one, other in zip(*numbers))


def check_ribbons(reading, own, weights):
    """Assert that ribbons leave "minute" side by side, end at their words, and are as wide as their weights."""
    ribbons, middles = reading.evaluate(RIBBONS), reading.evaluate(MIDDLES)
    wanted = [max(26 * each, 0.8) if each >= 0.02 else 0 for each in weights.tolist()]
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


def test_every_menu_changes_what_both_heads_read_as_in_python(on_page):
    page = on_page(ask())
    check(page, "trained", ("pause", "crack"))
    choose(page, clue_of_sentence_1="gap", clue_of_sentence_2="stain")
    check(page, "trained", ("gap", "stain"))
    page.get_by_label("untrained").check()
    check(page, "untrained", ("gap", "stain"))
    choose(page, clue_of_sentence_1="crack", clue_of_sentence_2="crack")
    assert page.locator(".attn-plane text:not(.attn-name)").all_text_contents() == ["crack", ""]  # named once


def test_the_keyboard_chooses_a_clue_and_a_head(on_page):
    page = on_page(ask())
    page.get_by_label("clue of sentence 1").press("ArrowDown")
    check(page, "trained", ("break", "crack"))
    expect(page.get_by_label("clue of sentence 1")).to_be_focused()
    page.get_by_label("trained", exact=True).press("ArrowRight")
    check(page, "untrained", ("break", "crack"))


def test_on_a_phone_a_finger_changes_the_head_and_ribbons_follow(on_page):
    page = on_page(ask(), **PHONE)
    page.locator("label", has_text="untrained").tap()
    check(page, "untrained", ("pause", "crack"))
    page.set_viewport_size({"width": 1000, "height": 800})
    page.evaluate("new Promise(again => requestAnimationFrame(() => requestAnimationFrame(again)))")
    check(page, "untrained", ("pause", "crack"))


def test_a_press_on_a_mark_sets_the_clue_of_sentence_1(on_page):
    page = on_page(ask())
    box = page.locator(".attn-faint").nth([*MEANING_OF].index("hole")).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    clue = page.get_by_label("clue of sentence 1").input_value()
    assert MEANINGS[MEANING_OF[clue]] == "tiny"  # their marks lie close together
    check(page, "trained", (clue, "crack"))


def test_every_area_is_named_where_no_point_lies(on_page):
    page = on_page(ask())
    names = page.locator(".attn-name")
    assert names.all_text_contents() == [f"{mark} {name}" for mark, name in zip(MARKS, MEANINGS)]
    frames = "all => all.map(one => one.getBoundingClientRect().toJSON())"
    points = page.locator(".attn-plane :is(.attn-mark, text:not(.attn-name))").evaluate_all(frames)
    for box in names.evaluate_all(frames):
        for point in points:
            apart = box["right"] < point["left"] or point["right"] < box["left"]
            assert apart or box["bottom"] < point["top"] or point["bottom"] < box["top"]


def test_two_keys_bring_the_courses_first_picture_to_life(lab, desk):
    lab.open(desk, NOTEBOOKS[0].name)
    desk.keyboard.press("Shift+Enter")
    desk.keyboard.press("Shift+Enter")
    picture = desk.locator(f"{CURRENT} attn-ask").locator("..")
    check(picture, "trained", ("pause", "crack"))
    desk.keyboard.press("Shift+Tab")
    expect(picture.get_by_label("clue of sentence 2")).to_be_focused()
    desk.keyboard.press("ArrowDown")
    check(picture, "trained", ("pause", "hole"))
    close(desk)
    desk.watch.check()
