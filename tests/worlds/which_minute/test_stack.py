"""The stack of blocks that learns which "minute" is meant, which notebook 12 trains in many kinds."""

import torch

from companion.worlds.which_minute import stack
from companion.worlds.which_minute.sentences import VOCABULARY
from utils.transformer import EncoderBlock


def test_gradients_come_back_through_pre_norm():
    class OneBlock(torch.nn.Module):
        def __init__(self, blocks):
            super().__init__()
            self.embedding = torch.nn.Embedding(len(VOCABULARY), 16)
            self.blocks, self.answer = torch.nn.ModuleList(blocks), torch.nn.Linear(16, 3)

        def forward(self, ids, mask, where):
            stream = self.blocks[0](self.embedding(ids), mask=mask)
            return self.answer(stream[torch.arange(len(ids)), where]), stream

    (back,) = stack.gradients_back(OneBlock, EncoderBlock, depth=1, seeds=1, steps=0, learning_rate=0.01)
    assert 0.5 < back < 2
