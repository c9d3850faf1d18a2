from companion.pictures.notebook_00_course import BOXES, FRAMES
from reading import NOTEBOOKS


def test_every_notebook_has_one_place_in_the_picture_of_the_course():
    places = [number for number in BOXES if number] + [each for numbers, _ in FRAMES for each in numbers.split(", ")]
    assert sorted(places) == [path.name[:2] for path in NOTEBOOKS[1:]]
