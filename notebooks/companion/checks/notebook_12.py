"""Checks of the exercises in notebook 12 (the Transformer block)."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks import modules
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect_kind, explained
from companion.checks.modules import D_HIDDEN, D_MODEL, SIZES, expect_module
from companion.mistakes import IGNORED, INVERTED
from companion.slips import slips
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import FeedForward
from utils.transformer import SwiGLU as CourseSwiGLU

STOPS = {
    "not tuple": "the model returns two things, logits and stream: take the logits, model(*inputs)[0]",
    "'NoneType' object has no": "no gradient is there yet: ask for it, loss.backward()",
    "be converted to": "the gradient has many numbers: return its length, .norm()",
}


class _Answers(nn.Module):
    """A model that returns logits and its stream, as a stack does, without any layer between."""

    def __init__(self, vectors, matrix):
        super().__init__()
        self.embedding, self.matrix = nn.Embedding.from_pretrained(vectors, freeze=False), matrix

    def forward(self, ids, positions):
        """Return the logits at these positions, (sentences, meanings), and the stream, (sentences, tokens, d_model)."""
        stream = self.embedding(ids)
        return stream[torch.arange(len(ids)), positions] @ self.matrix, stream


def length_arriving(model, inputs, meanings):
    """Return the length of the embedding's gradient: the course's stand-in for `gradient_length`."""
    model.zero_grad()
    F.cross_entropy(model(*inputs)[0], meanings).backward()
    return model.embedding.weight.grad.norm().item()


LENGTHS = {  # {message: what a wrong gradient_length has instead}
    "what was measured before still counts: forget it first, model.zero_grad()": {"model.zero_grad()": ""},
    "softmax comes twice: cross_entropy takes the logits": {"[0]": "[0].softmax(-1)"},
    "this is the embedding's own length: take that of its .grad": {".grad": ""},
}


def _measure_twice(length_of, vectors, matrix, inputs, meanings):
    model = _Answers(vectors, matrix)
    lengths = [length_of(model, inputs, meanings) for _ in range(2)]
    for length in lengths:
        expect_kind(length, float | torch.Tensor, "gradient_length", "a number")
    return torch.tensor([float(length) for length in lengths])


@compared_with(length_arriving, LENGTHS, STOPS, measure=_measure_twice)
def check_gradient_length(gradient_length):
    """it is the same whatever was measured before."""
    inputs = torch.randint(9, (6, 5)), torch.randint(5, (6,))
    yield "gradient_length", (torch.randn(9, 4), torch.randn(4, 3), inputs, torch.randint(3, (6,)))


MODULES = {"attention": MultiHeadAttention, "feed_forward": FeedForward, "norm1": nn.LayerNorm, "norm2": nn.LayerNorm}


class RightBlock(nn.Module):
    """The stand-in for the reader's `PreNormBlock`, with its names."""

    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        self.attention, self.feed_forward = MultiHeadAttention(d_model, num_heads), FeedForward(d_model, d_hidden)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, inputs, mask=None):
        """Return (..., tokens, d_model), as the inputs are."""
        stream = inputs + self.attention(self.norm1(inputs), mask=mask)
        return stream + self.feed_forward(self.norm2(stream))


FIRST = "inputs + self.attention(self.norm1(inputs), mask=mask)"
SECOND = "stream + self.feed_forward(self.norm2(stream))"
AROUND = "the norm is around what the part gives: put it around what the part reads, part(norm(stream))"
NORMED = "the normalized stream: norm only what the part reads, and add to what came in"
BLOCK_SLIPS = {  # {message: what a wrong PreNormBlock has instead}
    "this is post-norm: normalize what each part reads": {
        FIRST: "self.norm1(inputs + self.attention(inputs, mask=mask))",
        SECOND: "self.norm2(stream + self.feed_forward(stream))",
    },
    f"in both lines {AROUND}": {
        FIRST: "inputs + self.norm1(self.attention(inputs, mask=mask))",
        SECOND: "stream + self.norm2(self.feed_forward(stream))",
    },
    f"both lines add to {NORMED}": {"inputs +": "self.norm1(inputs) +", "stream +": "self.norm2(stream) +"},
    "nothing is added: add to what came in": {"inputs +": "", "stream +": ""},
    "attention returns one tensor: `output, _ =` takes it apart": {"mask=mask)": "mask=mask)[0]"},
    "attention's residual is missing: inputs + attention(...)": {"inputs +": ""},
    "feed-forward's residual is missing: add what it gives to what came in": {"stream +": ""},
    "nothing is normalized: norm what each part reads": {"self.norm1": "", "self.norm2": ""},
    "norm1 serves twice: feed-forward has norm2": {"norm2": "norm1"},
    "feed-forward's line adds to what came in: add to the stream as it is now": {"stream +": "inputs +"},
    "norm2 is given what came in: feed-forward reads the stream as it is after attention": {"(stream)": "(inputs)"},
    "feed-forward is missing": {SECOND: "stream"},
    "attention is missing": {FIRST: "inputs"},
    IGNORED: {"mask=mask": ""},
    INVERTED: {"mask=mask": "mask=mask if mask is None else ~mask"},
}
BLOCKS = slips(RightBlock, BLOCK_SLIPS)


@exercise(mistakes=BLOCKS)
def check_pre_norm_block(PreNormBlock):
    """two changes, each read from a normalized stream and added to the stream itself; the mask is respected."""
    block, inputs = modules.made_block(PreNormBlock, "PreNormBlock", MODULES), torch.randn(2, 5, D_MODEL)
    cases = {"the output for a batch": (inputs,), "the output with a mask": (inputs, padding_mask([5, 3], 5))}
    with explained(modules.FORWARD_STOPS):
        expect_module(block, RightBlock, SIZES, cases, BLOCKS, atol=1e-4)


LAYERS = {"gate": ("d_model", "d_hidden"), "widen": ("d_model", "d_hidden"), "narrow": ("d_hidden", "d_model")}


GATE_SLIPS = {  # {message: what a wrong SwiGLU has instead}
    "silu is around the wrong product: the gate goes through it": {
        "F.silu(self.gate(inputs)) * self.widen(inputs)": "self.gate(inputs) * F.silu(self.widen(inputs))"
    },
    "this is the sigmoid alone: silu(z) is z times it": {"F.silu(self.gate(inputs))": "self.gate(inputs).sigmoid()"},
    "silu is missing": {"F.silu(self.gate(inputs))": "self.gate(inputs)"},
    "this is relu, not silu": {"F.silu": "F.relu"},
    "e has the exponent +z in your silu: it is −z": {"F.silu(self.gate(inputs))": "-F.silu(-self.gate(inputs))"},
    "brackets are missing: silu(z) is z / (1 + e⁻ᶻ)": {
        "F.silu(self.gate(inputs))": "(self.gate(inputs) + (-self.gate(inputs)).exp())"
    },
}
GATES = slips(CourseSwiGLU, GATE_SLIPS)


@exercise(mistakes=GATES)
def check_swiglu(SwiGLU):
    """each hidden feature is multiplied by a gate of its own, and three matrices are all there is to train."""
    part, inputs = modules.made_module(SwiGLU, "SwiGLU", D_MODEL, D_HIDDEN), 2 * torch.randn(2, 5, D_MODEL)
    modules.expect_linear(part, LAYERS, {"d_model": D_MODEL, "d_hidden": D_HIDDEN}, bias=False)
    expect_module(part, CourseSwiGLU, (D_MODEL, D_HIDDEN), {"the output for a batch": (inputs,)}, GATES)
    modules.expect_trainable(part, part(inputs))
