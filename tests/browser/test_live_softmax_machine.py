"""The softmax machine in a real JupyterLab: every number that it shows after a change is torch's."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger, rows
from playwright.sync_api import expect

from companion.pictures.live.softmax_machine import softmax_machine

TOKENS = ["Life", "is", "short", "eat", "dessert", "first"]
ROW = [1.7515, -1.5635, 0.6646, 0.2122, 2.2753, -0.098]
PREPARED = "from companion.pictures.live.softmax_machine import softmax_machine\n"


@pytest.fixture
def picture(show):
    return show(f"{PREPARED}softmax_machine({ROW}, {TOKENS}, 'is')").locator(".attention-live")


def text(number):
    return "−∞" if number == -torch.inf else f"{number:z.2f}".replace("-", "−")


def check(picture, scores, temperature=1, sentence=None):
    """Assert that the table, the parts of the bar and the sentence are those of these scores, by torch."""
    scores = torch.tensor(scores, dtype=torch.float64)
    exps = torch.exp((scores - scores.max()) / temperature).nan_to_num()
    shares = torch.softmax(scores / temperature, dim=-1).nan_to_num()
    shown = [[*map(text, numbers)] for numbers in torch.stack([scores, exps, shares], dim=1).tolist()]
    shown = [[score, exp, "–" if score == "−∞" else share] for score, exp, share in shown]
    figures = picture.locator("tbody .attn-figure").all_inner_texts()
    assert [figures[start : start + 3] for start in range(0, len(figures), 3)] == shown
    assert picture.locator("tfoot .attn-figure").all_inner_texts() == [text(exps.sum()), text(shares.sum())]
    exp_bars = picture.locator("tbody .attn-exp .attn-bar")
    assert exp_bars.evaluate_all("all => all.map(e => parseFloat(e.style.width))") == pytest.approx(
        (100 * exps).tolist(), abs=1e-3
    )
    for place in ("tbody .attn-share .attn-bar", "tfoot .attn-bar"):
        ends = picture.locator(place).evaluate_all("all => all.map(e => [e.style.left, e.style.width].map(parseFloat))")
        starts = [0, *shares.cumsum(dim=0).tolist()[:-1]]
        wanted = [100 * number for pair in zip(starts, shares.tolist()) for number in pair]
        assert [number for pair in ends for number in pair] == pytest.approx(wanted, abs=1e-3)
    if sentence:
        assert picture.locator(".attn-sentence").inner_text() == sentence


def changed(place, score):
    return [score if j == place else each for j, each in enumerate(ROW)]


def handle(picture, key):
    return picture.get_by_label(f"score of {key}", exact=True)


def drag(page, picture, key, to):
    """Drag a score's handle from where it stands to a place on its scale, 0 to 1."""
    box = handle(picture, key).bounding_box()
    now = handle(picture, key).evaluate("e => (e.value - e.min) / (e.max - e.min)")
    x = [box["x"] + 5 + (box["width"] - 10) * share for share in (now, to)]
    page.mouse.move(x[0], box["y"] + 12)
    page.mouse.down()
    page.mouse.move(x[1], box["y"] + 12, steps=4)
    page.mouse.up()


def test_it_starts_with_the_static_twins_numbers_and_says_them(picture):
    check(picture, ROW, sentence="For “is”: “dessert” gets 0.49 of 1, “Life” 0.29.")
    head = rows(picture.locator("table"))[0]
    assert [each.replace("\u00a0", " ") for each in head] == ["key", "score ω", "exp(ω − max)", "weight α = exp / sum"]


def test_a_score_is_dragged_and_its_bar_shares_and_sentence_follow(picture, bench):
    drag(bench, picture, "is", 1)
    check(picture, changed(1, 5.0), sentence="For “is”: “is” gets 0.88 of 1, “dessert” 0.06.")
    drag(bench, picture, "is", 0)
    check(picture, changed(1, -4.0))
    bar = handle(picture, "is").locator("xpath=preceding-sibling::div")
    assert "attn-negative" in bar.get_attribute("class")
    scale = handle(picture, "is").bounding_box()["width"] - 10
    assert bar.bounding_box()["width"] == pytest.approx(scale * 4 / 9, abs=1)
    check_undisturbed(bench)


def test_a_finger_moves_a_score(picture, bench):
    place = handle(picture, "eat")
    box = place.bounding_box()
    touch = bench.context.new_cdp_session(bench)
    at = {"x": box["x"] + box["width"] * 4 / 9, "y": box["y"] + 12}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    end = [at | {"x": box["x"] + box["width"] + 5}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": end})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(place).to_have_attribute("aria-valuetext", "5.00")
    check(picture, changed(3, 5.0))


def test_a_finger_that_scrolls_the_page_over_a_score_leaves_it_as_it_was(pages, tmp_path):
    path = tmp_path / "page.html"
    machine = softmax_machine(ROW, TOKENS, "is")._repr_mimebundle_()["text/html"]
    path.write_text(f"{machine}<div style='height:2000px'>", encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 600, "height": 800})
    page.goto(path.as_uri())
    slider = page.locator("attn-softmax-machine input[type=range]").nth(1)
    before, box = slider.input_value(), slider.bounding_box()
    start = box["x"] + 0.9 * box["width"], box["y"] + 12
    drag_by_finger(page, start, (start[0], start[1] - 200))
    page.wait_for_function("scrollY > 50")
    assert slider.input_value() == before
    page.watch.check()


def test_the_arrow_keys_home_and_end_move_a_score_and_only_then_it_is_spoken(picture, bench):
    handle(picture, "dessert").focus()
    for key, score in (("ArrowLeft", 2.2), ("ArrowUp", 2.3), ("End", 5.0), ("Home", -4.0), ("ArrowRight", -3.9)):
        bench.keyboard.press(key)
        check(picture, changed(4, score))
        expect(handle(picture, "dessert")).to_have_attribute("aria-valuetext", text(score))
        expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "polite")
    handle(picture, "dessert").evaluate("e => e.dispatchEvent(new Event('input'))")
    expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "off")
    check_undisturbed(bench)


def test_adding_one_to_all_scores_changes_no_share_and_says_so(picture, bench):
    said = "For “is”: “dessert” gets 0.49 of 1, “Life” 0.29."
    more, less = (picture.get_by_role("button", name=f"{sign} 1 to all") for sign in "+−")
    more.click()
    check(picture, [each + 1 for each in ROW], sentence=f"All scores rose by 1, and no share changed. {said}")
    less.focus()
    for by in (0, -1):
        bench.keyboard.press("Enter")
        check(picture, [each + by for each in ROW], sentence=f"All scores fell by 1, and no share changed. {said}")
    for _ in range(2):
        bench.keyboard.press("Space")
    check(picture, [each - 2 for each in ROW], sentence=f"The scale ends here. {said}")
    check_undisturbed(bench)


def test_it_opens_at_a_temperature_to_which_reset_returns(show):
    picture = show(f"{PREPARED}softmax_machine({ROW}, {TOKENS}, 'is', temperature=5)").locator(".attention-live")
    check(picture, ROW, temperature=5)
    picture.get_by_label("temperature").press("Home")
    picture.get_by_role("button", name="reset").click()
    check(picture, ROW, temperature=5)


def test_every_name_stands_in_the_row_beside_its_stair_and_inside_the_track(picture):
    places = picture.locator("tbody .attn-share .attn-track").evaluate_all(
        "all => all.map(track => [track, ...track.children].map(part => {"
        "const { left, right } = part.getBoundingClientRect(); return [left, right]; }))"
    )
    for (left, right), stair, name in places:
        assert left - 1 <= name[0] and name[1] <= right + 1
        assert name[0] >= stair[1] - 1 or name[1] <= stair[0] + 1 or name == pytest.approx(stair, abs=2)


def test_a_key_is_clicked_away_and_the_others_share_what_it_had(picture, bench):
    boxes = picture.get_by_role("checkbox")
    boxes.nth(4).click()
    check(picture, changed(4, -torch.inf), sentence="For “is”: “Life” gets 0.57 of 1, “short” 0.19.")
    expect(handle(picture, "dessert")).to_be_disabled()
    boxes.nth(4).focus()
    bench.keyboard.press("Space")
    check(picture, ROW)
    for key in range(6):
        picture.locator("label").nth(key).click()
    zeros = "All keys are hidden: the row becomes zeros, and nothing is shared out."
    check(picture, [-torch.inf] * 6, sentence=zeros)
    check_undisturbed(bench)


def test_the_temperature_divides_the_scores_by_mouse_and_keyboard_and_only_then_it_is_spoken(picture, bench):
    temperature = picture.get_by_label("temperature")
    box = temperature.bounding_box()
    bench.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    check(picture, ROW, temperature=5)
    assert rows(picture.locator("table"))[0][2].replace("\u00a0", " ") == "exp((ω − max) / 5.00)"
    for key, power in (("ArrowLeft", 0.9), ("Home", -1)):
        bench.keyboard.press(key)
        check(picture, ROW, temperature=5**power)
        expect(temperature).to_have_attribute("aria-valuetext", text(5**power))
        expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "polite")
    temperature.evaluate("e => e.dispatchEvent(new Event('input'))")
    expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "off")
    check_undisturbed(bench)


def test_reset_puts_scores_temperature_and_keys_back(picture, bench):
    handle(picture, "Life").focus()
    bench.keyboard.press("End")
    picture.get_by_label("temperature").focus()
    bench.keyboard.press("Home")
    picture.get_by_role("checkbox").nth(2).click()
    picture.get_by_role("button", name="reset").focus()
    bench.keyboard.press("Enter")
    check(picture, ROW, sentence="For “is”: “dessert” gets 0.49 of 1, “Life” 0.29.")
    expect(picture.get_by_label("temperature")).to_have_attribute("aria-valuetext", "1.00")
    expect(picture.get_by_role("checkbox").nth(2)).to_be_checked()
    check_undisturbed(bench)
