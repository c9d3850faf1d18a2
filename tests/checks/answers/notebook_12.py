"""Right and wrong answers to the exercises in notebook 12 (the Transformer block)."""

from functools import partial

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_12 import RightBlock, check_gradient_length, check_pre_norm_block, check_swiglu
from companion.slips import module_with
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward


def by_autograd(model, inputs, meanings):
    loss = nn.CrossEntropyLoss()(model(*inputs)[0], meanings)
    return torch.autograd.grad(loss, model.embedding.weight)[0].square().sum().sqrt()


class Block(RightBlock):
    def forward(self, inputs, mask=None):
        stream = self.attention(self.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
        return stream.add(self.feed_forward(self.norm2(stream)))


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
        output = self.narrow(opened * self.widen(inputs) / (1 + torch.exp(-opened)))
        return output


RIGHT = {check_gradient_length: [by_autograd], check_pre_norm_block: [Block], check_swiglu: [ThreeLayers]}
WRONG = {
    check_gradient_length: {
        "the gradient has many numbers": {".square().sum().sqrt()": ""},
        "the model returns tw": {"[0], meanings": ", meanings"},
        "no gradient is there yet": lambda model, inputs, meanings: model.embedding.weight.grad.norm(),
    },
    check_pre_norm_block: {
        "nothing can be registered yet: begin __init__ with super()": Unready,
        "PreNormBlock has no `forward`": module_with(RightBlock, nn.Module.forward),
        "one part serves twice: make two, so that each learns": changed(Block, norm2=lambda block: block.norm1),
        "PreNormBlock has no `norm2`": changed(Block, norm2=lambda block: None),
        "a LayerNorm runs over (5,): it is made of d_model": changed(Block, norm1=lambda block: nn.LayerNorm(5)),
        "norm1 is a RMSNorm, but a LayerNorm was expected": changed(Block, norm1=lambda block: nn.RMSNorm(12)),
        "feed_forward has 48 hidden features, b": changed(Block, feed_forward=lambda block: FeedForward(12, 48)),
        "an attention has 1 heads, but 3 was": changed(Block, attention=lambda block: MultiHeadAttention(12, 1)),
        "the mask is handed over as the memory": {"inputs), mask=mask": "inputs), mask"},
    },
    check_swiglu: {
        "gate has a bias; write bias=False": partial(ThreeLayers, bias=True),
        "the output has no": {"return output": "return output.detach()"},
    },
}
