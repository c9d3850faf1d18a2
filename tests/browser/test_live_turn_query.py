"""The query that can be turned: in the table that is stored, and by mouse, by finger and by keyboard."""

import pytest
import torch
from lab import PHONE, drag_by_finger, drag_by_mouse, rows, sentence, spoken
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.notebook_04_turn_query import turn_query
from companion.pictures.words import shown

KEYS = torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]], dtype=torch.float64)
LABELS = ["key a", "key b", "key c"]
PICTURE = turn_query([2, 1], KEYS, LABELS)
UNIT = 380 / 2 / (1.1 * 3)  # of the drawing, 380 high, which shows the reach of 3 and a tenth more
# The angle that the arc to the key that scores most measures, by its length; nothing if it is not around the origin.
TURNS = """all => all.map(arc => {
  const radius = Number(arc.getAttribute("d").split(" ")[4]), length = arc.getTotalLength();
  const middle = arc.getPointAtLength(length / 2);
  return Math.abs(Math.hypot(middle.x, middle.y) - radius) < 0.1 && length / radius * 180 / Math.PI;
})"""
BARS = "all => all.map(({ style, className }) => [parseFloat(style.width), parseFloat(style.left), className])"
FEET = "all => all.map(one => [one.cx, one.cy].map(at => at.baseVal.value))"
BOXES = """all => all.map(one => {
  const {left, right, top, bottom} = one.getBoundingClientRect();
  return [one.textContent, left, right, top, bottom];
})"""


def test_the_table_holds_torchs_scores_and_their_factors():
    query = torch.tensor([2.0, 1.0], dtype=torch.float64)
    assert ">query (2.00, 1.00), length 2.24</caption>" in PICTURE.twin
    degrees = torch.cosine_similarity(KEYS, query[None]).acos().rad2deg().tolist()
    along, scores = (KEYS @ query / query.norm()).tolist(), (KEYS @ query).tolist()
    columns = LABELS, [f"{angle:.1f}°" for angle in degrees], map(shown, along), map(shown, scores)
    assert twin_rows(PICTURE)[1:] == [[*row] for row in zip(*columns)]
    assert [row[1] for row in twin_rows(turn_query([0, 0], KEYS, LABELS))[1:]] == ["–"] * 3


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ([2.0, 1.0], "Largest score: “key b” (3.50); below zero: “key c”."),
        ([2.0, 2.0], "Largest score: “key b” (6.00); below zero: none; zero: “key c”."),
        ([0.0, -1.0], "Largest score: “key a” (−0.30); below zero: “key a”, “key b”, “key c”."),
        ([0.0, 0.0], "Largest score: “key a” (0.00); below zero: none; zero: “key a”, “key b”, “key c”."),
    ],
)
def test_the_sentence_tells_the_largest_score_and_those_at_zero_and_below(query, sentence):
    assert turn_query(query, KEYS, LABELS).text == sentence


def check(page, x, y):
    """Assert that handle, table, bars, angles, feet and the shaded half are those of this query."""
    query = torch.tensor([x, y], dtype=torch.float64)
    scores, length = KEYS @ query, query.norm()
    degrees = torch.cosine_similarity(KEYS, query[None]).acos().rad2deg()
    assert page.locator(".attn-handle").get_attribute("aria-valuetext") == f"({shown(x)}, {shown(y)})"
    picture = turn_query(query, KEYS, LABELS)
    assert f">{page.locator('caption').inner_text()}</caption>" in picture.twin and sentence(page) == picture.text
    assert rows(page.locator("table"))[2::2] == twin_rows(picture)[1:]
    # Below each line lies its bar. The scale never changes: the largest in reach, 3 · 0.5 + 3 · 2.5, is half the cell.
    for (width, left, name), score in zip(page.locator(".attn-bar div").evaluate_all(BARS), scores.tolist()):
        assert [width, left] == pytest.approx([abs(score) / 9 * 50, 50 + min(score, 0) / 9 * 50], abs=0.01)
        assert name == ("attn-negative" if score < 0 else "")
    turns = page.locator("path[d*=A]").evaluate_all(TURNS)
    assert turns == pytest.approx([degrees[scores.argmax()].item()], abs=0.05)
    ends = torch.tensor(page.locator("circle:not(.attn-handle)").evaluate_all(FEET), dtype=torch.float64)
    feet = scores[:, None] * query / length**2
    assert torch.allclose(ends / UNIT, feet * torch.tensor([1, -1]), atol=1e-4)
    turn = page.locator("g:has(> .attn-below)").get_attribute("transform")
    assert float(turn[7:-1]) == pytest.approx(-torch.atan2(query[1], query[0]).rad2deg().item())


def places(page, x, y):
    """Return where the handle's middle is on the page, and where this point of the plane is."""
    frame, handle = (page.locator(part).bounding_box() for part in ("svg", ".attn-handle"))
    unit = UNIT * page.locator("svg").evaluate("one => one.getScreenCTM().a")
    middle = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    tip = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    return tip, (middle[0] + x * unit, middle[1] - y * unit)


def test_the_mouse_drags_the_tip_and_stops_at_the_reach(on_page):
    page = on_page(PICTURE)
    check(page, 2.0, 1.0)
    start, goal = places(page, -1.5, -0.7)
    drag_by_mouse(page, start, goal)
    check(page, -1.5, -0.7)
    assert spoken(page) == "off"
    page.mouse.move(goal[0] - 1000, goal[1])
    page.mouse.move(start[0] + 400, goal[1])  # over the words of the table, which it does not select
    page.mouse.up()
    check(page, 3.0, -0.7)
    assert page.evaluate("getSelection().toString()") == ""
    expect(page.locator(".attn-handle")).to_be_focused()  # the arrow keys go on from there
    page.mouse.move(*places(page, 2.8, -0.7)[1])  # let go: over the handle, too, it follows no more
    check(page, 3.0, -0.7)


def test_a_finger_drags_the_tip_and_does_not_scroll(on_page):
    page = on_page(PICTURE, **PHONE)
    drag_by_finger(page, *places(page, 1.0, -1.0))
    drag_by_finger(page, *places(page, 1.0, 1.0))
    check(page, 1.0, 1.0)
    assert sentence(page).endswith("below zero: none; zero: “key c”.")
    assert page.evaluate("scrollY") == 0


def test_the_arrow_keys_move_the_tip_by_a_tenth_and_home_brings_it_back(on_page):
    page = on_page(PICTURE)
    handle = page.locator(".attn-handle")
    for key, tip in (("Right", (2.1, 1.0)), ("Up", (2.1, 1.1)), ("Left", (2.0, 1.1)), ("Down", (2.0, 1.0))):
        handle.press(f"Arrow{key}")
        check(page, *tip)
        assert spoken(page) == "polite"
    for _ in range(25):
        handle.press("ArrowUp")
    check(page, 2.0, 3.0)
    handle.press("Home")
    check(page, 2.0, 1.0)


def test_a_query_of_zeros_scores_nothing_and_shades_nothing(on_page):
    page = on_page(turn_query([0.1, 0], [[1, 1]], ["key"]))
    page.locator(".attn-handle").press("ArrowLeft")
    assert rows(page.locator("table"))[2] == ["key", "–", "0.00", "0.00"]
    assert sentence(page) == "Largest score: “key” (0.00); below zero: none; zero: “key”."
    expect(page.locator("g:has(> .attn-below)")).to_be_hidden()


def test_the_name_of_the_query_steps_aside_where_a_key_has_its_name(on_page):
    page = on_page(PICTURE)
    for key in [*["ArrowLeft"] * 30, "ArrowDown", "ArrowUp"]:  # to (−1, 1), where key c ends
        page.locator(".attn-handle").press(key)
    names = page.locator(".attn-plane > g > text:not(.attn-small)").evaluate_all(BOXES)
    (_, left, right, top, bottom), *keys = sorted(names, key=lambda each: each[0] != "query")
    assert len(keys) == 3 and not any(a < right and left < b and c < bottom and top < d for _, a, b, c, d in keys)
