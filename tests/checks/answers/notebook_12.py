"""Right and wrong answers to the exercises in notebook 12 (the Transformer block)."""

from functools import partial

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_12 import (
    RightBlock,
    check_gradient_length,
    check_pre_norm_block,
    check_swiglu,
)
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward, SwiGLU


def by_autograd(model, inputs, meanings):
    loss = nn.CrossEntropyLoss()(model(*inputs)[0], meanings)
    return torch.autograd.grad(loss, model.embedding.weight)[0].square().sum().sqrt()


def measured(model, inputs, meanings, answer=lambda gradient: gradient.norm().item()):
    model.embedding.weight.grad = None
    logits, _ = model(*inputs)
    nn.functional.cross_entropy(logits, meanings).backward()
    return answer(model.embedding.weight.grad)


def with_all_before(model, inputs, meanings):
    nn.functional.cross_entropy(model(*inputs)[0], meanings).backward()
    return float(model.embedding.weight.grad.square().sum() ** 0.5)


def step_by_step(block, inputs, mask=None):
    stream = block.attention(block.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


def stream_changed(block, inputs, mask=None):
    inputs += block.attention(block.norm1(inputs), mask=mask)
    return inputs + block.feed_forward(block.norm2(inputs))


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


RIGHT = {
    check_gradient_length: [by_autograd, measured],
    check_pre_norm_block: [changed(RightBlock, step_by_step)],
    check_swiglu: [SwiGLU, ThreeLayers],
}
WRONG = {
    check_gradient_length: [
        (with_all_before, "what was measured before still counts"),
        (partial(measured, answer=lambda gradient: gradient), "the gradient has many numbers"),
        (partial(measured, answer=lambda gradient: gradient.mean().item()), "gradient_length has the right shape, but"),
        (partial(measured, answer=lambda gradient: None), "gradient_length gives None; did you forget `return`?"),
        (
            lambda model, inputs, meanings: nn.functional.cross_entropy(model(*inputs), meanings),
            "the model returns tw",
        ),
        (lambda model, inputs, meanings: model.embedding.weight.grad.norm(), "no gradient is there yet"),
    ],
    check_pre_norm_block: [
        (Unready, "nothing can be registered yet: begin __init__ with super()"),
        (changed(RightBlock, nn.Module.forward), "PreNormBlock has no `forward`"),
        (changed(RightBlock, norm2=lambda block: None), "PreNormBlock has no `norm2`"),
        (changed(RightBlock, norm1=lambda block: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (changed(RightBlock, norm1=lambda block: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (changed(RightBlock, feed_forward=lambda block: FeedForward(12, 48)), "feed_forward has 48 hidden features, b"),
        (changed(RightBlock, attention=lambda block: MultiHeadAttention(12, 1)), "an attention has 1 heads, but 3 was"),
        (changed(RightBlock, sums_normed), "this is post-norm"),
        (changed(RightBlock, stream_changed), "an input is changed in place"),
        (changed(RightBlock, mask_as_memory), "the mask is handed over as the memory"),
    ],
    check_swiglu: [
        (partial(ThreeLayers, bias=True), "gate has a bias; write bias=False"),
        (changed(ThreeLayers, sigmoid_of_gate), "this is the sigmoid alone"),
        (changed(ThreeLayers, narrowed_first), "the output for a batch has the right shape, but is off by up to"),
    ],
}
