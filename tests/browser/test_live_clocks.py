"""Positions as hands of clocks: in the table that is stored and by key, they turn as torch turns vectors."""

import math

import pytest
import torch
from lab import sentence
from live_pictures import twin_rows

from companion.pictures.live.notebook_11_clocks import clocks, position_clocks
from companion.pictures.words import shown
from utils.positions import rotate, sinusoidal

QUERY = torch.tensor([1.0, 0.5, 1.0, -1.0], dtype=torch.float64)
KEY = torch.tensor([0.5, 1.0, -1.5, 0.5], dtype=torch.float64)
# Where the tips of the hands point, first upwards and then to the right, in the order query, key of each clock.
TIPS = """[...document.querySelectorAll(".attn-dials path:not(.attn-tick, .attn-sector)")]
  .map(one => one.transform.baseVal[0].matrix).map(({e, f}) => [-f, e])"""


def score(query_at, key_at):
    """The score of the query at one position and the key at another, by the course's rotation."""
    return (rotate(QUERY[None], [query_at]) @ rotate(KEY[None], [key_at]).T).item()


def test_a_positions_clocks_hold_its_sinusoidal_encoding():
    table = twin_rows(position_clocks(16, position=5))
    sines, cosines = sinusoidal(6, 16)[5].unflatten(0, (8, 2)).T.tolist()
    assert [row[1:] for row in table] == [[f"sin {shown(s)}", f"cos {shown(c)}"] for s, c in zip(sines, cosines)]
    assert [table[0][0], table[-1][0]] == ["a round in 6", "a round in 19,869"]
    said = "At position 63, the fastest hand has made 10.03 rounds, and the slowest 0.00."
    assert position_clocks(16, position=63).text == said


@pytest.mark.parametrize(("position", "distance", "places"), [(0, 1, (0, 1)), (7, 5, (7, 12)), (7, -5, (12, 7))])
def test_the_score_is_that_of_rotary_embeddings(position, distance, places):
    picture = clocks(QUERY, KEY, position=position, distance=distance)
    assert f"score {shown(score(*places))}</caption>" in picture.twin
    assert sum(float(row[2][5:].replace("−", "-")) for row in twin_rows(picture)) == pytest.approx(
        score(*places), abs=0.02
    )


def test_one_clock_tells_the_angle_that_is_left():
    assert twin_rows(clocks([1.0, 0.0], [0.0, 2.0], speeds=[math.pi], distance=-1)) == [["a round in 2", "angle 90.0°"]]


def check(page, query_at, key_at):
    """Assert that hands, angles and score are those of torch; return the angles and the score."""
    turned = torch.cat([rotate(each[None], [at]) for each, at in ((QUERY, query_at), (KEY, key_at))])
    pairs = turned.unflatten(1, (2, 2)).transpose(1, 2)  # (query and key, clock, up and right)
    tips = torch.tensor(page.evaluate(TIPS), dtype=torch.float64).unflatten(0, (2, 2)).transpose(0, 1)
    assert torch.allclose(tips / 44, pairs / pairs.norm(dim=2).max(), atol=1e-4)
    score = shown((turned[0] @ turned[1]).item())
    assert sentence(page) == f"Query at position {query_at}, key at position {key_at}: the score is {score}."
    return page.locator(".attn-told").all_inner_texts(), score


def test_both_move_on_and_angles_and_score_stand_still(on_page):
    page = on_page(clocks(QUERY, KEY))
    before = check(page, 0, 1)
    page.get_by_role("slider", name="move both").focus()
    for position in range(1, 4):
        page.keyboard.press("ArrowRight")
        assert check(page, position, position + 1) == before
    page.get_by_role("slider", name="distance").focus()
    page.keyboard.press("ArrowLeft")
    assert check(page, 3, 3) != before
    page.keyboard.press("ArrowLeft")
    assert check(page, 4, 3) != before  # the earlier of the two stays


def test_a_positions_hands_have_its_sines_and_cosines(on_page):
    page = on_page(position_clocks(16))
    page.get_by_role("slider").press("End")
    sines, cosines = sinusoidal(64, 16)[63].unflatten(0, (8, 2)).T.tolist()
    texts = [text for s, c in zip(sines, cosines) for text in (f"sin {shown(s)}", f"cos {shown(c)}")]
    assert page.locator(".attn-told").all_inner_texts() == texts
