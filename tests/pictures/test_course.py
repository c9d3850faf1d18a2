import re

from companion.pictures.course import BOXES, FRAMES, course
from reading import NOTEBOOKS


def test_every_notebook_has_one_place_in_the_picture_of_the_course():
    places = [number for number in BOXES if number] + [each for numbers, _ in FRAMES for each in numbers.split(", ")]
    assert sorted(places) == [path.name[:2] for path in NOTEBOOKS[1:]]


def test_each_frame_lies_inside_the_one_before_and_holds_its_texts():
    sides = list(FRAMES.values())
    for (left, bottom, right, top), (inner_left, inner_bottom, inner_right, inner_top) in zip(sides, sides[1:]):
        assert left < inner_left < inner_right < right and bottom < inner_bottom < inner_top < top
    picture = course()
    picture.figure.draw_without_rendering()
    texts = {text.get_text().strip() for text in picture.figure.axes[0].texts}
    assert {name for _, name in FRAMES} <= texts
    assert re.findall(r"\d\d", picture.description)[:2] == ["07", "08"]
