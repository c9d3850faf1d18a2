"""The reader of notebook 10, which is told the order in any way."""

import torch

from companion.letters import Reader


@torch.no_grad()
def test_a_reader_sees_the_newest_keys_through_its_window():
    torch.manual_seed(0)
    reader, ids = Reader(), torch.randint(8, (1, 9))
    for reader.window, last in ((None, 9), (1, 3), (3, 5)):
        moved = (reader(ids) != reader(ids.index_fill(1, torch.tensor([2]), ids[0, 2].item() ^ 1))).any(dim=-1)[0]
        assert moved.nonzero().flatten().tolist() == list(range(2, last))
