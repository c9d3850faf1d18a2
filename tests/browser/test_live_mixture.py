"""Values and their average in the plane: in the table that is stored, and moved by mouse, finger and keyboard."""

import math

import torch
from lab import PHONE, drag_by_finger, drag_by_mouse, place_on, rows, sentence, spoken
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.notebook_06_mixture import mixture
from companion.pictures.words import shown

WEIGHTS = torch.tensor([0.44, 0.34, 0.22], dtype=torch.float64)
VALUE = torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]], dtype=torch.float64)
LABELS = ["Life", "is", "short"]
PICTURE = mixture(WEIGHTS, VALUE, LABELS)
WIDTH = 380
UNIT = WIDTH / 2 / (1.2 * 3)  # of the drawing, which shows the reach of 3 and a fifth more
# On the edge, too: a hundredth of the way to the middle of the corners is inside.
INSIDE = """shape => {
  const corners = [...shape.points], middle = d => corners.reduce((sum, each) => sum + each[d], 0) / corners.length;
  const {e, f} = [...shape.ownerSVGElement.querySelectorAll("path")].at(-1).transform.baseVal.consolidate().matrix;
  return [e, f, shape.isPointInFill(new DOMPoint(0.99 * e + 0.01 * middle("x"), 0.99 * f + 0.01 * middle("y")))];
}"""
ENDS = "all => all.map(one => [one.points[1].x, -one.points[1].y])"


def written(vector):
    return f"({', '.join(map(shown, vector.tolist()))})"


def test_table_and_sentence_hold_torchs_products_and_context():
    context = WEIGHTS @ VALUE
    head, *values, total = twin_rows(PICTURE)
    assert head == ["", "value v", "weight α", "α · v"]
    assert values == [
        [label, written(value), shown(weight.item()), written(weight * value)]
        for label, weight, value in zip(LABELS, WEIGHTS, VALUE)
    ]
    assert total == ["context", "", "Σ 1.00", written(context)]
    assert PICTURE.text == (
        f"Context {written(context)} = 0.44 · Life + 0.34 · is + 0.22 · short. "
        f"Length {shown(context.norm().item())}; the longest value has {shown(math.hypot(3, 1))}."
    )


def near(found, points):
    return torch.allclose(torch.tensor(found, dtype=torch.float64) / UNIT, points, atol=1e-4)


def check(page, weights=WEIGHTS, value=VALUE):
    """Assert that table, sentence, arrows and shape are those that Python makes of these weights and values."""
    weights = torch.as_tensor(weights, dtype=torch.float64)
    parts, context, picture = weights[:, None] * value, weights @ value, mixture(weights, value, LABELS)
    assert [line[1::2] for line in rows(page.locator("table"))[1:]] == [row[1::2] for row in twin_rows(picture)[1:]]
    assert sentence(page) == picture.text
    assert page.locator("output").all_inner_texts() == [*map(shown, weights.tolist())]
    assert page.locator("tfoot").inner_text().split()[1:3] == ["Σ", "1.00"]
    handles = page.locator(".attn-handle").evaluate_all("all => all.map(one => one.ariaValueText)")
    assert handles == [*map(written, value)]
    x, y, inside = page.locator(".attn-shape").evaluate(INSIDE)
    assert inside and near([x, -y], context)
    assert near(page.locator(".attn-part").evaluate_all(ENDS), parts)
    assert near(page.locator(".attn-step").evaluate_all(ENDS), parts.cumsum(dim=0))


def places(page, *points):
    """Return where points of the plane are on the page."""
    box = page.locator("svg").bounding_box()
    scale = UNIT * box["width"] / WIDTH
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return [(middle[0] + x * scale, middle[1] - y * scale) for x, y in points]


def with_tip(place, x, y):
    value = VALUE.clone()
    value[place] = torch.tensor([x, y])
    return value


def test_the_others_give_way_to_a_weight_and_the_context_follows(on_page):
    page = on_page(PICTURE)
    check(page)
    slider = page.get_by_role("slider", name="weight of short")
    slider.press("Home")
    check(page, [0.44 / 0.78, 0.34 / 0.78, 0.0])
    page.mouse.click(*place_on(slider, 0.5))
    check(page, [0.22 / 0.78, 0.17 / 0.78, 0.5])
    slider.press("End")
    check(page, [0.0, 0.0, 1.0])
    page.mouse.click(*place_on(slider, 0.5))
    check(page, [0.25, 0.25, 0.5])  # of nothing, both got the same
    page.get_by_role("button", name="start again").click()
    check(page)


def test_the_mouse_drags_a_corner_and_the_context_stays_inside(on_page):
    page = on_page(PICTURE)
    start, goal, beyond = places(page, (-1.5, 0), (-2.2, 2.7), (9, 2.7))
    page.mouse.move(start[0] + 9, start[1])  # not yet held
    check(page)
    drag_by_mouse(page, start, goal)
    check(page, value=with_tip(2, -2.2, 2.7))
    assert spoken(page) == "off"
    page.mouse.move(*beyond)  # over the words of the table, which it does not select
    page.mouse.up()
    check(page, value=with_tip(2, 3.0, 2.7))
    assert page.evaluate("getSelection().toString()") == ""
    expect(page.get_by_role("slider", name="tip of short")).to_be_focused()  # the arrow keys go on from there
    page.mouse.move(*start)  # let go: it follows no more
    check(page, value=with_tip(2, 3.0, 2.7))


def test_the_arrow_keys_move_a_corner_and_home_brings_it_back(on_page):
    page = on_page(PICTURE)
    tip = page.get_by_role("slider", name="tip of is")
    for key, end in (("Right", (0.6, -2.0)), ("Up", (0.6, -1.9)), ("Left", (0.5, -1.9)), ("Up", (0.5, -1.8))):
        tip.press(f"Arrow{key}")
        check(page, value=with_tip(1, *end))
        assert spoken(page) == "polite"
    tip.press("Home")
    check(page)


def test_a_finger_drags_a_corner_and_a_weight_and_does_not_scroll(on_page):
    page = on_page(PICTURE, **PHONE)
    drag_by_finger(page, *places(page, (0.5, -2.0), (1.5, 2.5)))
    check(page, value=with_tip(1, 1.5, 2.5))
    slider = page.get_by_role("slider", name="weight of Life")
    drag_by_finger(page, place_on(slider, 0.5), place_on(slider, -0.1))
    check(page, [0.0, 0.34 / 0.56, 0.22 / 0.56], with_tip(1, 1.5, 2.5))
    assert page.evaluate("scrollY") == 0
