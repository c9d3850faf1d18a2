"""What a model writes at each step of its training, in a real JupyterLab: by mouse and keyboard."""

import pytest
from lab import check_undisturbed
from playwright.sync_api import expect

from companion.stories.becoming import becoming

GIVEN = ([0, 100], [4.97, 0.254], ["*sad* the map .", "<script>window.hacked=1</script> & so on"], ["sentences", ""])
SOURCE = f"""from companion.stories.becoming import becoming

becoming(*{GIVEN!r})"""


@pytest.fixture
def picture(show):
    place = show(SOURCE).locator("attn-becoming")
    expect(place.locator("blockquote")).to_be_visible()
    return place


def test_the_slider_moves_through_what_it_writes_and_marks_what_does_not_fit(picture, bench):
    assert picture.locator("blockquote").inner_text() == GIVEN[2][1] and bench.evaluate("window.hacked === undefined")
    assert picture.locator(".attn-sentence").inner_text() == "Step 100, loss 0.25. All is true."
    picture.get_by_role("slider").focus()
    bench.keyboard.press("Home")
    assert picture.locator("blockquote").inner_text() == "sad the map ."
    assert picture.locator("blockquote u").all_inner_texts() == ["sad"]
    assert picture.locator(".attn-sentence").inner_text() == "Step 0, loss 4.97. Not true: sentences."
    assert picture.get_by_role("slider").get_attribute("aria-valuetext") == "step 0, loss 4.97"
    check_undisturbed(bench)


def test_each_story_stands_small_above_a_dash_for_each_word_and_a_press_shows_it(picture):
    moments = picture.locator(".attn-moments > div")
    assert [moments.nth(at).locator("i").count() for at in (0, 1)] == [3, 6]
    assert moments.nth(0).locator("i.u").count() == 1
    moments.nth(0).click()
    assert picture.locator("blockquote").inner_text() == "sad the map ." and "attn-now" in moments.nth(0).get_attribute(
        "class"
    )


def test_without_a_script_all_steps_stand_in_a_table():
    page = becoming(*GIVEN)._repr_mimebundle_()["text/html"]
    assert "<u>sad</u> the map ." in page and "Not true: sentences" in page and "<script>window.hacked" not in page


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"have \[1, 2\] parts; give one of each for each step"):
        becoming([0, 1], [1.0, 0.5], ["one", "two"], [""])
