import numpy as np
import pytest
from matplotlib.colors import to_rgb

from companion.pictures.palette import (
    INK,
    MUTED,
    NEGATIVE_STOPS,
    ROLES,
    SCORE_COLOURS,
    WEIGHT_COLOURS,
    contrast,
    fills,
    ink_on,
    tint,
)


def test_black_on_white_has_the_greatest_contrast_and_known_greys_the_published_one():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("ink", [INK, MUTED, *(role.ink for role in ROLES.values())])
def test_every_ink_is_readable_on_white(ink):
    assert contrast(ink, "#FFFFFF") >= 4.5


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
@pytest.mark.parametrize("stop", NEGATIVE_STOPS)
def test_a_negative_score_looks_like_no_role(stop, role):
    for colour in (role.fill, role.ink):
        assert np.linalg.norm(perceived(stop) - perceived(colour)) > 30  # 2 is seen side by side, query to key is 46


@pytest.mark.parametrize("colours", [WEIGHT_COLOURS, SCORE_COLOURS], ids=lambda colours: colours.name)
def test_a_number_is_readable_on_every_colour_of_a_map(colours):
    assert min(contrast(ink_on(colours(step)[:3]), colours(step)[:3]) for step in range(colours.N)) >= 4.5


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_a_number_is_readable_on_every_tint_of_a_role(role):
    tints = [tint(role.fill, step / 20) for step in range(21)]
    assert min(contrast(ink_on(colour), colour) for colour in tints) >= 4.5


def test_scores_none_of_which_is_negative_have_a_scale_that_begins_at_zero():
    assert fills([[0.0, 2.0, 4.0]], signed=True) == fills([[0.0, 0.5, 1.0]])
    assert fills([[0.0, 2.0, -4.0]], signed=True)[0][:2] != fills([[0.0, 0.5]])[0]


def test_a_tint_runs_from_white_to_the_colour_itself():
    assert tint("#D55E00", 0) == (1, 1, 1)
    assert tint("#D55E00", 1) == pytest.approx(to_rgb("#D55E00"))


def perceived(colour):
    """Return a colour's place in CIELAB, where distances are as the eye sees them."""
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    share = to_xyz @ linear / to_xyz.sum(axis=1)
    x, y, z = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
