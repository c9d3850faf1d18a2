import re
import xml.etree.ElementTree as ElementTree

import pytest
import torch

from companion.pictures.notebook_09_cuts import cuts, merges

TOKENS = ["Life", "is", "short"]
FEATURES = torch.tensor([[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]])
BY_FEATURES = torch.stack([FEATURES[:, :2], FEATURES[:, 2:]])
BY_VIEW = FEATURES.view(2, 3, 2)


def grids(picture):
    """Each grid's rows: the label, and the number, face and frame of each cell."""
    page = ElementTree.fromstring(picture._repr_mimebundle_()["text/html"])
    return [[labelled(row) for row in grid.iter("tr")] for grid in page.iter("table")]


def labelled(row):
    return row.find("th/bdi").text, [cell(each) for each in row.iter("td")]


def cell(made):
    style = made.get("style")
    return int(made.text), re.search(r"background:(#\w+)", style)[1], "font-weight:700" in style


def test_it_shows_the_features_and_each_head_with_torchs_numbers():
    shown = grids(cuts(FEATURES, {"by features": BY_FEATURES, "view": BY_VIEW}, TOKENS))
    numbers = [[[number for number, *_ in row] for _, row in grid] for grid in shown]
    assert numbers == [each.tolist() for each in (FEATURES, *BY_FEATURES, *BY_VIEW)]
    assert all([name for name, _ in grid] == TOKENS for grid in shown)


def test_a_number_keeps_the_shade_of_its_token_and_each_token_has_its_own():
    features, *heads = grids(cuts(FEATURES, {"view": BY_VIEW}, TOKENS))
    shades = {number: face for _, row in features for number, face, _ in row}
    assert [len({shades[number] for number in row}) for row in FEATURES.tolist()] == [1, 1, 1]
    assert len(set(shades.values())) == 3
    assert all(face == shades[number] for head in heads for _, row in head for number, face, _ in row)


def test_only_a_number_in_another_tokens_row_is_framed():
    _, *heads = grids(cuts(FEATURES, {"by features": BY_FEATURES, "view": BY_VIEW}, TOKENS))
    framed = [[number for _, row in head for number, _, stray in row if stray] for head in heads]
    assert framed == [[], [], [2, 3, 10, 11], [12, 13, 20, 21]]


def test_it_says_the_same_in_words():
    text = cuts(FEATURES, {"by features": BY_FEATURES, "view": BY_VIEW}, TOKENS)._repr_mimebundle_()["text/plain"]
    assert text == "cuts: by features: every number in its token's row; view: 8 numbers in another token's row"


def test_merged_heads_are_one_grid_with_strays_framed():
    picture = merges(FEATURES, {"right": FEATURES, "reshape": BY_FEATURES.reshape(3, 4)}, TOKENS)
    _, right, reshaped = grids(picture)
    assert [[number for number, *_ in row] for _, row in right] == FEATURES.tolist()
    assert [[number for number, _, stray in row if stray] for _, row in reshaped] == [
        [10, 11],
        [20, 21, 2, 3],
        [12, 13],
    ]
    assert "merged" in picture._repr_mimebundle_()["text/html"]


def test_heads_that_are_not_merged_yet_are_refused():
    with pytest.raises(ValueError, match="'mine' has shape .2, 3, 2.; .3, 4., the shape of the features, was expected"):
        merges(FEATURES, {"mine": BY_FEATURES}, TOKENS)
