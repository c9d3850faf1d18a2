"""Check of the exercise on the handbook's page Blocks, and what it shares with notebook 14 (a decoder's block)."""

from functools import partial

import torch
from torch import nn

from companion.checks.exercise import exercise
from companion.checks.notebook_12 import D_MODEL, built_block, expect_block
from companion.checks.tables import forward_of_steps
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import DecoderBlock, FeedForward

NORMS = ("norm1", "norm2", "norm3")


@forward_of_steps(DecoderBlock)
def _decoder(
    self,
    inputs,
    memory,
    memory_mask=None,
    *,
    own=lambda block, read, mask: block.attention(read, causal=True),
    cross=lambda block, read, memory, mask: block.cross_attention(read, memory, mask=mask),
    order=(0, 1, 2),
    norms=NORMS,
    add=lambda norm, stream, part: stream + part(norm(stream)),
    to_stream=True,
    remembered=lambda block, memory: memory,
):
    came_in = inputs
    ask = partial(cross, self, memory=remembered(self, memory), mask=memory_mask)
    parts = partial(own, self, mask=memory_mask), ask, self.feed_forward
    for number in order:
        added = add(getattr(self, norms[number]), inputs, parts[number])
        inputs = added if to_stream else added - inputs + came_in
    return inputs


DECODERS = {  # {message: wrong decoder's block}
    "the future is read: attention needs causal=True": _decoder(lambda block, read, mask: block.attention(read)),
    "the memory is not read": _decoder(cross=lambda block, read, memory, mask: block.cross_attention(read)),
    "memory_mask has no effect": _decoder(cross=lambda block, read, memory, mask: block.cross_attention(read, memory)),
    "memory_mask goes to attention, too": _decoder(lambda block, x, mask: block.attention(x, causal=True, mask=mask)),
    "attention serves twice": _decoder(cross=lambda block, x, memory, mask: block.attention(x, memory, mask=mask)),
    "the memory is read first; the token's own past comes first": _decoder(order=(1, 0, 2)),
    "attention is missing": _decoder(order=(1, 2)),
    "cross-attention is missing, or its result is not handed on": _decoder(order=(0, 2)),
    "feed-forward is missing": _decoder(order=(0, 1)),
    "each part reads the inputs: hand the output of one to the next": _decoder(order=(2,)),
    "each line adds to the inputs: add to the stream as it is now": _decoder(to_stream=False),
    "one norm serves all three lines: each part has its own": _decoder(norms=NORMS[:1] * 3),
    "the memory is normalized, too: hand it over as it is": _decoder(
        remembered=lambda block, memory: block.norm2(memory)
    ),
    "nothing is added: add what each part gives to what came in": _decoder(add=lambda norm, x, part: part(norm(x))),
    "nothing is normalized: norm what each part reads": _decoder(add=lambda norm, x, part: x + part(x)),
    "this is post-norm: normalize what each part reads": _decoder(add=lambda norm, x, part: norm(x + part(x))),
}


def expect_decoder(kind, name):
    """Refuse a block of a decoder that does not give what the right one does, and name its mistake."""
    parts = dict.fromkeys(("attention", "cross_attention"), MultiHeadAttention) | {"feed_forward": FeedForward}
    parts |= dict.fromkeys(NORMS, nn.LayerNorm)
    block = built_block(kind, name, parts)
    given = torch.randn(2, 2, 5, D_MODEL).unbind()  # inputs and memory
    cases = {
        "the output without a mask": given,
        "the output with a memory_mask": (*given, padding_mask([5, 3], 5)),
        "the output with a longer memory": (given[0], torch.randn(2, 7, D_MODEL), padding_mask([7, 3], 7)),
    }
    expect_block(block, _decoder(), cases, parts, DECODERS)


@exercise(mistakes=DECODERS)
def check_my_decoder(MyDecoder):
    """each token reads what was written so far, then the memory, then works on its own, and adds all three."""
    expect_decoder(MyDecoder, "MyDecoder")
