import torch
from matplotlib.colors import to_hex

from companion.pictures.notebook_17_reach import reach
from companion.pictures.palette import ROLES
from utils.attention import causal_mask


def test_lines_join_who_reads_whom_and_are_wide_where_the_change_passes():
    moved = torch.tensor([[0, 1, 0], [0, 1, 1]], dtype=torch.bool)
    picture = reach(causal_mask(3), moved)
    lines = [line for line in picture.figure.axes[0].lines if len(line.get_xdata()) == 2]
    wide = [line for line in lines if to_hex(line.get_color()).upper() == ROLES["context"].fill]
    assert len(lines) == 6 and [[*line.get_xdata()] for line in wide] == [[1, 1], [1, 2]]
    assert picture.description == "The change of one input moves: inputs 1; layer 1 1, 2."
