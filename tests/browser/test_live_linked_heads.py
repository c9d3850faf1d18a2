"""All heads linked: one word is followed in each, and a slider goes through a training."""

import re

import torch
from lab import rows, sentence, spoken

from companion.pictures.live.notebook_10_linked_heads import linked_heads

TOKENS = ["Life", "is", "short", "eat"]
LOSSES, STEPS = [2, 1.5, 1, 0.5, 0.25], [0, 5, 10, 15, 20]
torch.manual_seed(0)
WEIGHTS = torch.softmax(2 * torch.randn(3, 4, 4), dim=-1)
TIMES = torch.softmax(torch.arange(5.0)[:, None, None, None] * torch.eye(4), dim=-1)
TRAINING = linked_heads(TIMES, TOKENS, losses=LOSSES, steps=STEPS)
MARKED = "all => all.map((row, i) => row.classList.contains('attn-followed') ? i : -1).filter(i => i >= 0)"
STYLES = "cells => cells.map(cell => ['backgroundColor', 'color'].map(of => getComputedStyle(cell)[of]).join())"


def test_the_twin_has_a_table_for_each_head_with_torchs_numbers():
    numbers = re.findall(r">(\d\.\d\d)<", linked_heads(WEIGHTS, TOKENS).twin)
    assert numbers == [f"{number:.2f}" for head in WEIGHTS for row in head for number in row]


def test_words_say_where_each_head_looks_and_one_needs_no_number():
    looks = [f"most at “{TOKENS[row.argmax()]}” ({row.max():.2f})" for row in WEIGHTS[:, 2]]
    said = ", ".join(f"head {head} {each}" for head, each in enumerate(looks))
    assert linked_heads(WEIGHTS, TOKENS, follow=2).text == f"“short” looks: {said}."
    assert linked_heads(WEIGHTS[:1], TOKENS, follow=2).text == f"“short” looks {looks[0]}."


def test_a_row_ends_where_every_head_hides_the_rest():
    causal = torch.tensor([[[1, 0, 0], [0.25, 0.75, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0], [0, 0, 1]]])
    picture = linked_heads(causal, TOKENS[:3])
    assert picture.data["weights"] == [["100/25 75/0 100 0", "100/100 0/0 0 100"]]
    cells = [row.count("<td") for row in picture.twin.split("<tr")]
    assert [count for count in cells if count != 0] == [1, 1, 2, 3, 1, 1, 2, 3]  # a head's first row is of names


def check(page, word, maps=WEIGHTS):
    """Assert that every map shows torch's weights, follows this word and that the sentence is Python's of it."""
    for table, head in zip(page.locator("table").all(), maps, strict=True):
        assert [row[1:] for row in rows(table)[1:]] == [[f"{number:.2f}" for number in row] for row in head]
        assert table.locator("tbody tr").evaluate_all(MARKED) == [word]
    assert sentence(page) == linked_heads(maps, TOKENS, follow=word).text


def test_pointing_or_a_tap_in_one_map_follows_the_word_in_all(on_page):
    page = on_page(linked_heads(WEIGHTS, TOKENS, follow=1))
    check(page, 1)
    page.locator("table").nth(2).locator("tbody tr").nth(3).locator("td").first.hover()
    check(page, 3)
    assert spoken(page) == "off"
    cell = page.locator("table").nth(1).locator("tbody tr").nth(2).locator("td").first
    cell.dispatch_event("click")  # as a finger gives it, which points at nothing before
    check(page, 2)
    assert spoken(page) == "polite"


def test_the_arrow_keys_go_from_word_to_word(on_page):
    page = on_page(linked_heads(WEIGHTS, TOKENS, follow=1))
    words = page.locator("tbody button")
    words.nth(1).focus()
    for key, place in {"ArrowDown": 2, "ArrowUp": 1, "End": 3, "Home": 0}.items():
        page.keyboard.press(key)
        check(page, place)
    assert words.evaluate_all("all => all.map(word => word.tabIndex).indexOf(0)") == 0


def test_the_slider_goes_through_a_training_from_its_start_and_colors_follow(on_page):
    page = on_page(TRAINING)
    slider, cells = page.get_by_role("slider"), page.locator("tbody tr").first.locator("td")
    assert slider.get_attribute("aria-valuetext") == "step 0, loss 2.00"
    check(page, 0, TIMES[0])
    blind = cells.evaluate_all(STYLES)[:4]
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == page.locator("output").inner_text() == "step 5, loss 1.50"
    check(page, 0, TIMES[1])
    slider.fill("4")
    sharp = cells.evaluate_all(STYLES)[:4]
    assert blind == [blind[0]] * 4 and sharp[1:] == [sharp[1]] * 3 and len({sharp[0], sharp[1], blind[0]}) == 3


def test_ribbons_are_as_wide_as_weights_and_follow_the_word(on_page):
    page = on_page(TRAINING)
    page.get_by_role("slider").fill("4")
    widths = "all => all.map(path => Number(path.getAttribute('stroke-width')))"
    drawn = torch.tensor(page.locator(".attn-ribbon").evaluate_all(widths)).view(4, 4)
    page.locator(".attn-query", has_text="eat").hover()
    torch.testing.assert_close(drawn.sort().values / 96, TIMES[-1, 0].sort().values, atol=0.02, rtol=0)
    assert page.locator(".attn-asking .attn-query").all_text_contents() == ["eat"]
    check(page, 3, TIMES[-1])


def test_queries_that_are_keys_too_stand_over_them(on_page):
    page = on_page(linked_heads(TIMES[:, :, [1, 3]], ["is", "eat"], TOKENS, losses=LOSSES, steps=STEPS))
    middles = "all => Object.fromEntries(all.map(word => [word.textContent, word.getAttribute('x')]))"
    queries, keys = (page.locator(f".attn-{role}").evaluate_all(middles) for role in ("query", "key"))
    assert queries == {name: keys[name] for name in ("is", "eat")}


def test_a_dot_stands_on_the_line_of_losses_at_the_step_that_is_shown(on_page):
    page = on_page(TRAINING)
    line = page.locator("polyline").get_attribute("points")
    points = torch.tensor([[float(side) for side in point.split(",")] for point in line.split()])
    torch.testing.assert_close(1 - points[:, 1] / 48, torch.tensor(LOSSES) / LOSSES[0])
    for time in (4, 1):
        page.get_by_role("slider").fill(str(time))
        at = ", ".join(f"{side:g}" for side in points[time].tolist())
        assert page.locator("circle").get_attribute("transform").replace(",", ", ") == f"translate({at})"
