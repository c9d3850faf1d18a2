import math

import pytest

from companion.pictures.palette import INK, MUTED, ROLES, SCORE_COLORS, WEIGHT_COLORS, contrast, fills, ink_on, tint


def test_contrasts_are_the_published_ones():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("ink", [INK, MUTED, *(role.ink for role in ROLES.values())])
def test_every_ink_is_readable_on_white(ink):
    assert contrast(ink, "#FFFFFF") >= 4.5


@pytest.mark.parametrize("colors", [WEIGHT_COLORS, SCORE_COLORS], ids=lambda colors: colors.name)
def test_a_number_is_readable_on_every_color_of_a_map(colors):
    assert min(contrast(ink_on(colors(step)[:3]), colors(step)[:3]) for step in range(colors.N)) >= 4.5


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_a_number_is_readable_on_every_tint_of_a_role(role):
    tints = [tint(role.fill, step / 20) for step in range(21)]
    assert min(contrast(ink_on(color), color) for color in tints) >= 4.5


def test_scores_none_of_which_is_negative_have_a_scale_that_begins_at_zero():
    assert fills([[0.0, 2.0, 4.0]], signed=True) == fills([[0.0, 0.5, 1.0]])
    assert fills([[0.0, 2.0, -4.0]], signed=True)[0][:2] != fills([[0.0, 0.5]])[0]


@pytest.mark.parametrize("size", [0.01, -1000.0])
def test_scores_are_colored_in_proportion_to_the_largest(size):
    faces, sign = fills([[size, -size / 2, 0.0, math.inf, -math.inf]], signed=True)[0], math.copysign(1, size)
    for face, place in zip(faces, [0.5 + sign / 2, 0.5 - sign / 4, 0.5, 1.0, 0.0], strict=True):
        assert face == pytest.approx(SCORE_COLORS(place)[:3], abs=0.01)
