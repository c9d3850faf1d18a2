"""The question of the course: what the script computes is what the head computes."""

import re

import pytest
import torch
from lab import CURRENT, close
from playwright.sync_api import expect

from companion.pictures.words import shown
from companion.worlds.which_minute.head import trained, untrained
from companion.worlds.which_minute.picture_parts import meaning_of
from companion.worlds.which_minute.sentences import MEANING_OF, MEANINGS, encode
from companion.worlds.which_minute.two_sentences import FORMS, TELLS, two_sentences
from reading import NOTEBOOKS

HEADS = {"trained": trained(), "untrained": untrained()}
CELLS = """all => all.map(({children: [word, weight]}) => (word.value ?? word.textContent) + weight.textContent)"""


@torch.no_grad()
def check(page, head, pair):
    """Assert that words, weights and answers are those of Python's head."""
    sentences = [form.format(clue).split() for form, clue in zip(FORMS, pair)]
    logits, weights, _ = HEADS[head](*encode(sentences))
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
    assert {*page.locator(".attn-name").all_text_contents()} <= {*map(meaning_of, range(3)), ""}
    expect(page.locator(".attn-network p")).to_have_text(TELLS[head])
    assert_near([page.locator(".attn-sentence").text_content()], [said.strip()])
    assert page.locator(".attn-plane text:not(.attn-name)").all_text_contents() == list(pair)


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


def choose(picture, **texts):
    for name, text in texts.items():
        picture.get_by_label(name.replace("_", " "), exact=True).select_option(text)


def test_every_menu_changes_what_both_heads_read_as_in_python(on_page):
    page = on_page(two_sentences())
    check(page, "trained", ("pause", "crack"))
    choose(page, clue_of_sentence_1="gap", clue_of_sentence_2="stain")
    check(page, "trained", ("gap", "stain"))
    page.get_by_label("untrained").check()
    check(page, "untrained", ("gap", "stain"))
    choose(page, clue_of_sentence_1="crack", clue_of_sentence_2="crack")
    assert page.locator(".attn-plane text:not(.attn-name)").all_text_contents() == ["crack", ""]  # named once


def test_the_keyboard_chooses_a_clue_and_a_head(on_page):
    page = on_page(two_sentences())
    page.get_by_label("clue of sentence 1").press("ArrowDown")
    check(page, "trained", ("break", "crack"))
    expect(page.get_by_label("clue of sentence 1")).to_be_focused()
    page.get_by_label("trained", exact=True).press("ArrowRight")
    check(page, "untrained", ("break", "crack"))


def test_a_press_on_a_mark_sets_the_clue_of_sentence_1(on_page):
    page = on_page(two_sentences())
    box = page.locator(".attn-faint").nth([*MEANING_OF].index("hole")).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    clue = page.get_by_label("clue of sentence 1").input_value()
    assert MEANINGS[MEANING_OF[clue]] == "tiny"  # their marks lie close together
    check(page, "trained", (clue, "crack"))


def test_two_keys_bring_the_courses_first_picture_to_life(lab, desk):
    lab.open(desk, NOTEBOOKS[0].name)
    desk.keyboard.press("Shift+Enter")
    desk.keyboard.press("Shift+Enter")
    picture = desk.locator(f"{CURRENT} attn-two-sentences").locator("..")
    check(picture, "trained", ("pause", "crack"))
    desk.keyboard.press("Shift+Tab")
    expect(picture.get_by_label("clue of sentence 2")).to_be_focused()
    desk.keyboard.press("ArrowDown")
    check(picture, "trained", ("pause", "hole"))
    close(desk)
    desk.watch.check()
