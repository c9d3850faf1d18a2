import torch
from matplotlib.patches import Rectangle

from companion.pictures.notebook_09_heads import heads

WEIGHTS = torch.tensor([[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.3, 0.7]]])


def test_each_number_of_the_computation_has_a_cell():
    (axes,) = heads(WEIGHTS, head_dim=2).figure.axes
    cells = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    features, weights, context = 2 * 6, 3 * 2 * 2, 3 * 2 * 2
    assert len(cells) == 3 * features + weights + context + 2 * features  # query, key, value; merged and output


def test_the_words_give_all_shapes():
    assert heads(WEIGHTS, head_dim=2).description == (
        "Query, key and value of 2 tokens are cut into 3 heads, which attend apart and are merged: features (2, 6); "
        "weights (3, 2, 2); context (3, 2, 2); merged (2, 6); output (2, 6)."
    )
