import xml.etree.ElementTree as ElementTree

from companion.pictures.notebook_01_boxes import boxes

STEPS = {"letters": ["e a t", "m e a t"], "e a joined": ["ea t", "m ea t"]}
IDS = {"Life": 0, "is": 4, "short": 5}


def drawn(picture):
    """Each step's name, and the text of each of its boxes, and the boxes."""
    page = ElementTree.fromstring(picture._repr_mimebundle_()["text/html"])
    names, *words = [[*table.iter("tr")] for table in page.iter("table") if not table.get("class")]
    rows = []
    for name, *parts in zip(names, *words):
        found = [box for part in parts for box in part.iter("td")]
        rows.append((name.find("th/bdi").text, ["".join(each.itertext()) for each in found], found))
    return rows


def framed(boxes):
    return ["font-weight:700" in each.get("style") for each in boxes]


def test_each_step_shows_its_pieces_and_frames_those_that_are_new():
    (first, letters, old), (second, joined, boxed) = drawn(boxes(STEPS))
    assert [first, letters] == ["letters", list("eatmeat")]
    assert [second, joined] == ["e a joined", ["ea", "t", "m", "ea", "t"]]
    assert not any(framed(old))
    assert framed(boxed) == [True, False, False, True, False]


def test_only_the_marked_pieces_are_framed_if_any_are_marked():
    (*_, old), (*_, boxed) = drawn(boxes(STEPS, mark=["t"]))
    assert framed(old) == [False, False, True, False, False, False, True]
    assert framed(boxed) == [False, True, False, False, True]


def test_a_piece_is_as_wide_as_the_letters_that_it_is_made_of():
    spans = [[box.get("colspan") for box in row] for *_, row in drawn(boxes(STEPS))]
    assert spans == [["1"] * 7, ["2", "1", "1", "2", "1"]]
    (*_, whole), (*_, cut) = drawn(boxes({"word": ["eaten"], "pieces": ["ea ##ten"]}))
    assert [box.get("colspan") for box in (*whole, *cut)] == ["5", "2", "3"]


def test_ids_stand_below_their_pieces():
    assert drawn(boxes({"ids": ["Life", "is", "short"]}, IDS))[0][1] == ["Life0", "is4", "short5"]


def test_what_has_no_room_on_a_phone_goes_on_under_the_same_names():
    page = ElementTree.fromstring(
        boxes({"first": ["seven"] * 4, "second": ["se ven"] * 4})._repr_mimebundle_()["text/html"]
    )
    lines = [[*line.iter("table")] for line in page.iter("div") if line.get("class") == "boxes-line"]
    assert [len(words) for _, *words in lines] == [3, 1]
    for names, *_ in lines:
        assert ["".join(row.itertext()) for row in names.iter("tr")] == ["first", "second"]
    assert [names.get("class") for names, *_ in lines] == [None, "boxes-again"]
    assert [names.get("style").endswith(";display:none") for names, *_ in lines] == [False, True]


def test_it_says_the_same_in_words():
    text = boxes(STEPS)._repr_mimebundle_()["text/plain"]
    assert text == "boxes: letters: e|a|t m|e|a|t; e a joined: ea|t m|ea|t"
