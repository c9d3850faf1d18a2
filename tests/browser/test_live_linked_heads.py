"""All heads linked, in a real JupyterLab: one word is followed in each, and a slider goes through a training."""

import pytest
import torch
from lab import rows

TOKENS = ["Life", "is", "short", "eat"]
PREPARED = f"""import torch
from utils.pictures.live.linked_heads import linked_heads

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
    """Each row of weights, and its sum."""
    return [[f"{number:.2f}" for number in (*row, row.sum())] for row in head]


def check_sentence(picture, query, maps):
    found = [(f"head {head}" if len(maps) > 1 else "weights", each[query]) for head, each in enumerate(maps)]
    said = [f"{name} most at “{TOKENS[row.argmax()]}” ({row.max():.2f})" for name, row in found]
    assert picture.locator(".attn-sentence").inner_text() == f"“{TOKENS[query]}” looks: {', '.join(said)}."


@pytest.fixture
def picture(show):
    return show(PREPARED + "linked_heads(weights, tokens, follow=1)").locator(".attention-live")


def test_every_map_shows_torchs_weights_and_the_same_query(picture):
    for table, head in zip(picture.locator("table").all(), weights()):
        assert numbers(table) == written(head)
    assert followed(picture) == [[1], [1], [1]]
    check_sentence(picture, 1, weights())


def test_pointing_in_one_map_follows_the_word_in_all(picture, bench):
    picture.locator("table").nth(2).locator("tbody tr").nth(3).locator("td").first.hover()
    assert followed(picture) == [[3], [3], [3]]
    check_sentence(picture, 3, weights())
    assert picture.locator(".attn-sentence").get_attribute("aria-live") == "off"


def test_the_arrow_keys_go_from_word_to_word(picture, bench):
    picture.locator("tbody button").nth(1).focus()
    bench.keyboard.press("ArrowDown")
    assert followed(picture) == [[2]] * 3
    bench.keyboard.press("Home")
    assert followed(picture) == [[0]] * 3
    check_sentence(picture, 0, weights())
    assert picture.locator(".attn-sentence").get_attribute("aria-live") == "polite"


def test_the_slider_goes_back_through_a_training(show, bench):
    source = "linked_heads(times, tokens, losses=[2, 1.5, 1, 0.5, 0.25], steps=[0, 5, 10, 15, 20])"
    picture = show(PREPARED + source).locator(".attention-live")
    steps = picture.locator("input[type=range]")
    assert steps.get_attribute("aria-valuetext") == "step 20, loss 0.25"
    steps.focus()
    bench.keyboard.press("ArrowLeft")
    assert steps.get_attribute("aria-valuetext") == "step 15, loss 0.50"
    assert numbers(picture.locator("table")) == written(times()[3, 0])
    check_sentence(picture, 0, times()[3])
    steps.fill("0")
    assert numbers(picture.locator("table")) == [["0.25"] * 4 + ["1.00"]] * 4
