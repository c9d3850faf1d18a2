"""What notebook 12 shows of induction with one seed holds with others."""

import pytest

from companion.checks.notebook_12 import looks_one_past
from companion.repeats import WATCHED, accuracy, draw_rows, ids_of, trained

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("seed", [1, 2, 3])]


def right(model):
    inputs, wanted = draw_rows(1_000)
    return accuracy(model(*inputs)[0], wanted)


def test_two_layers_learn_induction_with_the_two_heads_that_the_notebook_finds(seed):
    model = trained(seed)
    weights = model(ids_of(WATCHED[0]))[1][0]
    assert right(model) >= 0.99
    assert weights[0, :6, :6].diagonal(-1).mean() > 0.75 and looks_one_past(weights[1], 6) > 0.75


def test_one_layer_does_not_unless_it_is_told_the_letter_before(seed):
    assert right(trained(seed, num_layers=1)) < 0.6
    assert right(trained(seed, num_layers=1, told=True)) >= 0.99
