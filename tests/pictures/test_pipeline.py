import re

import pytest
import torch

from utils.pictures.pipeline import pipeline

INPUTS = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
MATRICES = {
    "query": torch.tensor([[1.0, 0], [1, 0], [0, 0], [0, 1]]),
    "value": torch.tensor([[0, -2, 1], [0, 3, 1], [1.5, 0, 1], [1, 4, 1]]),
}
TOKENS = ["Life", "is", "short"]


def axes_of(picture):
    (axes,) = picture.figure.axes
    return axes


def by_column(placed):
    """Sort what stands at (x, y) into columns from left to right, each from top to bottom."""
    columns = {}
    for (x, _), what in sorted(placed):
        columns.setdefault(round(x, 3), []).append(what)
    return list(columns.values())


@pytest.mark.parametrize("name, matrix", MATRICES.items(), ids=MATRICES)
def test_inputs_matrix_and_their_true_product_stand_side_by_side(name, matrix):
    axes = axes_of(pipeline(INPUTS, {name: matrix}, TOKENS))
    placed = [(text.get_position(), text.get_text()) for text in axes.texts]
    numbers = by_column(
        (place, float(text.replace("−", "-"))) for place, text in placed if re.fullmatch(r"−?\d+(\.\d)?", text)
    )
    assert numbers == [column for part in (INPUTS, matrix, INPUTS @ matrix) for column in part.T.tolist()]
    assert [text for column in by_column(placed) for text in column if text in TOKENS] == TOKENS
    assert {"3 × 4", f"4 × {matrix.shape[1]}", f"3 × {matrix.shape[1]}"} <= {text for _, text in placed}


def test_one_dot_product_of_each_matrix_is_written_out_below_it():
    picture = pipeline(INPUTS, MATRICES, TOKENS, cell=(1, 0))
    facts = ["Q[is, 0] = 0·1 + 2·1 + 0·0 + 2·0 = 2", "V[is, 0] = 0·0 + 2·0 + 0·1.5 + 2·1 = 2"]
    written = {text.get_text(): text.get_position()[1] for text in axes_of(picture).texts}
    assert [fact for fact in sorted(written, key=written.get) if " = " in fact] == facts
    assert picture.caption == f"X (3 × 4) times one matrix for each of query, value. {'; '.join(facts)}."


def test_only_the_row_the_column_and_the_result_of_the_dot_product_stand_out():
    boxes = axes_of(pipeline(INPUTS, {"value": MATRICES["value"]}, TOKENS, cell=(1, 2))).patches
    strong = by_column(((box.get_x(), box.get_y()), box.get_linewidth() > 1) for box in boxes)
    weak, row = [False] * 3, [False, True, False]
    assert strong == [row] * 4 + [[False] * 4] * 2 + [[True] * 4] + [weak, weak, row]


def test_drawing_a_product_changes_nothing_that_it_is_given():
    before = repr((INPUTS, MATRICES, TOKENS))
    pipeline(INPUTS, MATRICES, TOKENS)
    pipeline(INPUTS.tolist(), {name: matrix.tolist() for name, matrix in MATRICES.items()}, TOKENS)
    assert repr((INPUTS, MATRICES, TOKENS)) == before


def test_matrices_and_tokens_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="the query matrix has 3 rows, but the inputs have 2 features"):
        pipeline([[1, 2]], {"query": [[1], [2], [3]]}, ["Life"], cell=(0, 0))
    with pytest.raises(ValueError, match="2 tokens were given for 1 rows"):
        pipeline([[1, 2]], {"query": [[1], [2]]}, ["Life", "is"], cell=(0, 0))
