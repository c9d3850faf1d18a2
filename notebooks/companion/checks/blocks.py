"""What the checks of a Transformer's blocks share: make one of known sizes, and compare it with the right one.

The decoder's block of notebook 14 is here whole, beside the ways in which it goes wrong.
"""

from functools import partial

import torch
from torch import nn

from companion.checks import modules
from companion.checks.feedback import expect, expect_like, explained, on_copies
from companion.steps import forward_of_steps
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import DecoderBlock, FeedForward

SIZES = D_MODEL, NUM_HEADS, D_HIDDEN = 12, 3, 20
FORWARD_STOPS = {"memory is a boolean": "the mask is handed over as the memory: attention(..., mask=mask)"}


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
    for doing, inputs in cases.items():
        with explained(FORWARD_STOPS):
            expect_like(on_copies(block), with_its_parts(right), inputs, doing, wrong, atol=1e-4)


NORMS = ("norm1", "norm2", "norm3")
OWN, CROSS, FEED_FORWARD = LAYERS = ("attention", "cross_attention", "feed_forward")
FIRST, SECOND, THIRD = LINES = tuple(zip(LAYERS, NORMS))  # the part that runs, and the norm before it


@forward_of_steps(DecoderBlock)
def _decoder_with(
    self,
    inputs,
    memory,
    memory_mask=None,
    *,
    own=lambda block, read, mask: block.attention(read, causal=True),
    cross=lambda block, read, memory, mask: block.cross_attention(read, memory, mask=mask),
    lines=LINES,
    add=lambda norm, stream, part, inputs: stream + part(norm(stream)),
):
    parts = {
        OWN: partial(own, self, mask=memory_mask),
        CROSS: partial(cross, self, memory=memory, mask=memory_mask),
        FEED_FORWARD: self.feed_forward,
    }
    stream = inputs
    for part, norm in lines:
        stream = add(getattr(self, norm), stream, parts[part], inputs)
    return stream


DECODERS = {  # {message: wrong decoder's block}
    "the future is read: attention needs causal=True": _decoder_with(lambda block, read, mask: block.attention(read)),
    "the memory is not read": _decoder_with(cross=lambda block, read, memory, mask: block.cross_attention(read)),
    "memory_mask has no effect": _decoder_with(
        cross=lambda block, read, memory, mask: block.cross_attention(read, memory)
    ),
    "the memory is read first; the token's own past comes first": _decoder_with(lines=(SECOND, FIRST, THIRD)),
    "attention is missing": _decoder_with(lines=(SECOND, THIRD)),
    "cross-attention is missing, or its result is not handed on": _decoder_with(lines=(FIRST, THIRD)),
    "feed-forward is missing": _decoder_with(lines=(FIRST, SECOND)),
    "each part reads the inputs: hand the output of one to the next": _decoder_with(lines=(THIRD,)),
    "each line adds to the inputs: add to the stream as it is now": _decoder_with(
        add=lambda norm, x, part, inputs: inputs + part(norm(x))
    ),
    "nothing is added: add what each part gives to what came in": _decoder_with(
        add=lambda norm, x, part, inputs: part(norm(x))
    ),
    "nothing is normalized: norm what each part reads": _decoder_with(add=lambda norm, x, part, inputs: x + part(x)),
    "this is post-norm: normalize what each part reads": _decoder_with(
        add=lambda norm, x, part, inputs: norm(x + part(x))
    ),
}


def expect_decoder(kind, name):
    """Refuse a block of a decoder that does not give what the right one does, and name its mistake."""
    parts = dict.fromkeys((OWN, CROSS), MultiHeadAttention) | {FEED_FORWARD: FeedForward}
    parts |= dict.fromkeys(NORMS, nn.LayerNorm)
    block = built_block(kind, name, parts)
    sequences = torch.randn(2, 2, 5, D_MODEL).unbind()  # inputs and memory
    cases = {
        "the output without a mask": sequences,
        "the output with a memory_mask": (*sequences, padding_mask([5, 3], 5)),
        "the output with a longer memory": (sequences[0], torch.randn(2, 7, D_MODEL), padding_mask([7, 3], 7)),
    }
    expect_block(block, _decoder_with(), cases, parts, DECODERS)
