"""The query that can be turned, in a real JupyterLab: by mouse, by finger and by keyboard."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger, rows
from playwright.sync_api import expect

from companion.pictures.live.turn_query import turn_query
from companion.pictures.words import shown

KEYS = torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]], dtype=torch.float64)
SOURCE = """from companion.pictures.live.turn_query import turn_query

turn_query([2, 1], [[1.2, 0.3], [0.5, 2.5], [-1, 1]], ["key a", "key b", "key c"])"""
UNIT = 380 / 2 / (1.1 * 3)  # of the drawing, 380 high, which shows the reach of 3 and a tenth more
SCROLLS = """handle => handle.dispatchEvent(
  new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }))"""
# The angle that the arc to the key that scores most measures, by its length; nothing if it is not around the origin.
TURNS = """all => all.map(arc => {
  const radius = Number(arc.getAttribute("d").split(" ")[4]), length = arc.getTotalLength();
  const middle = arc.getPointAtLength(length / 2);
  return Math.abs(Math.hypot(middle.x, middle.y) - radius) < 0.1 && length / radius * 180 / Math.PI;
})"""


@pytest.fixture
def picture(show):
    place = show(SOURCE).locator("attn-turn-query")
    expect(place.locator(".attn-handle")).to_be_visible()
    return place


def check(picture, x, y):
    """Assert that handle, table, bars, angles, feet and the shaded half are those of this query."""
    query = torch.tensor([x, y], dtype=torch.float64)
    scores, length = KEYS @ query, query.norm()
    degrees = torch.cosine_similarity(KEYS, query[None]).acos().rad2deg()
    assert picture.locator(".attn-handle").get_attribute("aria-valuetext") == f"({shown(x)}, {shown(y)})"
    assert picture.locator("caption").inner_text() == f"query ({shown(x)}, {shown(y)}), length {shown(length)}"
    assert [line[1:] for line in rows(picture.locator("table"))[2::2]] == [
        [f"{angle:.1f}°", shown(score / length), shown(score)]
        for score, angle in zip(scores.tolist(), degrees.tolist())
    ]
    # Below each line lies its bar. The scale never changes: the largest in reach, 3 · 0.5 + 3 · 2.5, is half the cell.
    bars = picture.locator(".attn-bar div").evaluate_all(
        "all => all.map(({ style, className }) => [parseFloat(style.width), parseFloat(style.left), className])"
    )
    for (width, left, name), score in zip(bars, scores.tolist()):
        assert width == pytest.approx(abs(score) / 9 * 50, abs=0.01)
        assert left == pytest.approx(50 + min(score, 0) / 9 * 50, abs=0.01)
        assert name == ("attn-negative" if score < 0 else "")
    ends = picture.locator("circle:not(.attn-handle)").evaluate_all(
        "all => all.map(one => [one.cx, one.cy].map(at => at.baseVal.value))"
    )
    turns = picture.locator("path[d*=A]").evaluate_all(TURNS)
    assert turns == pytest.approx([degrees[scores.argmax()].item()], abs=0.05)
    feet = scores[:, None] * query / length**2
    assert torch.allclose(torch.tensor(ends, dtype=torch.float64) / UNIT, feet * torch.tensor([1, -1]), atol=1e-4)
    turn = picture.locator("g:has(> .attn-below)").get_attribute("transform")
    assert float(turn[7:-1]) == pytest.approx(-torch.atan2(query[1], query[0]).rad2deg().item())
    assert f"“key {'abc'[scores.argmax()]}” ({shown(scores.max().item())})" in sentence(picture)


def sentence(picture):
    return picture.locator(".attn-sentence").inner_text()


def spoken(picture):
    return picture.locator(".attn-sentence").evaluate("one => one.ariaLive")


def places(picture, x, y):
    """Return where the handle's middle is on the page, and where this point of the plane is."""
    frame, handle = (picture.locator(part).bounding_box() for part in ("svg", ".attn-handle"))
    unit = UNIT * picture.locator("svg").evaluate("one => one.getScreenCTM().a")
    middle = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    return (
        (handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2),
        (middle[0] + x * unit, middle[1] - y * unit),
    )


def test_the_scores_are_those_of_torch_from_the_start(picture):
    check(picture, 2.0, 1.0)
    assert sentence(picture) == "Largest score: “key b” (3.50); below zero: “key c”."


def test_the_mouse_drags_the_tip_and_stops_at_the_reach(picture, bench):
    start, goal = places(picture, -1.5, -0.7)
    bench.mouse.move(*start)
    bench.mouse.down()
    bench.mouse.move(*goal, steps=3)
    check(picture, -1.5, -0.7)
    assert spoken(picture) == "off"
    bench.mouse.move(goal[0] - 1000, goal[1])
    bench.mouse.up()
    check(picture, -3.0, -0.7)
    bench.mouse.move(*places(picture, -2.8, -0.7)[1])  # let go: over the handle, too, it follows no more
    check(picture, -3.0, -0.7)


def test_a_finger_drags_the_tip_and_does_not_scroll(pages, tmp_path):
    path = tmp_path / "page.html"
    drawn = turn_query([2, 1], KEYS, ["key a", "key b", "key c"])._repr_mimebundle_()["text/html"]
    path.write_text(drawn, encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 500})
    page.goto(path.as_uri())
    drag_by_finger(page, *places(page, 1.0, -1.0))
    drag_by_finger(page, *places(page, 1.0, 1.0))
    check(page, 1.0, 1.0)
    assert sentence(page).endswith("below zero: none; zero: “key c”.")
    assert page.evaluate("scrollY") == 0
    page.watch.check()


def test_the_arrow_keys_move_the_tip_by_a_tenth_and_home_brings_it_back(picture, bench):
    picture.locator(".attn-handle").focus()
    for key, tip in (("Right", (2.1, 1.0)), ("Up", (2.1, 1.1)), ("Left", (2.0, 1.1)), ("Down", (2.0, 1.0))):
        bench.keyboard.press(f"Arrow{key}")
        check(picture, *tip)
        assert spoken(picture) == "polite"
    for _ in range(25):
        bench.keyboard.press("ArrowUp")
    check(picture, 2.0, 3.0)
    bench.keyboard.press("Home")
    check(picture, 2.0, 1.0)
    for letter in "dd":  # JupyterLab deletes a cell
        bench.keyboard.press(letter)
    check_undisturbed(bench)
    assert not picture.locator(".attn-handle").evaluate(SCROLLS)


def test_a_query_of_zeros_scores_nothing_and_shades_nothing(show, bench):
    place = show("from companion.pictures.live.turn_query import turn_query\nturn_query([0.1, 0], [[1, 1]], ['key'])")
    place.locator(".attn-handle").focus()
    bench.keyboard.press("ArrowLeft")
    assert rows(place.locator("table"))[2] == ["key", "–", "0.00", "0.00"]
    assert sentence(place) == "Largest score: “key” (0.00); below zero: none; zero: “key”."
    expect(place.locator("g:has(> .attn-below)")).to_be_hidden()


def test_the_name_of_the_query_steps_aside_where_a_key_has_its_name(picture, bench):
    picture.locator(".attn-handle").focus()
    for key in [*["ArrowLeft"] * 30, "ArrowDown", "ArrowUp"]:  # to (−1, 1), where key c ends
        bench.keyboard.press(key)
    names = picture.locator(".attn-plane > g > text:not(.attn-small)").evaluate_all(
        "all => all.map(one => { const { left, right, top, bottom } = one.getBoundingClientRect();"
        "return [one.textContent, left, right, top, bottom]; })"
    )
    (_, left, right, top, bottom), *keys = sorted(names, key=lambda each: each[0] != "query")
    assert len(keys) == 3 and not any(a < right and left < b and c < bottom and top < d for _, a, b, c, d in keys)
