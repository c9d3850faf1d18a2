"""Right and wrong answers to the exercises in notebook 12 (the Transformer block)."""

from functools import partial

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_12 import RightBlock, check_gradient_length, check_pre_norm_block, check_swiglu
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward


def by_autograd(model, inputs, meanings):
    loss = nn.CrossEntropyLoss()(model(*inputs)[0], meanings)
    return torch.autograd.grad(loss, model.embedding.weight)[0].square().sum().sqrt()


def without_norm(model, inputs, meanings):
    model.embedding.weight.grad = None
    nn.functional.cross_entropy(model(*inputs)[0], meanings).backward()
    return model.embedding.weight.grad


def step_by_step(block, inputs, mask=None):
    stream = block.attention(block.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


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


RIGHT = {
    check_gradient_length: [by_autograd],
    check_pre_norm_block: [changed(RightBlock, step_by_step)],
    check_swiglu: [ThreeLayers],
}
WRONG = {
    check_gradient_length: [
        (without_norm, "the gradient has many numbers"),
        (lambda model, inputs, meanings: nn.functional.cross_entropy(model(*inputs), meanings), "the model returns tw"),
        (lambda model, inputs, meanings: model.embedding.weight.grad.norm(), "no gradient is there yet"),
    ],
    check_pre_norm_block: [
        (Unready, "nothing can be registered yet: begin __init__ with super()"),
        (changed(RightBlock, nn.Module.forward), "PreNormBlock has no `forward`"),
        (changed(RightBlock, norm2=lambda block: block.norm1), "one part serves twice: make two, so that each learns"),
        (changed(RightBlock, norm2=lambda block: None), "PreNormBlock has no `norm2`"),
        (changed(RightBlock, norm1=lambda block: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (changed(RightBlock, norm1=lambda block: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (changed(RightBlock, feed_forward=lambda block: FeedForward(12, 48)), "feed_forward has 48 hidden features, b"),
        (changed(RightBlock, attention=lambda block: MultiHeadAttention(12, 1)), "an attention has 1 heads, but 3 was"),
        (changed(RightBlock, mask_as_memory), "the mask is handed over as the memory"),
    ],
    check_swiglu: [
        (partial(ThreeLayers, bias=True), "gate has a bias; write bias=False"),
        (changed(ThreeLayers, lambda part, inputs: ThreeLayers.forward(part, inputs).detach()), "the output has no"),
    ],
}
