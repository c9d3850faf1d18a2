import pytest
from matplotlib.colors import to_rgb

from utils.pictures.palette import INK, MUTED, ROLES, SCORE_COLOURS, WEIGHT_COLOURS, contrast, ink_on, tint


def test_black_on_white_has_the_greatest_contrast_and_known_greys_the_published_one():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("ink", [INK, MUTED, *(role.ink for role in ROLES.values())])
def test_every_ink_is_readable_on_white(ink):
    assert contrast(ink, "#FFFFFF") >= 4.5


@pytest.mark.parametrize("colours", [WEIGHT_COLOURS, SCORE_COLOURS], ids=lambda colours: colours.name)
def test_a_number_is_readable_on_every_colour_of_a_map(colours):
    assert min(contrast(ink_on(colours(step)[:3]), colours(step)[:3]) for step in range(colours.N)) >= 4.5


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_a_number_is_readable_on_every_tint_of_a_role(role):
    tints = [tint(role.fill, step / 20) for step in range(21)]
    assert min(contrast(ink_on(colour), colour) for colour in tints) >= 4.5


def test_a_tint_runs_from_white_to_the_colour_itself():
    assert tint("#D55E00", 0) == (1, 1, 1)
    assert tint("#D55E00", 1) == pytest.approx(to_rgb("#D55E00"))
