import pytest
import torch
from matplotlib.colors import to_rgb
from matplotlib.patches import PathPatch, Rectangle

from companion.pictures.notebook_03_lines import lines
from companion.pictures.palette import ROLES

QUERIES = ["Life", "is"]
KEYS = ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.9, 0.01, 0.09]])
PAIRS = {(query, key): float(WEIGHTS[i, j]) for i, query in enumerate(QUERIES) for j, key in enumerate(KEYS)}
BLUE = to_rgb(ROLES["weight"].fill)


def bands_of(picture):
    """The corners of each drawn band, and its patch, by the (query, key) that it joins: corners (4, 2), from the left.

    Keys stand at the middle of a band's end; the query is the nearest to its start.
    """
    (axes,) = picture.figure.axes
    left = {text.get_position()[1]: text.get_text() for text in axes.texts if text.get_ha() == "right"}
    right = {text.get_position()[1]: text.get_text() for text in axes.texts if text.get_position()[0] == 1.035}
    found = {}
    for band in (patch for patch in axes.patches if isinstance(patch, PathPatch)):
        corners = band.get_path().vertices[[0, 7, 3, 4]]
        assert corners[:, 0].tolist() == [0, 0, 1, 1]
        (start, end) = corners[:, 1].reshape(2, 2).mean(axis=1)
        query, key = (min(side, key=lambda y: abs(y - middle)) for side, middle in ((left, start), (right, end)))
        assert key == pytest.approx(end)
        found[left[query], right[key]] = corners[:, 1], band
    return found


def test_a_band_joins_each_query_to_each_key_that_it_attends_to():
    assert set(bands_of(lines(WEIGHTS, QUERIES, KEYS))) == {pair for pair, weight in PAIRS.items() if weight > 0.02}


@pytest.mark.parametrize("focus", [None, 0])
def test_bands_are_as_wide_as_their_weights_on_one_scale(focus):
    for pair, (corners, _) in bands_of(lines(WEIGHTS, QUERIES, KEYS, focus=focus)).items():
        assert [corners[1] - corners[0], corners[3] - corners[2]] == pytest.approx([0.8 * PAIRS[pair]] * 2)


def test_the_bands_of_a_query_add_up_beside_its_name():
    starts = [
        corners[:2] for (query, _), (corners, _) in bands_of(lines(WEIGHTS, QUERIES, KEYS)).items() if query == "Life"
    ]
    assert [high for _, high in starts[:-1]] == pytest.approx([low for low, _ in starts[1:]])
    assert (starts[0][0] + starts[-1][1]) / 2 == pytest.approx(0.75)  # the first of two queries beside three keys


def test_only_the_bands_of_the_query_in_focus_are_colored():
    for focus, followed in ((None, {"Life", "is"}), (0, {"Life"}), (1, {"is"})):
        bands = bands_of(lines(WEIGHTS, QUERIES, KEYS, focus=focus))
        assert {query for query, _ in bands} == {"Life", "is"}
        assert all((band.get_facecolor()[:3] == BLUE) == (query in followed) for (query, _), (_, band) in bands.items())


def test_the_weights_in_focus_stand_beside_their_keys_as_numbers_and_bars():
    (axes,) = lines(WEIGHTS, QUERIES, KEYS, focus=1).figure.axes
    places = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert "weights of “is”" in places
    assert [places[number] for number in ("0.90", "0.01", "0.09")] == [places[key] for key in KEYS]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    blue = [bar.get_width() for bar in bars if bar.get_facecolor()[:3] == BLUE]
    assert blue == pytest.approx([bars[0].get_width() * weight for weight in WEIGHTS[1].tolist()])


def test_the_words_follow_the_query_in_focus_alone():
    assert lines(WEIGHTS, QUERIES, KEYS).description.endswith("Life → dessert 0.50, is → eat 0.90.")
    assert (
        lines(WEIGHTS, QUERIES, KEYS, focus=1).description == "2 queries by 3 keys. Largest weight of “is”: eat 0.90."
    )
