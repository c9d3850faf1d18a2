"""`view` in a real JupyterLab, by mouse and by keyboard, despite JupyterLab's own shortcuts."""

import pytest
from hostile import HOSTILE, check_shown_as_text
from lab import check_undisturbed, rows
from playwright.sync_api import expect

TOKENS = ["Life", "is", "short", "eat", "dessert", "first"]
PREPARED = f"""import torch
from IPython.display import display
from companion.pictures.live.view import view

torch.manual_seed(0)
scores = 3 * torch.randn(2, 6, 6)
tokens = {TOKENS}
"""


@pytest.fixture
def picture(show):
    return show(PREPARED + "view(scores, tokens, head_dim=4, causal=False)").locator(".attention-live")


@pytest.fixture
def loose(show):
    """A picture that follows no query at the start."""
    return show(PREPARED + "view(scores, tokens)").locator(".attention-live")


def row(picture, query):
    return picture.locator("table:not(.attn-steps) tbody tr").nth(query)


def check_followed(picture, query):
    """Assert that table, sentence, lines and steps all follow this query, or that none does."""
    wanted = [place == query for place in range(len(TOKENS))]
    for parts in ("table:not(.attn-steps) tbody tr", ".attn-lines g > g", ".attn-lines text.attn-query"):
        found = picture.locator(parts).evaluate_all("all => all.map(one => one.classList.contains('attn-followed'))")
        assert found == wanted, parts
    sentence = picture.locator(".attn-sentence").inner_text().removeprefix("Head 0: ")
    assert sentence.startswith("Largest weight:" if query is None else f"“{TOKENS[query]}” attends most to")
    if picture.locator(".attn-steps").count():
        assert picture.locator(".attn-steps .attn-name").inner_text() == TOKENS[query]
        assert rows(picture.locator(".attn-steps"))[-1][1:] == rows(picture.locator("table").first)[query + 1][1:-1]


def pinned(picture):
    return picture.locator("tbody button").evaluate_all("all => all.findIndex(one => one.ariaPressed === 'true')")


def test_pointing_follows_a_query_and_leaving_ends_it(loose, bench):
    check_followed(loose, None)
    for query in (2, 5):
        row(loose, query).locator("td").nth(3).hover()
        check_followed(loose, query)
    bench.mouse.move(0, 0)
    check_followed(loose, None)


def test_a_name_beside_the_lines_follows_its_query_and_a_click_pins_it(loose, bench):
    name = loose.locator(".attn-lines text.attn-query").nth(3)
    name.hover()
    check_followed(loose, 3)
    name.click()
    bench.mouse.move(0, 0)
    check_followed(loose, 3)
    assert pinned(loose) == 3


def test_a_click_pins_a_query_another_unpins_it_and_the_pin_stays_when_the_mouse_leaves(loose, bench):
    row(loose, 3).locator("td").nth(1).click()
    row(loose, 1).hover()
    check_followed(loose, 1)
    bench.mouse.move(0, 0)
    check_followed(loose, 3)
    assert pinned(loose) == 3
    row(loose, 3).click()
    bench.mouse.move(0, 0)
    assert pinned(loose) == -1
    row(loose, 4).locator("button").click()
    assert pinned(loose) == 4
    check_undisturbed(bench)


def test_tab_reaches_the_rows_and_the_arrow_keys_home_and_end_walk_them(picture, bench):
    picture.locator("[type=checkbox]").focus()
    bench.keyboard.press("Tab")
    check_followed(picture, 0)
    keys = ["ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowDown", "Home", "ArrowUp"]
    for key, query in zip(keys, (1, 2, 1, 5, 5, 0, 0)):
        bench.keyboard.press(key)
        check_followed(picture, query)
        expect(row(picture, query).locator("button")).to_be_focused()
    check_undisturbed(bench)


def test_tab_comes_back_to_the_row_that_was_left(picture, bench):
    row(picture, 0).locator("button").focus()
    bench.keyboard.press("ArrowDown")
    bench.keyboard.press("Shift+Tab")
    expect(picture.locator("[type=checkbox]")).to_be_focused()
    bench.keyboard.press("Tab")
    check_followed(picture, 1)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_pins_and_unpins_the_row(key, loose, bench):
    row(loose, 0).locator("button").focus()
    bench.keyboard.press("ArrowDown")
    bench.keyboard.press(key)
    assert pinned(loose) == 1
    bench.keyboard.press("ArrowDown")
    check_followed(loose, 2)
    bench.evaluate("document.activeElement.blur()")
    check_followed(loose, 1)
    row(loose, 1).locator("button").focus()
    bench.keyboard.press(key)
    assert pinned(loose) == -1
    check_undisturbed(bench)


def test_letters_typed_on_a_row_are_no_shortcuts_of_jupyterlab(picture, bench):
    row(picture, 0).locator("button").focus()
    for letter in "ddabxm":  # delete, insert above and below, cut, turn into Markdown
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_the_temperature_follows_the_keyboard(picture, bench):
    start = rows(picture.locator("table").first)
    picture.locator("[type=range]").focus()
    for key, temperature in (("ArrowRight", "1.19"), ("ArrowUp", "1.41"), ("End", "32.00"), ("Home", "0.12")):
        before = rows(picture.locator("table").first)
        bench.keyboard.press(key)
        assert picture.locator("output").inner_text() == temperature
        assert rows(picture.locator("table").first) != before
    for _ in range(12):
        bench.keyboard.press("ArrowRight")
    assert picture.locator("output").inner_text() == "1.00"
    assert rows(picture.locator("table").first) == start
    check_undisturbed(bench)


def test_the_temperature_follows_the_mouse(picture, bench):
    box = picture.locator("[type=range]").bounding_box()
    middle = box["y"] + box["height"] / 2
    bench.mouse.move(box["x"] + box["width"] * 12 / 32, middle)
    bench.mouse.down()
    bench.mouse.move(box["x"] + box["width"] - 1, middle, steps=5)
    bench.mouse.up()
    assert picture.locator("output").inner_text() == "32.00"
    assert {cell for line in rows(picture.locator("table").first)[1:] for cell in line[1:-1]} < {
        f"0.{hundredths}" for hundredths in range(10, 25)
    }
    assert "÷ 32.00" in rows(picture.locator(".attn-steps"))[2][0]


def test_the_causal_mask_hides_the_future_in_table_sentence_lines_and_steps(picture, bench):
    mask = picture.locator("[type=checkbox]")
    mask.focus()
    bench.keyboard.press("Space")
    expect(mask).to_be_checked()
    numbers = [line[1:-1] for line in rows(picture.locator("table").first)[1:]]
    assert [[text == "–" for text in line] for line in numbers] == [[j > i for j in range(6)] for i in range(6)]
    hidden = picture.locator("td.attn-hidden").evaluate_all("all => all.map(one => one.style.background)")
    assert set(hidden) == {""}  # stripes, and no colour of a weight
    assert "5 of 6 keys are hidden" in picture.locator(".attn-sentence").inner_text()
    assert rows(picture.locator(".attn-steps"))[3][2:] == ["−∞"] * 5
    drawn = (
        picture.locator(".attn-lines g > g")
        .nth(0)
        .locator("path")
        .evaluate_all("all => all.map(one => one.style.display)")
    )
    assert drawn == ["", *["none"] * 5]
    mask.click()
    assert "–" not in str(rows(picture.locator("table").first))


def test_the_lines_are_as_strong_as_the_weights(picture):
    picture.locator("[type=radio]").nth(1).check()
    widths = picture.locator(".attn-lines path").evaluate_all(
        "all => all.map(one => parseFloat(one.style.strokeWidth))"
    )
    weights = [float(text) for line in rows(picture.locator("table").first)[1:] for text in line[1:-1]]
    assert widths == pytest.approx([0.6 + 9 * weight for weight in weights], abs=0.05)


def test_heads_are_chosen_by_mouse_and_keyboard_and_two_pictures_leave_each_other_alone(show, bench):
    place = show(PREPARED + "display(view(scores, tokens, follow=1), view(scores.flip(0), tokens, causal=True))")
    first, second = place.locator(".attention-live").all()
    before, other = rows(first.locator("table")), rows(second.locator("table"))
    first.locator("[type=radio]").nth(1).check()
    assert rows(first.locator("table")) != before
    row(first, 4).hover()
    first.locator("[type=range]").focus()
    bench.keyboard.press("ArrowRight")
    assert rows(second.locator("table")) == other
    assert second.locator("[type=radio]").nth(0).is_checked()
    assert second.locator("output").inner_text() == "1.00"
    assert second.locator(".attn-followed").count() == 0
    second.locator("[type=radio]").nth(0).focus()
    bench.keyboard.press("ArrowRight")
    expect(second.locator("[type=radio]").nth(1)).to_be_checked()
    expect(first.locator("[type=radio]").nth(1)).to_be_checked()
    for picture in (first, second):
        expect(picture.locator(".attn-sentence")).to_contain_text("Head 1: ")
    assert rows(second.locator("table")) != other
    check_undisturbed(bench)


def test_hostile_tokens_are_shown_as_text_and_nothing_else(show, bench):
    picture = show(f"{PREPARED}view(3 * torch.eye({len(HOSTILE)}), {HOSTILE!r}, head_dim=4)").locator(".attention-live")
    for query in range(len(HOSTILE)):
        row(picture, query).hover()
        check_shown_as_text(bench, picture.locator("table").first)
    expect(picture.locator(".attn-controls")).to_be_visible()


def test_a_saved_table_and_a_live_one_are_aligned_alike(show):
    source = PREPARED + "from IPython.display import HTML\nfrom companion.pictures.table import sheet, table\n"
    source += "display(HTML(sheet(table(scores[0], tokens, signed=True), 'stored')), view(scores[0], tokens))"
    place = show(source)
    looks = [
        place.locator(f"{paper} tbody tr")
        .first.locator("td")
        .first.evaluate(
            "cell => { const {textAlign, paddingLeft, paddingRight} = getComputedStyle(cell);"
            " return [textAlign, paddingLeft, paddingRight, cell.getBoundingClientRect().height]; }"
        )
        for paper in (".attention-sheet", ".attention-live")
    ]
    (*stored, low), (*live, high) = looks
    assert stored == live and live[0] == "right"
    assert low == pytest.approx(high, abs=1)  # pixels
