"""Checks of the exercises in notebook 12 (the Transformer block)."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks import modules
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_like, explained, on_copies
from companion.checks.mistakes import IGNORED, INVERTED
from companion.checks.tables import compared_with, forward_of_steps, of_steps
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import FeedForward

def same_length(inputs, output):
    """Return the output, as long as the inputs were in all: the course's `fair_arm`."""
    return output * inputs.norm() / output.norm()


def _by_token(features):
    return features / features.norm(dim=-1, keepdim=True)


OWN = "tokens or sentences get factors of their own, which changes their lengths beside each other: take one for all"
ARMS = {  # {message: wrong fair_arm}
    "both suspects are still there: this is attention alone": lambda inputs, output: output + 0,
    "both suspects go: the sum is long, and keeps the tokens apart": lambda inputs, output: inputs + output,
    "nothing is read, so \"minute\" never hears of its clue, and a failure would show nothing": (
        lambda inputs, output: inputs + 0
    ),
    "the ratio is upside down: the output becomes shorter still": lambda inputs, output: (
        output * output.norm() / inputs.norm()
    ),
    "all lengths become 1: the inputs say how long the output should be": lambda inputs, output: output / output.norm(),
    OWN: lambda inputs, output: output * inputs.norm(dim=-1, keepdim=True) / output.norm(dim=-1, keepdim=True),
    f"each length becomes 1, and {OWN}": lambda inputs, output: _by_token(output),
    f"by sentence, {OWN}": lambda inputs, output: (
        output * inputs.norm(dim=(-2, -1), keepdim=True) / output.norm(dim=(-2, -1), keepdim=True)
    ),
    "a norm subtracts the mean, too, a second change: multiply by one factor": lambda inputs, output: F.layer_norm(
        output, output.shape[-1:]
    ),
}


@compared_with(same_length, ARMS, atol=1e-4)
def check_fair_arm(fair_arm):
    """one suspect goes: what is handed on is what attention made of all tokens, and as long as what came in."""
    for size in (3, 0.2):  # no fixed factor fits both
        yield "fair_arm", (torch.randn(2, 5, 8) + 0.5, size * torch.randn(2, 5, 8))


SIZES = D_MODEL, NUM_HEADS, D_HIDDEN = 12, 3, 20
NORMED = "adds to the normalized stream: norm only what the part reads, and add to what came in"
IN_FORWARD = {"memory is a boolean": "the mask is handed over as the memory: attention(..., mask=mask)"}


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
def _line(stream, part, *norms, number, residual=True, post=False, normed=False, pick=lambda output: output):
    """A line of a block: a part reads norm1, norm2 or, if the number is 0, the stream itself, and is added."""
    norm = (lambda read: read, *norms)[number]
    if post:
        return norm(stream + part(stream))
    return residual * (norm(stream) if normed else stream) + pick(part(norm(stream)))


FIRST, SECOND = _line(1), _line(2)


@forward_of_steps(RightBlock)
def _added_to_inputs(self, inputs, mask=None):
    output = inputs + self.attention(self.norm1(inputs), mask=mask)
    return inputs + self.feed_forward(self.norm2(output))


@forward_of_steps(RightBlock)
def _block(self, inputs, mask=None, *, first=FIRST, second=SECOND, mask_of=lambda mask: mask):
    attend = partial(self.attention, mask=mask if mask is None else mask_of(mask))
    return second(first(inputs, attend, self.norm1, self.norm2), self.feed_forward, self.norm1, self.norm2)


BLOCKS = {  # {message: wrong PreNormBlock}
    "this is post-norm: normalize what each part reads": _block(_line(1, post=True), _line(2, post=True)),
    f"both lines {NORMED}": _block(_line(1, normed=True), _line(2, normed=True)),
    f"the first line {NORMED}": _block(_line(1, normed=True)),
    f"the second line {NORMED}": _block(second=_line(2, normed=True)),
    "nothing is added: add to what came in": _block(_line(1, residual=False), _line(2, residual=False)),
    "attention returns one tensor: `output, _ =` takes it apart": _block(_line(1, pick=lambda both: both[0])),
    "attention's residual is missing: inputs + attention(...)": _block(_line(1, residual=False)),
    "feed-forward's residual is missing: add what it gives to what came in": _block(second=_line(2, residual=False)),
    "nothing is normalized: norm what each part reads": _block(_line(0), _line(0)),
    "norm1 is not used: attention reads norm1(inputs)": _block(_line(0)),
    "norm2 is not used: feed-forward reads norm2 of the stream": _block(second=_line(0)),
    "norm1 serves twice: feed-forward has norm2": _block(second=_line(1)),
    "norm1 and norm2 are exchanged": _block(_line(2), _line(1)),
    "feed-forward's line adds to what came in: add to the stream as it is now": _added_to_inputs(),
    "feed-forward is missing": _block(second=lambda stream, *parts: stream),
    "attention is missing": _block(lambda inputs, *parts: inputs),
    IGNORED: _block(mask_of=lambda mask: None),
    INVERTED: _block(mask_of=torch.logical_not),
}


@exercise(mistakes=BLOCKS)
def check_pre_norm_block(PreNormBlock):
    """two changes, each read from a normalized stream and added to the stream itself; the mask is kept to."""
    parts = {"attention": MultiHeadAttention, "feed_forward": FeedForward, "norm1": nn.LayerNorm, "norm2": nn.LayerNorm}
    block, inputs = built_block(PreNormBlock, "PreNormBlock", parts), torch.randn(2, 5, D_MODEL)
    cases = {"the output for a batch": (inputs,), "the output with a mask": (inputs, padding_mask([5, 3], 5))}
    expect_block(block, RightBlock, cases, parts, BLOCKS)


def built_block(kind, doing, parts):
    """Make the block, look at its parts, and give all its parameters numbers that tell one mistake from another."""
    block = modules.built(kind, doing, *SIZES)
    for name, wanted in parts.items():
        part = getattr(block, name, None)
        expect(part is not None, f"{doing} has no `{name}`: assign it to self.{name} in __init__")
        expect(isinstance(part, wanted), f"{name} is a {type(part).__name__}, but a {wanted.__name__} was expected")
    own = [part for part in block.children() if type(part) in set(parts.values())]
    expect(len(own) == len(parts), "one part serves twice: make two, so that each learns numbers of its own")
    hidden = block.feed_forward.widen.out_features
    expect(hidden == D_HIDDEN, f"feed_forward has {hidden} hidden features, but {D_HIDDEN} was expected")
    for part in block.modules():
        heads, sizes = getattr(part, "num_heads", NUM_HEADS), getattr(part, "normalized_shape", (D_MODEL,))
        expect(heads == NUM_HEADS, f"an attention has {heads} heads, but {NUM_HEADS} was expected")
        expect(sizes == (D_MODEL,), f"a LayerNorm runs over {sizes}: it is made of d_model, for each token's features")
    missing = type(block).forward is nn.Module.forward
    expect(not missing, f"{doing} has no `forward`: write it at the depth of __init__")
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    return block


def expect_block(block, right, cases, parts, mistakes):
    """Compare a block with the right one, and with each wrong one, all with the parts of this block."""

    def with_its_parts(kind):
        module = kind(*SIZES)
        for name in parts:
            setattr(module, name, getattr(block, name))
        return module

    wrong = {message: with_its_parts(kind) for message, kind in mistakes.items()}
    for doing, given in cases.items():
        with explained(IN_FORWARD):
            expect_like(on_copies(block), with_its_parts(right), given, doing, wrong, atol=1e-4)
