"""Checks of the other exercises in notebook 11 (the Transformer block): an encoder's block and a decoder's."""

import torch
from torch import nn

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_tensor, explained, on_copies
from companion.checks.mistakes import IGNORED, INVERTED
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import FeedForward, Residual

EARLY = "__init__ makes a part before nn.Module is ready: begin it with super().__init__()"
IN_INIT = {"before Module.__init__": EARLY}
IN_FORWARD = {
    "memory is a boolean": "the mask is handed over as the memory: attention(..., mask=mask)",
    "'Tensor' object is not callable": "a residual takes a function: lambda read: self.attention(read, ...)",
}
D_MODEL, NUM_HEADS, D_HIDDEN = 12, 3, 20


@exercise
def check_pre_norm_block(PreNormBlock):
    """two changes, each read from a normalised stream and added to the stream itself; the mask is kept to."""
    parts = {"attention": MultiHeadAttention, "feed_forward": FeedForward, "norm1": nn.LayerNorm, "norm2": nn.LayerNorm}
    block = _built(PreNormBlock, parts)
    inputs, mask = torch.randn(2, 5, D_MODEL), padding_mask([5, 3], 5)
    with explained(IN_FORWARD):
        given, masked = on_copies(block)(inputs), on_copies(block)(inputs, mask=mask)
    right, mistakes = _encoded(block, inputs, None)
    expect_tensor(given, right, "the output for a batch", mistakes, atol=1e-4)
    masks = {IGNORED: right, INVERTED: _encoded(block, inputs, ~mask)[0]}
    right, mistakes = _encoded(block, inputs, mask)
    expect_tensor(masked, right, "the output with a mask", masks | mistakes, atol=1e-4)


def _encoded(block, inputs, mask):
    """Return the right output and {likely cause: a wrong one}, with the parts of this block."""

    def attend(read):
        return block.attention(read, mask=mask)

    forward, norm1, norm2 = block.feed_forward, block.norm1, block.norm2
    middle = inputs + attend(norm1(inputs))
    post, read = norm1(inputs + attend(inputs)), norm1(inputs)
    bare, raw = attend(norm1(inputs)), inputs + attend(inputs)
    start = inputs + forward(norm2(inputs))
    other, twice = inputs + attend(norm2(inputs)), middle + forward(norm1(middle))
    normed = read + attend(read)
    return middle + forward(norm2(middle)), {
        "this is post-norm, which normalises the sum: normalise what each part reads": norm2(post + forward(post)),
        "nothing is added to the stream: each part returns a change, so add it to what came in": forward(norm2(bare)),
        "attention's residual is missing: inputs + attention(...)": bare + forward(norm2(bare)),
        "feed-forward's residual is missing: add what it gives to what came in": forward(norm2(middle)),
        "the stream itself is normalised: norm only what a part reads, and add to what came in": (
            norm2(normed) + forward(norm2(normed))
        ),
        "feed-forward's change is added to the inputs, so attention's is lost": inputs + forward(norm2(middle)),
        "feed-forward reads the inputs: it comes after attention, and reads the stream with its change": (
            middle + forward(norm2(inputs))
        ),
        "feed-forward comes first; attention does": start + attend(norm1(start)),
        "nothing is normalised: norm what each part reads": raw + forward(raw),
        "norm1 is not used: attention reads norm1(inputs)": raw + forward(norm2(raw)),
        "norm2 is not used: feed-forward reads norm2 of the stream": middle + forward(middle),
        "norm1 serves twice: feed-forward has norm2": twice,
        "norm1 and norm2 are exchanged": other + forward(norm1(other)),
        "feed-forward is missing": middle,
        "attention is missing": inputs + forward(norm2(inputs)),
        "the changes are normalised: norm what each part reads, not what it gives": _after(inputs, attend, block),
    }


def _after(inputs, attend, block):
    middle = inputs + block.norm1(attend(inputs))
    return middle + block.norm2(block.feed_forward(middle))


RESIDUALS = ("after_attention", "after_cross_attention", "after_feed_forward")
ATTENTIONS = ("attention", "cross_attention")


@exercise
def check_my_decoder(MyDecoder):
    """each token reads what was written so far, then the memory, then works on its own, and adds all three."""
    kinds = dict.fromkeys(ATTENTIONS, MultiHeadAttention) | {"feed_forward": FeedForward}
    block = _built(MyDecoder, kinds | dict.fromkeys(RESIDUALS, Residual))
    for name in RESIDUALS:
        expect(getattr(block, name).norm_first, f"{name} is post-norm: Residual(d_model) alone is pre-norm")
    inputs, memory, mask = torch.randn(2, 5, D_MODEL), torch.randn(2, 5, D_MODEL), padding_mask([5, 3], 5)
    with explained(IN_FORWARD):
        given, masked = on_copies(block)(inputs, memory), on_copies(block)(inputs, memory, memory_mask=mask)
    right, mistakes = _decoded(block, inputs, memory, None)
    expect_tensor(given, right, "the output without a mask", mistakes, atol=1e-4)
    masks = {
        "memory_mask has no effect: hand it to cross_attention": right,
        INVERTED: _decoded(block, inputs, memory, ~mask)[0],
    }
    right, mistakes = _decoded(block, inputs, memory, mask)
    expect_tensor(masked, right, "the output with a memory_mask", masks | mistakes, atol=1e-4)


def _decoded(block, inputs, memory, mask):
    """Return the right output and {likely cause: a wrong one}, with the parts of this block."""

    def own(read, **options):
        return block.attention(read, **options)

    def causal(read):
        return own(read, causal=True)

    def to_memory(read):
        return block.cross_attention(read, memory, mask=mask)

    def through(*parts, residuals=None):
        output = inputs
        for part, residual in zip(parts, residuals or [getattr(block, name) for name in RESIDUALS]):
            output = residual(output, part)
        return output

    first, second, third = (getattr(block, name) for name in RESIDUALS)
    forward, cross = block.feed_forward, block.cross_attention
    found = {
        "the future is read: attention needs causal=True": (own, to_memory, forward),
        "the memory is not read: cross_attention(read, memory)": (causal, cross, forward),
        "the memory asks, and the inputs answer: cross_attention(read, memory)": (
            (causal, lambda read: cross(memory, read), forward)
        ),
        "the memory is normalised with the norm of the inputs; only what asks is normalised": (
            (causal, lambda read: cross(read, second.norm(memory), mask=mask), forward)
        ),
        "the memory is read causally: all of it has been written already": (
            (causal, lambda read: cross(read, memory, mask=mask, causal=True), forward)
        ),
        "memory_mask is handed to attention; it belongs to cross_attention": (
            (lambda read: own(read, causal=True, mask=mask), lambda read: cross(read, memory), forward)
        ),
        "memory_mask is handed to both attentions; it belongs to cross_attention": (
            (lambda read: own(read, causal=True, mask=mask), to_memory, forward)
        ),
        "attention reads the inputs, past the norm: it reads what its lambda is given": (
            (lambda read: own(inputs, causal=True), to_memory, forward)
        ),
        "cross-attention asks with the inputs: it reads what its lambda is given": (
            (causal, lambda read: cross(inputs, memory, mask=mask), forward)
        ),
        "one attention serves twice: attention reads the inputs, cross_attention the memory": (
            (causal, lambda read: block.attention(read, memory, mask=mask), forward)
        ),
        "the two attentions are exchanged": (
            (lambda read: cross(read, causal=True), lambda read: block.attention(read, memory, mask=mask), forward)
        ),
    }
    mistakes = {message: through(*parts) for message, parts in found.items()}
    mistakes |= {
        "the memory is read first; the token's own past comes first": through(
            to_memory, causal, forward, residuals=[second, first, third]
        ),
        "attention is missing": through(to_memory, forward, residuals=[second, third]),
        "cross-attention is missing, or its result is not handed on": through(
            causal, forward, residuals=[first, third]
        ),
        "feed-forward is missing": through(causal, to_memory),
        "after_attention serves all three parts: each has a residual of its own": through(
            causal, to_memory, forward, residuals=[first] * 3
        ),
        "each part reads the inputs: hand the output of one to the next": third(inputs, forward),
        "the parts are called without their residuals, so nothing is added": forward(to_memory(causal(inputs))),
    }
    return through(causal, to_memory, forward), mistakes


def _built(kind, parts):
    """Make the block, look at its parts, and give all its parameters numbers that tell one mistake from another."""
    doing = f"{kind.__name__ if isinstance(kind, type) else 'your block'}({D_MODEL}, {NUM_HEADS}, {D_HIDDEN})"
    with explained(IN_INIT):
        block = kind(D_MODEL, NUM_HEADS, D_HIDDEN)
    expect(block is not None, f"{doing} gives None; did you forget `return`?")
    expect(isinstance(block, nn.Module), f"{doing} gives a {type(block).__name__}, but a module was expected")
    for name, wanted in parts.items():
        part = getattr(block, name, None)
        expect(part is not None, f"{doing} has no `{name}`: assign it to self.{name} in __init__")
        expect(isinstance(part, wanted), f"{name} is a {type(part).__name__}, but a {wanted.__name__} was expected")
    own = [part for part in block.children() if type(part) in set(parts.values())]
    expect(len(own) == len(parts), "one part serves twice: make each anew, so that each learns numbers of its own")
    hidden = block.feed_forward.widen.out_features
    expect(hidden == D_HIDDEN, f"feed_forward has {hidden} hidden features, but {D_HIDDEN} was expected")
    for name in ("attention", "cross_attention"):
        heads = getattr(getattr(block, name, None), "num_heads", NUM_HEADS)
        expect(heads == NUM_HEADS, f"{name} has {heads} heads, but {NUM_HEADS} was expected")
    for norm in (part for part in block.modules() if isinstance(part, nn.LayerNorm)):
        sizes = norm.normalized_shape
        expect(sizes == (D_MODEL,), f"a LayerNorm runs over {sizes}: it is made of d_model, for each token's features")
    missing = type(block).forward is nn.Module.forward
    expect(not missing, f"{doing} has no `forward`: write it at the depth of __init__")
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    return block
