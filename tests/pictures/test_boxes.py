import re
import xml.etree.ElementTree as ElementTree

import pytest
from hostile import SHOWN

from companion.pictures.boxes import boxes

STEPS = {"letters": ["e a t", "m e a t"], "e a joined": ["ea t", "m ea t"]}
IDS = {"Life": 0, "is": 4, "short": 5}


def drawn(picture):
    """Each step's name, and the text and the style of each of its boxes."""
    page = ElementTree.fromstring(picture._repr_mimebundle_()["text/html"].replace("&#160;", ""))
    rows = []
    for row in page.iter("tr"):
        found = [each for each in row.iter("span") if "inline-block" in each.get("style", "")]
        rows.append((row.find("th/bdi").text, ["".join(each.itertext()) for each in found], found))
    return rows


def test_each_step_shows_its_pieces_and_frames_those_that_are_new():
    (first, letters, old), (second, joined, boxed) = drawn(boxes(STEPS))
    assert [first, letters] == ["letters", list("eatmeat")]
    assert [second, joined] == ["e a joined", ["ea", "t", "m", "ea", "t"]]
    assert not any("font-weight:700" in each.get("style") for each in old)
    assert ["font-weight:700" in each.get("style") for each in boxed] == [True, False, False, True, False]


def test_ids_stand_below_their_pieces():
    assert drawn(boxes({"ids": ["Life", "is", "short"]}, IDS))[0][1] == ["Life0", "is4", "short5"]


def test_it_says_the_same_in_words():
    text = boxes(STEPS)._repr_mimebundle_()["text/plain"]
    assert text == "boxes: letters: e|a|t m|e|a|t; e a joined: ea|t m|ea|t"


def test_a_token_is_text_and_never_markup():
    tokens = [token for token in SHOWN if not re.search(r"\s", token)]
    assert drawn(boxes({"hostile": tokens}))[0][1] == tokens


@pytest.mark.parametrize(
    "steps, ids, message",
    [
        ({"empty": ["e a", " "]}, None, "the step 'empty' has a word without pieces, in ['e a', ' ']; leave it out"),
        ({"none": []}, None, "the step 'none' has a word without pieces"),
        ({"cake": ["Life", "cake"]}, IDS, "the ids have none for cake; encode with <unk>, or add them"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(steps, ids, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        boxes(steps, ids)
