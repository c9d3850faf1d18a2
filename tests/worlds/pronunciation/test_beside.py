import torch

from companion.worlds.pronunciation.beside import beside
from companion.worlds.pronunciation.pronouncer import Pronouncer


def test_each_word_has_a_line_and_what_is_right_is_not_written_out(learned, said):
    torch.manual_seed(0)
    lines = beside(["knight", "read"], said, {"yours": learned, "new": Pronouncer(16, 2)}).splitlines()
    assert [line.split("  ")[0] for line in lines] == ["", "knight", "read"]
    assert lines[1].startswith("knight  N AY T      right  ") and "right" not in lines[1].partition("right")[2]
