"""Checks of the exercises in notebook 12 (the Transformer block)."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks.blocks import D_HIDDEN, D_MODEL, built_block, expect_block
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect_kind, expect_like
from companion.checks.modules import built, expect_linear, expect_trainable, twins
from companion.mistakes import IGNORED, INVERTED
from companion.steps import forward_of_steps, of_steps
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import FeedForward
from utils.transformer import SwiGLU as CourseSwiGLU

STOPS = {
    "not tuple": "the model returns two things, logits and stream: take the logits, model(*inputs)[0]",
    "'NoneType' object has no": "no gradient is there yet: ask for it, loss.backward()",
    "only one element": "the gradient has many numbers: return its length, .norm()",
    "cannot be converted to Scalar": "the gradient has many numbers: return its length, .norm()",
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


@of_steps
def _length_with(model, inputs, meanings, *, forget=True, read=lambda logits: logits, take=lambda weight: weight.grad):
    if forget:
        model.zero_grad()
    F.cross_entropy(read(model(*inputs)[0]), meanings).backward()
    return take(model.embedding.weight).norm().item()


arriving = _length_with()  # the course's stand-in for `gradient_length`
LENGTHS = {  # {message: wrong gradient_length}
    "what was measured before still counts: forget it first, model.zero_grad()": _length_with(False),
    "softmax comes twice: cross_entropy takes the logits": _length_with(read=lambda logits: logits.softmax(-1)),
    "this is the embedding's own length: take that of its .grad": _length_with(take=lambda weight: weight),
}


@of_steps
def _measured_with(vectors, matrix, inputs, meanings, *, length_of):
    """Return what is measured on the same model twice."""
    model = _Answers(vectors, matrix)
    lengths = [length_of(model, inputs, meanings) for _ in range(2)]
    for length in lengths:
        expect_kind(length, float | torch.Tensor, "gradient_length", "a number")
    return torch.tensor([float(length) for length in lengths])


@compared_with(_measured_with(arriving), LENGTHS, STOPS, wrap=_measured_with)
def check_gradient_length(gradient_length):
    """it is the same whatever was measured before."""
    inputs = torch.randint(9, (6, 5)), torch.randint(5, (6,))
    yield "gradient_length", (torch.randn(9, 4), torch.randn(4, 3), inputs, torch.randint(3, (6,)))


MODULES = {"attention": MultiHeadAttention, "feed_forward": FeedForward, "norm1": nn.LayerNorm, "norm2": nn.LayerNorm}
AROUND = "the norm is around what the part gives: put it around what the part reads, part(norm(stream))"
NORMED = "the normalized stream: norm only what the part reads, and add to what came in"


class RightBlock(nn.Module):
    """The stand-in for the reader's `PreNormBlock`, with its names."""

    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        self.attention, self.feed_forward = MultiHeadAttention(d_model, num_heads), FeedForward(d_model, d_hidden)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, inputs, mask=None):
        """Return (..., tokens, d_model), as the inputs are."""
        output = inputs + self.attention(self.norm1(inputs), mask=mask)
        return output + self.feed_forward(self.norm2(output))


@of_steps
def _line_with(
    stream, part, *norms, number, residual=True, post=False, around=False, normed=False, pick=lambda output: output
):
    """A line of a block: a part reads norm1, norm2 or, if the number is 0, the stream itself, and is added."""
    norm = (lambda read: read, *norms)[number]
    if post or around:
        return norm(stream + part(stream)) if post else stream + norm(part(stream))
    return residual * (norm(stream) if normed else stream) + pick(part(norm(stream)))


FIRST, SECOND = _line_with(1), _line_with(2)


@forward_of_steps(RightBlock)
def _block_of_inputs_with(self, inputs, mask=None, *, adds=False, reads=False):
    """Let feed-forward's line add to what came in, or read it, where the stream as it is now belongs."""
    output = inputs + self.attention(self.norm1(inputs), mask=mask)
    return (inputs if adds else output) + self.feed_forward(self.norm2(inputs if reads else output))


@forward_of_steps(RightBlock)
def _block_with(self, inputs, mask=None, *, first=FIRST, second=SECOND, mask_of=lambda mask: mask):
    attend = partial(self.attention, mask=mask if mask is None else mask_of(mask))
    return second(first(inputs, attend, self.norm1, self.norm2), self.feed_forward, self.norm1, self.norm2)


BLOCKS = {  # {message: wrong PreNormBlock}
    "this is post-norm: normalize what each part reads": _block_with(
        _line_with(1, post=True), _line_with(2, post=True)
    ),
    f"in both lines {AROUND}": _block_with(_line_with(1, around=True), _line_with(2, around=True)),
    f"both lines add to {NORMED}": _block_with(_line_with(1, normed=True), _line_with(2, normed=True)),
    "nothing is added: add to what came in": _block_with(_line_with(1, residual=False), _line_with(2, residual=False)),
    "attention returns one tensor: `output, _ =` takes it apart": _block_with(_line_with(1, pick=lambda both: both[0])),
    "attention's residual is missing: inputs + attention(...)": _block_with(_line_with(1, residual=False)),
    "feed-forward's residual is missing: add what it gives to what came in": _block_with(
        second=_line_with(2, residual=False)
    ),
    "nothing is normalized: norm what each part reads": _block_with(_line_with(0), _line_with(0)),
    "norm1 serves twice: feed-forward has norm2": _block_with(second=_line_with(1)),
    "feed-forward's line adds to what came in: add to the stream as it is now": _block_of_inputs_with(adds=True),
    "norm2 is given what came in: feed-forward reads the stream as it is after attention": _block_of_inputs_with(
        reads=True
    ),
    "feed-forward is missing": _block_with(second=lambda stream, *parts: stream),
    "attention is missing": _block_with(lambda inputs, *parts: inputs),
    IGNORED: _block_with(mask_of=lambda mask: None),
    INVERTED: _block_with(mask_of=torch.logical_not),
}


@exercise(mistakes=BLOCKS)
def check_pre_norm_block(PreNormBlock):
    """two changes, each read from a normalized stream and added to the stream itself; the mask is respected."""
    block, inputs = built_block(PreNormBlock, "PreNormBlock", MODULES), torch.randn(2, 5, D_MODEL)
    cases = {"the output for a batch": (inputs,), "the output with a mask": (inputs, padding_mask([5, 3], 5))}
    expect_block(block, RightBlock, cases, MODULES, BLOCKS)


LAYERS = {"gate": ("d_model", "d_hidden"), "widen": ("d_model", "d_hidden"), "narrow": ("d_hidden", "d_model")}


@forward_of_steps(CourseSwiGLU)
def _swiglu_with(self, inputs, *, gated=lambda gate, widened: F.silu(gate) * widened):
    return self.narrow(gated(self.gate(inputs), self.widen(inputs)))


GATES = {  # {message: wrong SwiGLU}
    "silu is around the wrong product: the gate goes through it": _swiglu_with(
        lambda gate, widened: gate * F.silu(widened)
    ),
    "this is the sigmoid alone: silu(z) is z times it": _swiglu_with(lambda gate, widened: gate.sigmoid() * widened),
    "silu is missing": _swiglu_with(lambda gate, widened: gate * widened),
    "this is relu, not silu": _swiglu_with(lambda gate, widened: gate.relu() * widened),
    "e has the exponent +z in your silu: it is −z": _swiglu_with(
        lambda gate, widened: gate * (-gate).sigmoid() * widened
    ),
    "brackets are missing: silu(z) is z / (1 + e⁻ᶻ)": _swiglu_with(
        lambda gate, widened: (gate + (-gate).exp()) * widened
    ),
}


@exercise(mistakes=GATES)
def check_swiglu(SwiGLU):
    """each hidden feature is multiplied by a gate of its own, and three matrices are all there is to train."""
    part, inputs = built(SwiGLU, "SwiGLU", D_MODEL, D_HIDDEN), 2 * torch.randn(2, 5, D_MODEL)
    expect_linear(part, LAYERS, {"d_model": D_MODEL, "d_hidden": D_HIDDEN}, bias=False)
    right = twins({"": _swiglu_with()}, part, D_MODEL, D_HIDDEN)[""]
    expect_like(part, right, (inputs,), "the output for a batch", twins(GATES, part, D_MODEL, D_HIDDEN))
    expect_trainable(part, part(inputs))
