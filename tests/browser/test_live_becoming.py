"""What a model writes at each step of its training: by mouse and keyboard."""

from lab import sentence

from companion.worlds.stories.becoming import becoming

STEPS, LOSSES, STORIES = [0, 100], [4.97, 0.254], ["*sad* the map .", "<script>window.hacked=1</script> & so on"]
PICTURE = becoming(STEPS, LOSSES, STORIES, ["sentences", ""])


def test_the_slider_shows_each_story_and_marks_what_does_not_fit(on_page):
    page = on_page(PICTURE)
    assert page.locator("blockquote").inner_text() == STORIES[1] and page.evaluate("window.hacked === undefined")
    assert sentence(page) == "Step 100, loss 0.25. All is true."
    page.get_by_role("slider").press("Home")
    assert page.locator("blockquote").inner_text() == "sad the map ."
    assert page.locator("blockquote u").all_inner_texts() == ["sad"]
    assert sentence(page) == "Step 0, loss 4.97. Not true: sentences."
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == "step 0, loss 4.97"


def test_each_story_has_a_dash_for_each_word_and_a_press_shows_it(on_page):
    moments = on_page(PICTURE).locator(".attn-moments > div")
    assert [moments.nth(at).locator("i").count() for at in (0, 1)] == [3, 6]
    assert moments.nth(0).locator(".attn-untrue").count() == 1
    moments.nth(0).click()
    assert "attn-now" in moments.nth(0).get_attribute("class")
    assert moments.page.locator("blockquote").inner_text() == "sad the map ."
