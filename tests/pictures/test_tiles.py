from matplotlib.colors import to_rgb
from matplotlib.patches import Polygon, Rectangle

from companion.pictures.notebook_16_tiles import tiles
from companion.pictures.palette import ROLES


def texts(picture):
    (axes,) = picture.figure.axes
    return [text.get_text() for text in axes.texts]


def test_tiles_have_numbers_and_those_of_the_future_a_hatch():
    picture = tiles(4, now=4)
    numbers = [text for text in texts(picture) if text.isdigit()]
    assert numbers == [str(number) for number in range(10)]
    hatched = [type(patch) for patch in picture.figure.axes[0].patches if patch.get_hatch()]
    assert hatched.count(Rectangle) == 6 and hatched.count(Polygon) == 4  # a tile on the diagonal: half of it
    assert "10 are computed one by one, 6 lie in the future" in picture.description


def test_the_tile_in_work_is_the_only_one_in_full_color():
    patches = tiles(4, now=4).figure.axes[0].patches
    full = [patch.get_xy() for patch in patches if patch.get_facecolor()[:3] == to_rgb(ROLES["score"].fill)]
    assert full == [(1.04, 2.04)]  # tiles 0; 1, 2; 3, 4: row 2, column 1
