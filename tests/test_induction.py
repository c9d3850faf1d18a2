"""What notebook 12 shows of induction with one seed holds with others."""

import pytest
import torch

from companion.checks.notebook_12_heads import looks_one_past
from reading import COURSE, code_cells, read

NOTEBOOK = COURSE / "notebooks" / "12_heads_that_learn.ipynb"
DEFINED = (
    "def share_right",
    "def training_step",
    "import check_training_step",
    "def train(",
    "def draw_rows",
    "class LetterModel",
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lesson():
    """The notebook's own functions and classes by name, and a row to train with as the example."""
    cells = [cell.source for cell in code_cells(read(NOTEBOOK))]
    wanted = [cells[0], *(source for source in cells if any(each in source for each in DEFINED))]
    before, names = torch.get_default_dtype(), {}
    for source in wanted:
        exec(source, names)
    yield names
    torch.set_default_dtype(before)


def trained(lesson, num_layers, seed):
    """Return which share of the letters a model gets right, and the weights of its last map, (layers, 12, 12)."""
    torch.manual_seed(seed)
    model = lesson["LetterModel"](num_layers)
    _, maps = lesson["train"](model, lesson["draw_rows"], (lesson["row"],), lr=0.003)
    return lesson["share_right"](model, lesson["draw_rows"]), maps[-1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_layers_learn_induction_with_the_two_heads_that_the_notebook_finds(lesson, seed):
    right, weights = trained(lesson, 2, seed)
    assert right >= 0.99
    assert weights[0, :6, :6].diagonal(-1).mean() > 0.75 and looks_one_past(weights[1], 6) > 0.75


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_layer_does_not(lesson, seed):
    assert trained(lesson, 1, seed)[0] < 0.6
