"""Positions as hands of clocks, in a real JupyterLab: by key, mouse and finger they turn as torch turns vectors."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger
from playwright.sync_api import expect

from companion.pictures.live.clocks import clocks, position_clocks
from companion.pictures.words import shown
from utils.positions import rotate, sinusoidal

QUERY = torch.tensor([1.0, 0.5, 1.0, -1.0], dtype=torch.float64)
KEY = torch.tensor([0.5, 1.0, -1.5, 0.5], dtype=torch.float64)
SOURCE = f"""from companion.pictures.live.clocks import clocks

clocks({QUERY.tolist()}, {KEY.tolist()})"""
# Where the tips of the hands point, first upwards and then to the right, in the order query, key of each clock.
TIPS = """root => [...root.querySelectorAll(".attn-dials path:not(.attn-tick, .attn-sector, .attn-gone)")]
  .map(one => one.transform.baseVal[0].matrix).map(({e, f}) => [-f, e])"""


@pytest.fixture
def picture(show):
    place = show(SOURCE).locator("attn-clocks")
    expect(place.locator("svg").first).to_be_visible()
    return place


def check(picture, query_at, key_at):
    """Assert that hands, angles and score are those of torch; return the angles and the score."""
    turned = torch.cat([rotate(each[None], [at]) for each, at in ((QUERY, query_at), (KEY, key_at))])
    pairs = turned.unflatten(1, (2, 2)).transpose(1, 2)  # (query and key, clock, up and right)
    tips = torch.tensor(picture.evaluate(TIPS), dtype=torch.float64).unflatten(0, (2, 2)).transpose(0, 1)
    longest = pairs.norm(dim=2).max()
    assert torch.allclose(tips / 44, pairs / longest, atol=1e-4)
    score = shown((turned[0] @ turned[1]).item())
    words = f"Query at position {query_at}, key at position {key_at}: the score is {score}."
    assert picture.locator(".attn-sentence").inner_text() == words
    return picture.locator(".attn-told").all_inner_texts(), score


def test_both_move_on_and_angles_and_score_stand_still(picture, bench):
    before = check(picture, 0, 1)
    picture.get_by_role("slider", name="move both").focus()
    for position in range(1, 4):
        bench.keyboard.press("ArrowRight")
        assert check(picture, position, position + 1) == before
    picture.get_by_role("slider", name="distance").focus()
    bench.keyboard.press("ArrowLeft")
    assert check(picture, 3, 3) != before
    bench.keyboard.press("ArrowLeft")
    assert check(picture, 4, 3) != before  # the earlier of the two stays
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    for letter in "dd":  # JupyterLab deletes a cell
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_the_mouse_moves_both_and_no_screen_reader_talks_meanwhile(picture, bench):
    box = picture.get_by_role("slider", name="move both").bounding_box()
    bench.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    bench.mouse.down()
    bench.mouse.move(box["x"] + box["width"] + 9, box["y"] + box["height"] / 2, steps=3)
    check(picture, 16, 17)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "off"
    bench.mouse.up()
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"


def test_another_way_turns_the_same_hands_by_other_angles(pages, tmp_path):
    ways = {"fast": [1.0, 0.1], "slow": [0.5, 0.01]}
    path = tmp_path / "page.html"
    path.write_text(clocks(QUERY, KEY, speeds=ways, distance=3)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages()
    page.goto(path.as_uri())
    for name, speeds in reversed(ways.items()):
        page.get_by_role("radio", name=name).check()
        wanted = clocks(QUERY, KEY, speeds=speeds, distance=3)._repr_mimebundle_()["text/plain"]
        assert f"clocks: {page.locator('.attn-sentence').inner_text()}" == wanted
    page.watch.check()


def test_a_finger_moves_a_positions_hands(pages, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(position_clocks(16)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    box = page.get_by_role("slider").bounding_box()
    height = box["y"] + box["height"] / 2
    drag_by_finger(page, (box["x"] + 8, height), (box["x"] + box["width"], height))
    sines, cosines = sinusoidal(64, 16)[63].unflatten(0, (8, 2)).T.tolist()
    wanted = [text for s, c in zip(sines, cosines) for text in (f"sin {shown(s)}", f"cos {shown(c)}")]
    assert page.locator(".attn-told").all_inner_texts() == wanted
    page.watch.check()
