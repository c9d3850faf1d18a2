from matplotlib.colors import to_rgb

from companion.pictures.notebook_16_cache import cache
from companion.pictures.palette import ROLES


def scores(picture):
    """How many scores are drawn as computed, above and below the second heading; the legend has one more below."""
    (axes,) = picture.figure.axes
    middle = max(y for _, y in headings(axes))
    full = [patch for patch in axes.patches if patch.get_facecolor()[:3] == to_rgb(ROLES["score"].fill)]
    return [sum((patch.get_y() > middle) == below for patch in full) for below in (False, True)]


def headings(axes):
    return [text.get_position() for text in axes.texts if "a cache" in text.get_text()]


def test_a_triangle_for_each_token_or_a_row():
    picture = cache()
    assert scores(picture) == [35, 16]
    assert "= 35 scores. With a cache: 1 + " in picture.description
    assert "= 15 scores; keys and values are kept." in picture.description
