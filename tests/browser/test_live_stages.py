"""Words as lanes through random layers: what is ticked, and which layers are drawn, is what those layers do."""

import itertools
import re

from lab import sentence

from companion.worlds.which_minute.stages import stages, told_apart

WORDS = ["she", "noticed", "one", "minute"]


def test_parts_that_are_ticked_and_other_layers_move_the_lanes(on_page):
    page = on_page(stages(WORDS))
    boxes, again = page.get_by_role("checkbox"), page.get_by_role("button")
    for seed, ticked in itertools.product(range(2), ((True, False, True), (False, False, False))):
        for box, on in zip(boxes.all(), ticked):
            box.set_checked(on)
        sides = told_apart(WORDS, seed), told_apart(WORDS, seed, *ticked)
        for panel, shares in zip(page.locator("svg").all(), sides):
            numbers = panel.locator("text:not(.attn-word)").all_text_contents()
            assert numbers == [f"{share:.0%}" for share in shares]
            ways = [each.get_attribute("d") for each in panel.locator("path").all()]
            first, last = (float(re.findall(r"[\d.]+", way)[-2]) for way in (ways[0], ways[-1]))
            assert abs((last - first) / 34 / 3 - shares[-1]) < 1e-3
        assert f"{sides[0][-1]:.0%} with attention alone, {sides[1][-1]:.0%} with " in sentence(page)
        if ticked == (False, False, False):
            assert sides[0] == sides[1] and sentence(page).endswith("with nothing around it.")
            again.click()
