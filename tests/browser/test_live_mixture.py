"""Values and their average in the plane, in a real JupyterLab: moved by mouse, finger and keyboard."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger, rows
from playwright.sync_api import expect

from companion.pictures.live.mixture import mixture
from companion.pictures.words import shown

WEIGHTS = torch.tensor([0.44, 0.34, 0.22], dtype=torch.float64)
VALUE = torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]], dtype=torch.float64)
LABELS = ["Life", "is", "short"]
SOURCE = f"""from companion.pictures.live.mixture import mixture

mixture({WEIGHTS.tolist()}, {VALUE.tolist()}, {LABELS})"""
UNIT = 380 / 2 / (1.2 * 3)  # of the drawing, 380 high, which shows the reach of 3 and a fifth more
WIDTH = 380
# On the edge, too: a hundredth of the way to the middle of the corners is inside.
INSIDE = """shape => {
  const corners = [...shape.points], middle = d => corners.reduce((sum, each) => sum + each[d], 0) / corners.length;
  const {e, f} = [...shape.ownerSVGElement.querySelectorAll("path")].at(-1).transform.baseVal.consolidate().matrix;
  return [e, f, shape.isPointInFill(new DOMPoint(0.99 * e + 0.01 * middle("x"), 0.99 * f + 0.01 * middle("y")))];
}"""


@pytest.fixture
def picture(show):
    place = show(SOURCE).locator("attn-mixture")
    expect(place.locator(".attn-handle").first).to_be_visible()
    return place


def written(vector):
    return f"({', '.join(map(shown, vector.tolist()))})"


def check(picture, weights=WEIGHTS, value=VALUE):
    """Assert that table, sentence, arrows and shape are those of these weights and values, by torch."""
    parts, context = weights[:, None] * value, weights @ value
    assert [[line[1], line[-1]] for line in rows(picture.locator("table"))[1:]] == [
        *([written(whole), written(part)] for whole, part in zip(value, parts)),
        ["", written(context)],
    ]
    assert picture.locator("output").all_inner_texts() == [*map(shown, weights.tolist())]
    assert picture.locator("tfoot").inner_text().split()[1:3] == ["Σ", "1.00"]
    handles = picture.locator(".attn-handle").evaluate_all("all => all.map(one => one.ariaValueText)")
    assert handles == [*map(written, value)]
    x, y, inside = picture.locator(".attn-shape").evaluate(INSIDE)
    assert torch.allclose(torch.tensor([x, -y], dtype=torch.float64) / UNIT, context, atol=1e-4)
    assert inside
    ends = picture.locator(".attn-part").evaluate_all("all => all.map(one => [one.points[1].x, -one.points[1].y])")
    assert torch.allclose(torch.tensor(ends, dtype=torch.float64) / UNIT, parts, atol=1e-4)
    steps = picture.locator(".attn-step").evaluate_all("all => all.map(one => [one.points[1].x, -one.points[1].y])")
    assert torch.allclose(torch.tensor(steps, dtype=torch.float64) / UNIT, parts.cumsum(dim=0), atol=1e-4)
    sum_of_parts = " + ".join(f"{shown(weight)} · {label}" for weight, label in zip(weights.tolist(), LABELS))
    lengths = shown(context.norm().item()), shown(value.norm(dim=1).max().item())
    assert picture.locator(".attn-sentence").inner_text() == (
        f"Context {written(context)} = {sum_of_parts}. Length {lengths[0]}; the longest value has {lengths[1]}."
    )


def places(picture, *points):
    """Return where points of the plane are on the page."""
    box = picture.locator("svg").bounding_box()
    scale = box["width"] / WIDTH
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return [(middle[0] + x * UNIT * scale, middle[1] - y * UNIT * scale) for x, y in points]


def with_tip(place, x, y):
    value = VALUE.clone()
    value[place] = torch.tensor([x, y])
    return value


def test_the_others_give_way_to_a_weight_and_the_context_follows(picture, bench):
    check(picture)
    slider = picture.get_by_role("slider", name="weight of short")
    slider.focus()
    bench.keyboard.press("Home")
    check(picture, torch.tensor([0.44 / 0.78, 0.34 / 0.78, 0.0], dtype=torch.float64))
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    check(picture, torch.tensor([0.22 / 0.78, 0.17 / 0.78, 0.5], dtype=torch.float64))
    bench.keyboard.press("End")
    check(picture, torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64))
    picture.get_by_role("button", name="start again").click()
    check(picture)


def test_the_mouse_drags_a_corner_and_the_context_stays_inside(picture, bench):
    start, goal, beyond = places(picture, (-1.5, 0), (-2.2, 2.7), (9, 2.7))
    bench.mouse.move(*start)
    bench.mouse.move(start[0] + 9, start[1])  # not yet held
    check(picture)
    bench.mouse.move(*start)
    bench.mouse.down()
    bench.mouse.move(*goal, steps=3)
    check(picture, value=with_tip(2, -2.2, 2.7))
    bench.mouse.move(*beyond)  # over the words of the table, which it does not select
    bench.mouse.up()
    check(picture, value=with_tip(2, 3.0, 2.7))
    assert bench.evaluate("getSelection().toString()") == ""
    expect(picture.get_by_role("slider", name="tip of short")).to_be_focused()  # the arrow keys go on from there
    bench.mouse.move(*start)  # let go: it follows no more
    check(picture, value=with_tip(2, 3.0, 2.7))
    picture.get_by_role("button", name="start again").click()
    check(picture)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"


def test_the_arrow_keys_move_a_corner_and_home_brings_it_back(picture, bench):
    picture.get_by_role("slider", name="tip of is").focus()
    for key, tip in (("Right", (0.6, -2.0)), ("Up", (0.6, -1.9)), ("Left", (0.5, -1.9)), ("Down", (0.5, -2.0))):
        bench.keyboard.press(f"Arrow{key}")
        check(picture, value=with_tip(1, *tip))
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    bench.mouse.move(*places(picture, (3.0, 1.0))[0])
    bench.mouse.down()
    bench.mouse.move(*places(picture, (2.0, 1.0))[0])
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "off"  # while it is dragged
    bench.mouse.up()
    bench.keyboard.press("Home")
    check(picture)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    for letter in "dd":  # JupyterLab deletes a cell
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_a_finger_drags_a_corner_and_a_weight_and_does_not_scroll(pages, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(mixture(WEIGHTS, VALUE, LABELS)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    drag_by_finger(page, *places(page, (0.5, -2.0), (1.5, 2.5)))
    check(page, value=with_tip(1, 1.5, 2.5))
    box = page.get_by_role("slider", name="weight of Life").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag_by_finger(page, middle, (box["x"], middle[1]))
    check(page, torch.tensor([0.0, 0.34 / 0.56, 0.22 / 0.56], dtype=torch.float64), with_tip(1, 1.5, 2.5))
    assert page.evaluate("scrollY") == 0
    page.watch.check()
