"""What the checks of a Transformer's blocks share: make one of known sizes, and look at its parts.

The decoder's block of notebook 14 is here whole, beside the ways in which it goes wrong.
"""

import torch
from torch import nn

from companion.checks import modules
from companion.checks.feedback import expect, explained
from companion.slips import slips
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


class RightDecoder(DecoderBlock):
    """The decoder's block in short."""

    def forward(self, inputs, memory, memory_mask=None):
        """Return (..., tokens, d_model), as the inputs are."""
        stream = inputs
        stream = stream + self.attention(self.norm1(stream), causal=True)
        stream = stream + self.cross_attention(self.norm2(stream), memory, mask=memory_mask)
        stream = stream + self.feed_forward(self.norm3(stream))
        return stream


OWN = "stream + self.attention(self.norm1(stream), causal=True)"
CROSS = "stream + self.cross_attention(self.norm2(stream), memory, mask=memory_mask)"
FEED_FORWARD = "stream + self.feed_forward(self.norm3(stream))"
DECODER_SLIPS = {  # {message: what a wrong decoder's block has instead}
    "the future is read: attention needs causal=True": {", causal=True": ""},
    "the memory is not read": {", memory, mask=memory_mask": ""},
    "memory_mask has no effect": {", mask=memory_mask": ""},
    "the memory is read first; the token's own past comes first": {
        f"{OWN}\n    stream = {CROSS}": f"{CROSS}\n    stream = {OWN}"
    },
    "attention is missing": {OWN: "stream"},
    "cross-attention is missing, or its result is not handed on": {CROSS: "stream"},
    "feed-forward is missing": {FEED_FORWARD: "stream"},
    "each part reads the inputs: hand the output of one to the next": {"stream +": "inputs +", "(stream)": "(inputs)"},
    "each line adds to the inputs: add to the stream as it is now": {"stream +": "inputs +"},
    "nothing is added: add what each part gives to what came in": {"stream +": ""},
    "nothing is normalized: norm what each part reads": {f"self.norm{number}": "" for number in (1, 2, 3)},
    "this is post-norm: normalize what each part reads": {
        OWN: "self.norm1(stream + self.attention(stream, causal=True))",
        CROSS: "self.norm2(stream + self.cross_attention(stream, memory, mask=memory_mask))",
        FEED_FORWARD: "self.norm3(stream + self.feed_forward(stream))",
    },
}
DECODERS = slips(RightDecoder, DECODER_SLIPS)


def expect_decoder(kind, name):
    """Refuse a block of a decoder that does not give what the right one does, and name its mistake."""
    parts = dict.fromkeys(("attention", "cross_attention"), MultiHeadAttention) | {"feed_forward": FeedForward}
    parts |= dict.fromkeys(("norm1", "norm2", "norm3"), nn.LayerNorm)
    block = built_block(kind, name, parts)
    sequences = torch.randn(2, 2, 5, D_MODEL).unbind()  # inputs and memory
    cases = {
        "the output without a mask": sequences,
        "the output with a memory_mask": (*sequences, padding_mask([5, 3], 5)),
        "the output with a longer memory": (sequences[0], torch.randn(2, 7, D_MODEL), padding_mask([7, 3], 7)),
    }
    with explained(FORWARD_STOPS):
        modules.expect_module(block, RightDecoder, SIZES, cases, DECODERS, atol=1e-4)
