"""All heads linked, in a real JupyterLab: one word is followed in each, and a slider goes through a training."""

import pytest
import torch
from lab import check_undisturbed, rows

TOKENS = ["Life", "is", "short", "eat"]
LOSSES = [2, 1.5, 1, 0.5, 0.25]
PREPARED = f"""import torch
from companion.pictures.live.linked_heads import linked_heads

torch.manual_seed(0)
weights = torch.softmax(2 * torch.randn(3, 4, 4), dim=-1)
times = torch.softmax(torch.arange(5.0)[:, None, None, None] * torch.eye(4), dim=-1)
tokens = {TOKENS}
"""


def weights():
    torch.manual_seed(0)
    return torch.softmax(2 * torch.randn(3, 4, 4), dim=-1)


def times():
    return torch.softmax(torch.arange(5.0)[:, None, None, None] * torch.eye(4), dim=-1)


def followed(picture):
    """The places of the rows that are followed, in each map."""
    tables = picture.locator("table").all()
    mark = "all => all.map((row, i) => row.classList.contains('attn-followed') ? i : -1).filter(i => i >= 0)"
    return [table.locator("tbody tr").evaluate_all(mark) for table in tables]


def numbers(table):
    return [row[1:] for row in rows(table)[1:]]


def written(head):
    """Each row of weights."""
    return [[f"{number:.2f}" for number in row] for row in head]


def check_sentence(picture, query, maps):
    said = [f"most at “{TOKENS[row.argmax()]}” ({row.max():.2f})" for row in maps[:, query]]
    if len(maps) > 1:
        said = [f"head {head} {each}" for head, each in enumerate(said)]
    looks = "looks:" if len(maps) > 1 else "looks"
    assert picture.locator(".attn-sentence").inner_text() == f"“{TOKENS[query]}” {looks} {', '.join(said)}."


@pytest.fixture
def picture(show):
    return show(PREPARED + "linked_heads(weights, tokens, follow=1)").locator(".attention-live")


def test_every_map_shows_torchs_weights_and_the_same_query(picture):
    for table, head in zip(picture.locator("table").all(), weights()):
        assert numbers(table) == written(head)
    assert followed(picture) == [[1], [1], [1]]
    check_sentence(picture, 1, weights())


def test_pointing_in_one_map_follows_the_word_in_all(picture, bench):
    row = picture.locator("table").nth(2).locator("tbody tr").nth(3)
    row.locator("td").first.hover()
    assert followed(picture) == [[3], [3], [3]]
    check_sentence(picture, 3, weights())
    assert picture.locator(".attn-sentence").get_attribute("aria-live") == "off"


def test_a_click_or_a_tap_follows_the_word_and_says_it(picture, bench):
    row = picture.locator("table").nth(1).locator("tbody tr").nth(2)
    row.locator("td").first.dispatch_event("click")  # as a finger gives it, which points at nothing before
    assert followed(picture) == [[2]] * 3
    check_sentence(picture, 2, weights())
    assert picture.locator(".attn-sentence").get_attribute("aria-live") == "polite"


def test_the_arrow_keys_go_from_word_to_word(picture, bench):
    words = picture.locator("tbody button")
    words.nth(1).focus()
    for key, place in {"ArrowDown": 2, "ArrowUp": 1, "End": 3, "Home": 0}.items():
        bench.keyboard.press(key)
        assert followed(picture) == [[place]] * 3, key
        check_sentence(picture, place, weights())
    assert words.evaluate_all("all => all.map(word => word.tabIndex).indexOf(0)") == 0
    assert picture.locator(".attn-sentence").get_attribute("aria-live") == "polite"
    check_undisturbed(bench)


@pytest.fixture
def training(show):
    source = f"linked_heads(times, tokens, losses={LOSSES}, steps=[0, 5, 10, 15, 20])"
    return show(PREPARED + source).locator(".attention-live")


def test_the_slider_goes_back_through_a_training(training, bench):
    steps = training.locator("input[type=range]")
    assert steps.get_attribute("aria-valuetext") == "step 20, loss 0.25"
    steps.focus()
    bench.keyboard.press("ArrowLeft")
    assert steps.get_attribute("aria-valuetext") == "step 15, loss 0.50"
    assert training.locator("output").inner_text() == "step 15, loss 0.50"
    assert numbers(training.locator("table")) == written(times()[3, 0])
    check_sentence(training, 0, times()[3])
    steps.fill("0")
    assert numbers(training.locator("table")) == [["0.25"] * 4] * 4
    check_undisturbed(bench)


def test_the_ribbons_of_a_single_map_are_as_wide_as_its_weights_and_follow_the_word(training, bench):
    widths = "all => all.map(path => Number(path.getAttribute('stroke-width')))"
    drawn = torch.tensor(training.locator(".attn-ribbon").evaluate_all(widths)).view(4, 4)
    training.locator(".attn-query", has_text="eat").hover()
    torch.testing.assert_close(drawn.sort().values / 96, times()[-1, 0].sort().values, atol=0.02, rtol=0)
    assert training.locator(".attn-asking .attn-query").all_text_contents() == ["eat"]
    check_sentence(training, 3, times()[-1])


def test_queries_that_are_keys_too_stand_over_them(show):
    source = "linked_heads(times[:, :, [1, 3]], ['is', 'eat'], tokens, losses=[2, 1.5, 1, 0.5, 0.25], steps=range(5))"
    picture = show(PREPARED + source).locator(".attention-live")
    middles = "all => Object.fromEntries(all.map(word => [word.textContent, word.getAttribute('x')]))"
    queries, keys = (picture.locator(f".attn-{role}").evaluate_all(middles) for role in ("query", "key"))
    assert queries == {name: keys[name] for name in ("is", "eat")}


def test_a_dot_stands_on_the_line_of_losses_at_the_step_that_is_shown(training, bench):
    line = training.locator("polyline").get_attribute("points")
    points = torch.tensor([[float(side) for side in point.split(",")] for point in line.split()])
    torch.testing.assert_close(1 - points[:, 1] / 48, torch.tensor(LOSSES) / LOSSES[0])
    for time in (4, 1):
        training.locator("input[type=range]").fill(str(time))
        at = ", ".join(f"{side:g}" for side in points[time].tolist())
        assert training.locator("circle").get_attribute("transform").replace(",", ", ") == f"translate({at})"


def test_a_weights_colour_and_ink_change_with_the_step(training):
    styles = (
        "cells => cells.map(cell => Object.values(['backgroundColor', 'color'].map(of => getComputedStyle(cell)[of])))"
    )
    cells = training.locator("tbody tr").first.locator("td")
    sharp = cells.evaluate_all(styles)[:4]
    training.locator("input[type=range]").fill("0")
    blind = cells.evaluate_all(styles)[:4]
    assert blind == [blind[0]] * 4 and sharp[1:] == [sharp[1]] * 3
    assert len({str(style) for style in (sharp[0], sharp[1], blind[0])}) == 3 and sharp[0][1] == "rgb(255, 255, 255)"
