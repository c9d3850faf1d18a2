"""The weighted sum in a real JupyterLab: its steps, queries and weights by mouse, finger and keyboard."""

import pytest
import torch
from lab import drag_by_finger
from playwright.sync_api import expect

from companion.pictures.live.weighted_sum import weighted_sum
from companion.pictures.words import shown

PREPARED = """import torch
from companion.pictures.live.weighted_sum import weighted_sum

weights = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0], [0.0, 0.0, 1.0]])
value = torch.tensor([[1.0, -2.0], [3.0, 4.0], [-5.0, 0.5]])
weighted_sum(weights, value, ["Life", "is", "short"])"""
WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0], [0.0, 0.0, 1.0]], dtype=torch.float64)
VALUE = torch.tensor([[1.0, -2.0], [3.0, 4.0], [-5.0, 0.5]], dtype=torch.float64)


@pytest.fixture
def picture(show):
    return show(PREPARED).locator(".attention-live")


def check(picture, weights, whose="Your own mix", spoken=True):
    """Assert that weights, weighted values, context and sentence are those of torch, and whether it is spoken."""
    parts = weights[:, None] * VALUE
    expect(picture.locator("output")).to_have_text([*map(shown, weights.tolist())])
    expect(picture.locator("tbody .attn-number")).to_have_text([*map(shown, parts.flatten().tolist())])
    expect(picture.locator("tfoot .attn-number")).to_have_text([*map(shown, parts.sum(dim=0).tolist())])
    expect(picture.locator("tfoot td").first).to_have_text("Σ 1.00")
    mix = " + ".join(f"{shown(weight)} · {key}" for weight, key in zip(weights.tolist(), ["Life", "is", "short"]))
    expect(picture.locator(".attn-sentence")).to_have_text(f"{whose} = {mix}.")
    expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "polite" if spoken else "off")


def test_another_query_brings_its_weights_by_mouse_and_keyboard(picture, bench):
    check(picture, WEIGHTS[0], "Context of “Life”", spoken=False)
    picture.get_by_label("is", exact=True).click()
    check(picture, WEIGHTS[1], "Context of “is”")
    bench.keyboard.press("ArrowLeft")
    check(picture, WEIGHTS[0], "Context of “Life”")


def test_the_steps_go_from_values_to_their_weighted_sum(picture, bench):
    picture.get_by_label("values").click()
    expect(picture.locator("tbody .attn-number")).to_have_text([*map(shown, VALUE.flatten().tolist())])
    expect(picture.locator("tfoot")).to_be_hidden()
    expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "polite")
    bench.keyboard.press("ArrowRight")
    expect(picture.locator("thead")).to_contain_text("α · v")
    bench.keyboard.press("ArrowRight")
    check(picture, WEIGHTS[0], "Context of “Life”")


def test_the_others_give_way_to_a_weight_in_proportion_and_come_back(picture, bench):
    slider = picture.get_by_role("slider", name="weight of short")
    slider.focus()
    bench.keyboard.press("Home")
    check(picture, torch.tensor([0.4, 0.6, 0.0], dtype=torch.float64))
    bench.keyboard.press("End")
    check(picture, torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64))
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    check(picture, torch.tensor([0.25, 0.25, 0.5], dtype=torch.float64))
    picture.get_by_role("button", name="computed weights").click()
    check(picture, WEIGHTS[0], "Context of “Life”")


def test_while_a_weight_is_dragged_nothing_is_spoken_and_no_bar_lags_behind(picture, bench):
    box = picture.get_by_role("slider", name="weight of short").bounding_box()
    bench.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    bench.mouse.down()
    bench.mouse.move(box["x"], box["y"] + box["height"] / 2, steps=3)
    check(picture, torch.tensor([0.4, 0.6, 0.0], dtype=torch.float64), spoken=False)
    bar = picture.locator("tfoot .attn-part").first
    assert bar.evaluate("bar => getComputedStyle(bar).transitionDuration") == "0s"
    bench.mouse.up()
    check(picture, torch.tensor([0.4, 0.6, 0.0], dtype=torch.float64))


def test_a_key_alone_keeps_all_the_weight(show, bench):
    source = "from companion.pictures.live.weighted_sum import weighted_sum\nweighted_sum([[1.0]], [[2.0]], ['Life'])"
    slider = show(source).get_by_role("slider")
    slider.focus()
    bench.keyboard.press("Home")
    expect(slider).to_have_value("1")


def test_a_finger_drags_a_weight(pages, tmp_path):
    path = tmp_path / "page.html"
    drawn = weighted_sum(WEIGHTS, VALUE, ["Life", "is", "short"])._repr_mimebundle_()["text/html"]
    path.write_text(drawn, encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    box = page.get_by_role("slider", name="weight of short").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag_by_finger(page, middle, (box["x"], middle[1]))
    check(page, torch.tensor([0.4, 0.6, 0.0], dtype=torch.float64))
    page.watch.check()


def test_the_parts_end_where_the_context_ends(picture):
    ends = "all => all.map(one => { const box = one.getBoundingClientRect(); return [box.left, box.right]; })"
    picture.evaluate("root => root.querySelector('table').classList.add('attn-dragged')")
    last = picture.locator("tbody tr:last-child .attn-part").evaluate_all(ends)
    context = picture.locator("tfoot .attn-part").evaluate_all(ends)
    assert context[0][0] == pytest.approx(last[0][0], abs=0.6)  # the sum is negative: both end at the left
    assert context[1][1] == pytest.approx(last[1][1], abs=0.6)
