"""The stack of blocks that learns which "minute" is meant, which notebook 11 trains in many kinds."""

import torch
from torch import nn

from companion.which_minute import stack
from companion.which_minute.learning import share_right
from companion.which_minute.sentences import VOCABULARY, encode
from utils.transformer import EncoderBlock

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]


def test_attentions_in_a_row_make_all_words_alike_and_blocks_do_not():
    embedded, attended, blocks = stack.alike(WORDS)
    assert torch.allclose(attended, torch.ones(6), atol=1e-2)
    assert embedded.argmax() == blocks.argmax() == WORDS.index("minute") and blocks.min() < 0.5


def test_the_picture_of_the_stages_speaks_of_words_and_not_of_queries():
    picture = stack.stages(WORDS)
    (axes,) = picture.figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("words of the sentence →", "← stage")
    assert "after 4 attentions, 1.00 to 1.00" in picture.description and "quer" not in picture.description


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


def test_a_training_teaches_the_stack_what_it_is_asked():
    model = stack.trained(Stack, EncoderBlock, 2, steps=60)
    assert share_right(model, stack.examples(stack.padding_mask)[1]) > 0.8
