"""Right and wrong answers to the exercises in notebook 12 (the Transformer block)."""

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_12 import RightBlock, check_layer_norm, check_pre_norm_block, pytorchs_norm
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward


def row_by_row(inputs, weight, bias, eps=1e-5):
    rows = []
    for row in inputs.reshape(-1, inputs.shape[-1]):
        variance, mean = torch.var_mean(row, correction=0)
        rows.append(weight * (row - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(inputs)


def step_by_step(block, inputs, mask=None):
    stream = block.attention(block.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


def stream_changed(block, inputs, mask=None):
    inputs += block.attention(block.norm1(inputs), mask=mask)
    return inputs + block.feed_forward(block.norm2(inputs))


def mask_as_memory(block, inputs, mask=None):
    return step_by_step(block, inputs, mask) if mask is None else block.attention(inputs, mask)


class Unready(nn.Module):
    def __init__(self, *sizes):
        self.norm1 = nn.LayerNorm(12)


RIGHT = {
    check_layer_norm: [row_by_row],
    check_pre_norm_block: [changed(RightBlock, step_by_step)],
}
WRONG = {
    check_layer_norm: [(pytorchs_norm, "F.layer_norm is what you are to write")],
    check_pre_norm_block: [
        (Unready, "nothing can be registered yet: begin __init__ with super()"),
        (changed(RightBlock, nn.Module.forward), "PreNormBlock has no `forward`"),
        (changed(RightBlock, norm2=lambda block: None), "PreNormBlock has no `norm2`"),
        (changed(RightBlock, norm1=lambda block: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (changed(RightBlock, norm1=lambda block: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (changed(RightBlock, feed_forward=lambda block: FeedForward(12, 48)), "feed_forward has 48 hidden features, b"),
        (changed(RightBlock, attention=lambda block: MultiHeadAttention(12, 1)), "an attention has 1 heads, but 3 was"),
        (changed(RightBlock, stream_changed), "an input is changed in place"),
        (changed(RightBlock, mask_as_memory), "the mask is handed over as the memory"),
    ],
}
