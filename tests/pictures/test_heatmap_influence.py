import pytest
import torch
from matplotlib.colors import to_rgba

from companion.pictures.heatmap import influence, patches, photo
from companion.pictures.palette import MASKED, ROLES, WEIGHT_COLOURS, tint

TOKENS = ["Life", "is", "short"]
MOVED = torch.tensor([[True, False, False], [True, False, False], [True, False, True]])
IMAGE = torch.arange(48).view(4, 4, 3) / 47
WORDS = ["sun", "sea"]
LOOKS = torch.tensor([[1, 9], [2, 8], [3, 7], [4, 1], [5, 2], [9, 3], [6, 4], [7, 5], [8, 6]]) / 10


def cells(axes):
    """The square of each cell, by (row, column)."""
    return {(int(patch.get_y()), int(patch.get_x())): patch for patch in axes.patches}


def colours(axes):
    return {place: cell.get_facecolor() for place, cell in cells(axes).items()}


def painted(matrix):
    return {(i, j): WEIGHT_COLOURS(weight) for i, row in enumerate(matrix.tolist()) for j, weight in enumerate(row)}


def labels_along(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_only_the_outputs_that_move_are_filled_and_dotted():
    (axes,) = influence(MOVED, TOKENS).figure.axes
    moved = set(map(tuple, MOVED.nonzero().tolist()))
    fills = {True: to_rgba(tint(ROLES["context"].fill, 0.3)), False: to_rgba(MASKED)}
    assert colours(axes) == {(i, j): fills[(i, j) in moved] for i in range(3) for j in range(3)}
    dots = [text.get_position() for text in axes.texts if text.get_text() == "●"]
    assert sorted((y - 0.5, x - 0.5) for x, y in dots) == sorted(moved)


def test_an_output_that_moves_with_a_later_input_is_called_a_leak():
    (axes,) = influence(MOVED.T, TOKENS).figure.axes
    leaks = [text.get_position() for text in axes.texts if text.get_text() == "leak"]
    assert sorted((y - 0.5, x - 0.5) for x, y in leaks) == [(0, 1), (0, 2)]


def test_outputs_stand_in_rows_and_changed_inputs_in_columns():
    (axes,) = influence(MOVED, TOKENS).figure.axes
    assert labels_along(axes.yaxis) == labels_along(axes.xaxis) == TOKENS
    assert "output ↓ input →" in {text.get_text() for text in axes.texts}
    assert axes.yaxis_inverted() and not axes.xaxis_inverted()


def test_the_words_name_the_outputs_that_each_input_moves():
    facts = "Life moves Life, is, short; is moves nothing; short moves short"
    assert influence(MOVED, TOKENS).description == f"Changing the input {facts}."


def test_the_image_is_drawn_as_it_is():
    (image,) = photo(IMAGE).figure.axes[0].images
    assert torch.equal(torch.tensor(image.get_array().tolist()), IMAGE)
    assert photo(IMAGE).description.startswith("An image")  # by which a dark theme knows it


def test_the_map_of_each_word_holds_its_column_of_the_weights_row_by_row():
    maps = patches(LOOKS, WORDS).figure.axes
    assert [axes.get_title("left") for axes in maps] == ["“sun”", "“sea”"]
    assert [colours(axes) for axes in maps] == [painted(column.view(3, 3)) for column in LOOKS.T]
    assert all(axes.yaxis_inverted() and not axes.xaxis_inverted() for axes in maps)


def test_the_words_name_the_patch_that_attends_most_to_each_word():
    facts = "“sun” most from row 1, column 2 (0.90); “sea” most from row 0, column 0 (0.90)"
    assert patches(LOOKS, WORDS).description == f"3 × 3 patches of an image, and which attend to each word: {facts}."


@pytest.mark.parametrize(
    "weights, words, message",
    [
        (LOOKS, WORDS[:1], r"the weights have shape \(9, 2\), but"),
        (LOOKS, [*WORDS, "sky"], r"the weights have shape \(9, 2\), but"),
        (LOOKS[:8], WORDS, "8 patches fill no square grid: give side · side of them"),
    ],
)
def test_patches_that_fit_neither_the_words_nor_a_square_are_refused(weights, words, message):
    with pytest.raises(ValueError, match=message):
        patches(weights, words)


def test_drawing_influence_and_patches_changes_nothing_that_it_is_given():
    everything = (MOVED, TOKENS, IMAGE, LOOKS, WORDS)
    before = repr(everything)
    influence(MOVED, TOKENS)
    photo(IMAGE)
    patches(LOOKS, WORDS)
    assert repr(everything) == before
