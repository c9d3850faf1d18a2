import pytest
import torch

from companion.pictures.notebook_05_columns import columns

ROWS = {"loud": [0.9, 0.1, 0.0], "even": torch.full((3,), 1 / 3)}


def test_every_column_is_as_high_as_its_weight_on_one_scale_for_all_rows():
    (axes,) = columns(ROWS, "abc").figure.axes
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx([0.9, 0.1, 0, 1 / 3, 1 / 3, 1 / 3])
    feet = [bar.get_y() for bar in axes.patches]
    assert feet[0] == feet[2] > feet[3] + 1 / 3  # no row reaches into the one above


def test_the_largest_weight_and_an_even_share_are_written_and_told():
    picture = columns(ROWS, "abc")
    written = [text.get_text() for text in picture.figure.axes[0].texts]
    assert written == ["90%", "loud", "even 33%", "33%", "even", "even 33%"]
    assert picture.description == "Largest weight of 3 keys, loud: a 90%; even: a 33%. An even share is 33%."
