"""Right and wrong answers to the exercises in notebook 12 (the Transformer block)."""

from functools import partial

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_12 import (
    RightBlock,
    check_fair_arm,
    check_pre_norm_block,
    check_swiglu,
)
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward, SwiGLU


def by_mean_squares(inputs, output):
    return output * (inputs.square().mean() / output.square().mean()).sqrt()


def by_token(inputs, output):
    return nn.functional.normalize(output, dim=-1) * inputs.norm(dim=-1, keepdim=True)


def sum_by_sentence(inputs, output):
    total = output + inputs
    return total * (output.square().sum((1, 2), True) / total.square().sum((1, 2), True)).sqrt()


def sum_as_one(inputs, output):
    return (inputs + output) * (output.norm() / (inputs + output).norm())


def by_a_norm(inputs, output):
    return nn.LayerNorm(output.shape[-1])(output)


def twice_and_a_half(inputs, output):
    """Undo what one attention of random numbers does, on the average."""
    return 2.5 * output


def by_feature(inputs, output):
    return output * inputs.norm(dim=-2, keepdim=True) / output.norm(dim=-2, keepdim=True)


def step_by_step(block, inputs, mask=None):
    stream = block.attention(block.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


def stream_changed(block, inputs, mask=None):
    inputs += block.attention(block.norm1(inputs), mask=mask)
    return inputs + block.feed_forward(block.norm2(inputs))


def kept_for_later(block, inputs, mask=None):
    first = block.attention(block.norm1(inputs), mask=mask) + inputs
    return inputs + block.feed_forward(block.norm2(first))


def read_at_first(block, inputs, mask=None):
    first, second = block.norm1(inputs), block.norm2(inputs)
    stream = inputs + block.attention(first, mask=mask)
    return stream + block.feed_forward(second)


def outputs_normed(block, inputs, mask=None):
    stream = block.norm1(block.attention(inputs, mask=mask)) + inputs
    return block.norm2(block.feed_forward(stream)) + stream


def sums_normed(block, inputs, mask=None):
    stream = block.norm1(block.attention(inputs, mask=mask) + inputs)
    return block.norm2(block.feed_forward(stream) + stream)


def mask_as_memory(block, inputs, mask=None):
    return step_by_step(block, inputs, mask) if mask is None else block.attention(inputs, mask)


class Unready(nn.Module):
    def __init__(self, *sizes):
        self.norm1 = nn.LayerNorm(12)


class ThreeLayers(nn.Module):
    """The reader's `SwiGLU`, written from the formula."""

    def __init__(self, d_model, d_hidden, bias=False):
        super().__init__()
        self.gate = nn.Linear(d_model, d_hidden, bias=bias)
        self.widen = nn.Linear(d_model, d_hidden, bias=bias)
        self.narrow = nn.Linear(d_hidden, d_model, bias=bias)

    def forward(self, inputs):
        opened = self.gate(inputs)
        return self.narrow(opened * self.widen(inputs) / (1 + torch.exp(-opened)))


def narrowed_first(part, inputs):
    opened = part.gate(inputs)
    return part.narrow(part.widen(inputs)) * part.narrow(opened * torch.sigmoid(opened))


def sigmoid_of_gate(part, inputs):
    return part.narrow(part.widen(inputs) / (1 + torch.exp(-part.gate(inputs))))


def without_brackets(part, inputs):
    opened = part.gate(inputs)
    silu = opened / 1 + torch.exp(-opened)
    return part.narrow(silu * part.widen(inputs))


def shut_where_open(part, inputs):
    opened = part.gate(inputs)
    return part.narrow(part.widen(inputs) * opened / (1 + torch.exp(opened)))


def widened_alone(part, inputs):
    return part.narrow(part.widen(inputs) / (1 + torch.exp(-part.widen(inputs))) * part.gate(inputs))


RIGHT = {
    check_fair_arm: [by_token, sum_by_sentence],
    check_pre_norm_block: [changed(RightBlock, step_by_step)],
    check_swiglu: [SwiGLU, ThreeLayers],
}
WRONG = {
    check_fair_arm: [
        (by_mean_squares, "one factor for the whole batch leaves some sentences longer"),
        (sum_as_one, "one factor for the whole batch makes some sums shorter"),
        (by_a_norm, "a norm subtracts the mean, too"),
        (twice_and_a_half, "fair_arm has the right shape, but is off by up to"),
        (by_feature, "fair_arm has the right shape, but is off by up to"),
    ],
    check_pre_norm_block: [
        (Unready, "nothing can be registered yet: begin __init__ with super()"),
        (changed(RightBlock, nn.Module.forward), "PreNormBlock has no `forward`"),
        (changed(RightBlock, norm2=lambda block: None), "PreNormBlock has no `norm2`"),
        (changed(RightBlock, norm1=lambda block: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (changed(RightBlock, norm1=lambda block: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (changed(RightBlock, feed_forward=lambda block: FeedForward(12, 48)), "feed_forward has 48 hidden features, b"),
        (changed(RightBlock, attention=lambda block: MultiHeadAttention(12, 1)), "an attention has 1 heads, but 3 was"),
        (changed(RightBlock, read_at_first), "norm2 is given what came in"),
        (changed(RightBlock, outputs_normed), "in both lines the norm is around what the part gives"),
        (changed(RightBlock, sums_normed), "this is post-norm"),
        (changed(RightBlock, kept_for_later), "feed-forward's line adds to what came in"),
        (changed(RightBlock, stream_changed), "an input is changed in place"),
        (changed(RightBlock, mask_as_memory), "the mask is handed over as the memory"),
    ],
    check_swiglu: [
        (partial(ThreeLayers, bias=True), "gate has a bias; write bias=False"),
        (changed(ThreeLayers, widen=lambda part: nn.Linear(20, 12, bias=False)), "widen is nn.Linear(20, 12), but nn."),
        (changed(ThreeLayers, widen=lambda part: part.gate), "two layers are one and the same"),
        (changed(ThreeLayers, sigmoid_of_gate), "this is the sigmoid alone"),
        (changed(ThreeLayers, without_brackets), "brackets are missing"),
        (changed(ThreeLayers, shut_where_open), "e has the exponent +z in your silu"),
        (changed(ThreeLayers, widened_alone), "silu is around the wrong product"),
        (changed(ThreeLayers, narrowed_first), "the output for a batch has the right shape, but is off by up to"),
    ],
}
