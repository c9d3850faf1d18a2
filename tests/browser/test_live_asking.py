"""A head's three roles: what the script makes of another clue and of another word that asks is what the head makes."""

import pytest
import torch
from lab import sentence
from live_pictures import twin_rows

from companion.pictures.words import shown
from companion.worlds.which_minute.asking import asking
from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.sentences import encode

WORDS = "she noticed one minute {} today"


@pytest.mark.parametrize("clue", ["pause", "crack", "gap"])
def test_the_twin_holds_the_weights_and_the_context_of_the_trained_head(clue):
    with torch.no_grad():
        _, (weights,), (context,) = trained()(*encode([WORDS.format(clue).split()]))
    *rows, last = twin_rows(asking(clue))[1:]
    assert [row[2] for row in rows] == [shown(weight) for weight in weights.tolist()]
    assert last[3] == f"({', '.join(map(shown, context.tolist()))})"


def test_another_clue_and_another_word_change_weights_context_and_words(on_page):
    page = on_page(asking())
    asks, clue = page.get_by_role("radio"), page.get_by_role("combobox")
    for place, name in ((3, "crack"), (4, "crack"), (4, "gap"), (0, "walk")):
        asks.nth(place).check()
        clue.select_option(name)
        words = WORDS.format(name).split()
        picture = asking(name, words[place])
        assert sentence(page) == picture.text
        weights = [row[2] for row in twin_rows(picture)[1:-1]]
        assert page.locator("fieldset bdi").all_inner_texts() == words
        assert page.locator("td").all_inner_texts() == [f"{each}\n{word}" for each, word in zip(weights, words)]
        tip = page.locator("svg").nth(1).locator("g[aria-hidden] > g").last.locator("path").get_attribute("transform")
        x, y = (float(side) for side in tip.split("(")[1].split(")")[0].split())
        end = [float(side) for side in picture.text.replace("−", "-").rsplit("(", 1)[1].split(")")[0].split(",")]
        assert [x, -y] == pytest.approx([side * 160 / 1.1 / picture.data["reach"][1] for side in end], abs=0.2)


def test_without_arrows_there_are_the_weights_alone(on_page):
    page = on_page(asking(arrows=False))
    page.get_by_role("combobox").select_option("crack")
    picture = asking("crack", arrows=False)
    assert sentence(page) == picture.text == "“minute” takes most from “crack” (1.00 of 1)."
    assert page.locator("svg").count() == 0 and page.locator("td").count() == 6
    assert [len(row) for row in twin_rows(picture)] == [2] * 7


@pytest.mark.parametrize("clue, asks", [("minute", "minute"), ("pause", "crack")])
def test_a_clue_or_a_word_that_is_not_there_is_refused(clue, asks):
    with pytest.raises(ValueError, match=f"“{clue}” and “{asks}”: the clue must be one of pause, .*"):
        asking(clue, asks)
