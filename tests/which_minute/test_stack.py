"""The stack of blocks that learns which "minute" is meant, which notebook 11 trains in many kinds."""

import torch
from torch import nn

from companion.which_minute import stack
from companion.which_minute.sentences import VOCABULARY, encode
from utils.transformer import EncoderBlock

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]


def test_the_lanes_of_the_stages_end_as_far_apart_as_the_words():
    picture, shares = stack.stages(WORDS), stack.told_apart(WORDS)
    for axes, (name, found) in zip(picture.figure.axes, shares.items()):
        first, *_, last = (lane.get_segments()[-1][-1, 1] for lane in axes.collections)
        assert abs((first - last) / 5 - found[-1]) < 1e-6
        assert [label.get_text() for label in axes.get_xticklabels()] == [f"{share:.0%}" for share in found]
        assert f"through {name}, 87% " in picture.description


class Stack(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.embedding, self.blocks = nn.Embedding(len(VOCABULARY), 16), nn.ModuleList(blocks)

    def forward(self, ids, mask, positions):
        stream = self.embedding(ids)
        for block in self.blocks:
            stream = block(stream, mask=mask)
        return stream[torch.arange(len(ids)), positions, :3], stream


def test_the_same_seed_trains_the_same_stack_and_a_warm_up_another():
    asked = encode([WORDS])
    logits = [stack.trained(Stack, EncoderBlock, 2, steps=3, warm_up=warm_up)(*asked)[0] for warm_up in (0, 0, 3)]
    assert logits[0].equal(logits[1]) and not logits[0].equal(logits[2])
