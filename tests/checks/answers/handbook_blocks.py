"""Right and wrong answers to the exercise on the handbook's page Blocks (a decoder's block)."""

import torch

from checks.answers.changed import changed
from companion.checks.handbook_blocks import check_my_decoder
from utils.transformer import DecoderBlock


def written_out(block, inputs, memory, mask=None):
    past = torch.ones(inputs.shape[-2], inputs.shape[-2]).tril().bool()
    output = inputs + block.attention(block.norm1(inputs), mask=past)
    output = output + block.cross_attention(block.norm2(output), memory, mask=mask)
    return output + block.feed_forward(block.norm3(output))


def always_masked(block, inputs, memory, mask=None):
    return written_out(block, inputs, memory, ~~mask)


def memory_cut(block, inputs, memory, mask=None):
    return written_out(block, inputs, memory[:, :5], mask if mask is None else mask[..., :5])


RIGHT = {check_my_decoder: [changed(DecoderBlock, written_out)]}
WRONG = {
    check_my_decoder: [
        (changed(DecoderBlock, cross_attention=lambda block: block.attention), "one part serves twice"),
        (changed(DecoderBlock, norm3=lambda block: block.norm2), "one part serves twice"),
        (changed(DecoderBlock, always_masked), "your class stopped with TypeError"),
        (changed(DecoderBlock, memory_cut), "the output with a longer memory has the right shape"),
    ],
}
