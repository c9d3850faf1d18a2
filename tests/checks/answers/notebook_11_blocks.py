"""Right and wrong answers to the other exercises in notebook 11 (the Transformer block)."""

from functools import partial

from torch import nn

from companion.checks.notebook_11_blocks import check_my_decoder, check_pre_norm_block
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward, Residual


def encoder_parts(block, d_model, num_heads, d_hidden):
    block.attention = MultiHeadAttention(d_model, num_heads)
    block.feed_forward = FeedForward(d_model, d_hidden)
    block.norm1, block.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)


def decoder_parts(block, d_model, num_heads, d_hidden):
    block.attention, block.cross_attention = (MultiHeadAttention(d_model, num_heads) for _ in range(2))
    block.feed_forward = FeedForward(d_model, d_hidden)
    block.after_attention, block.after_cross_attention, block.after_feed_forward = (Residual(d_model) for _ in range(3))


def with_changes(build, **changes):
    """Replace some parts by what is made of (d_model, num_heads, d_hidden)."""

    def build_changed(block, *sizes):
        build(block, *sizes)
        for name, make in changes.items():
            setattr(block, name, make(*sizes))

    return build_changed


def without(build, name):
    def build_less(block, *sizes):
        build(block, *sizes)
        delattr(block, name)

    return build_less


def shared(build, name, other):
    def build_shared(block, *sizes):
        build(block, *sizes)
        setattr(block, name, getattr(block, other))

    return build_shared


def encoder(run, build=encoder_parts):
    """Compose a block from what its forward does with (block, inputs, attend), which may be wrong."""

    class PreNormBlock(nn.Module):
        def __init__(self, d_model, num_heads, d_hidden):
            super().__init__()
            build(self, d_model, num_heads, d_hidden)

        def forward(self, inputs, mask=None):
            return run(self, inputs, lambda read: self.attention(read, mask=mask))

    return PreNormBlock


def right(block, inputs, attend):
    output = inputs + attend(block.norm1(inputs))
    return output + block.feed_forward(block.norm2(output))


def step_by_step(block, inputs, attend):
    read = block.norm1(inputs)
    stream = attend(read).add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


class WithOptions(nn.Module):
    """More than was asked for: an order to choose and dropout, which is 0."""

    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        encoder_parts(self, d_model, num_heads, d_hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs, mask=None):
        inputs = inputs + self.dropout(self.attention(self.norm1(inputs), mask=mask, need_weights=True)[0])
        return inputs + self.dropout(self.feed_forward(self.norm2(inputs)))


def post_norm(block, inputs, attend):
    output = block.norm1(inputs + attend(inputs))
    return block.norm2(output + block.feed_forward(output))


def nothing_added(block, inputs, attend):
    return block.feed_forward(block.norm2(attend(block.norm1(inputs))))


def attention_not_added(block, inputs, attend):
    output = attend(block.norm1(inputs))
    return output + block.feed_forward(block.norm2(output))


def forward_not_added(block, inputs, attend):
    return block.feed_forward(block.norm2(inputs + attend(block.norm1(inputs))))


def stream_normalised(block, inputs, attend):
    inputs = block.norm1(inputs)
    inputs = block.norm2(inputs + attend(inputs))
    return inputs + block.feed_forward(inputs)


def added_to_inputs(block, inputs, attend):
    return inputs + block.feed_forward(block.norm2(inputs + attend(block.norm1(inputs))))


def side_by_side(block, inputs, attend):
    return inputs + attend(block.norm1(inputs)) + block.feed_forward(block.norm2(inputs))


def forward_first(block, inputs, attend):
    output = inputs + block.feed_forward(block.norm2(inputs))
    return output + attend(block.norm1(output))


def normed_by(first, second):
    """Let both parts read through other norms; None is no norm."""

    def run(block, inputs, attend):
        norms = [getattr(block, name) if name else lambda read: read for name in (first, second)]
        output = inputs + attend(norms[0](inputs))
        return output + block.feed_forward(norms[1](output))

    return run


def in_place(block, inputs, attend):
    inputs += attend(block.norm1(inputs))
    return inputs + block.feed_forward(block.norm2(inputs))


def changes_normalised(block, inputs, attend):
    output = inputs + block.norm1(attend(inputs))
    return output + block.norm2(block.feed_forward(output))


class WithoutParentheses(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__  # noqa: B018
        encoder_parts(self, d_model, num_heads, d_hidden)


class WithoutForward(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        encoder_parts(self, d_model, num_heads, d_hidden)


class MaskForgotten(encoder(right)):
    def forward(self, inputs, mask=None):
        return super().forward(inputs)


class MaskTurned(encoder(right)):
    def forward(self, inputs, mask=None):
        return super().forward(inputs, None if mask is None else ~mask)


class MaskAsMemory(encoder(right)):
    def forward(self, inputs, mask=None):
        output = inputs + self.attention(self.norm1(inputs), mask)
        return output + self.feed_forward(self.norm2(output))


def decoder(run, build=decoder_parts):
    """Compose a decoder's block from what its forward does with (block, inputs, memory, memory_mask)."""

    class MyDecoder(nn.Module):
        def __init__(self, d_model, num_heads, d_hidden):
            super().__init__()
            build(self, d_model, num_heads, d_hidden)

        def forward(self, inputs, memory, memory_mask=None):
            return run(self, inputs, memory, memory_mask)

    return MyDecoder


def decoding(own=None, read=None, residuals=("after_attention", "after_cross_attention", "after_feed_forward")):
    """Compose a forward from how it reads the inputs and the memory, and from the residuals in their order."""

    def run(block, inputs, memory, mask):
        first, second, third = (getattr(block, name) for name in residuals)
        attend = own or (lambda block, stream: block.attention(stream, causal=True))
        cross = read or (lambda block, stream, memory, mask: block.cross_attention(stream, memory, mask=mask))
        output = first(inputs, lambda stream: attend(block, stream))
        output = second(output, lambda stream: cross(block, stream, memory, mask))
        return third(output, block.feed_forward)

    return run


def written_out(block, inputs, memory, mask):
    output = inputs + block.attention(block.after_attention.norm(inputs), causal=True)
    output = output + block.cross_attention(block.after_cross_attention.norm(output), memory, mask=mask)
    return output + block.feed_forward(block.after_feed_forward.norm(output))


def by_causal_mask(block, stream):
    places = range(stream.shape[-2])
    mask = stream.new_tensor([[key <= query for key in places] for query in places]).bool()
    return block.attention(stream, mask=mask)


def memory_first(block, inputs, memory, mask):
    output = block.after_cross_attention(inputs, lambda read: block.cross_attention(read, memory, mask=mask))
    output = block.after_attention(output, lambda read: block.attention(read, causal=True))
    return block.after_feed_forward(output, block.feed_forward)


def some(*names):
    """Leave out some of the three parts."""

    def run(block, inputs, memory, mask):
        parts = {
            "attention": lambda read: block.attention(read, causal=True),
            "cross_attention": lambda read: block.cross_attention(read, memory, mask=mask),
            "feed_forward": block.feed_forward,
        }
        for name in names:
            inputs = getattr(block, f"after_{name}")(inputs, parts[name])
        return inputs

    return run


def all_read_the_inputs(block, inputs, memory, mask):
    block.after_attention(inputs, lambda read: block.attention(read, causal=True))
    block.after_cross_attention(inputs, lambda read: block.cross_attention(read, memory, mask=mask))
    return block.after_feed_forward(inputs, block.feed_forward)


def forward_reads_too_early(block, inputs, memory, mask):
    output = block.after_attention(inputs, lambda read: block.attention(read, causal=True))
    block.after_cross_attention(output, lambda read: block.cross_attention(read, memory, mask=mask))
    return block.after_feed_forward(output, block.feed_forward)


def masked(block, inputs, memory, mask, both):
    """Let the memory's mask hide the inputs, too or instead."""
    output = block.after_attention(inputs, lambda read: block.attention(read, causal=True, mask=mask))
    memorys = mask if both else None
    output = block.after_cross_attention(output, lambda read: block.cross_attention(read, memory, mask=memorys))
    return block.after_feed_forward(output, block.feed_forward)


def past_the_norms(own, read):
    """Let the first part or the second read the inputs themselves."""

    def run(block, inputs, memory, mask):
        output = block.after_attention(inputs, lambda stream: block.attention(inputs if own else stream, causal=True))
        output = block.after_cross_attention(
            output, lambda stream: block.cross_attention(inputs if read else stream, memory, mask=mask)
        )
        return block.after_feed_forward(output, block.feed_forward)

    return run


def called_at_once(block, inputs, memory, mask):
    return block.after_attention(inputs, block.attention(inputs, causal=True))


def without_residuals(block, inputs, memory, mask):
    output = block.cross_attention(block.attention(inputs, causal=True), memory, mask=mask)
    return block.feed_forward(output)


RIGHT = {
    check_pre_norm_block: [encoder(right), encoder(step_by_step), WithOptions],
    check_my_decoder: [decoder(decoding()), decoder(written_out), decoder(decoding(own=by_causal_mask))],
}
WRONG = {
    check_pre_norm_block: [
        (WithoutParentheses, "__init__ makes a part before nn.Module is ready"),
        (WithoutForward, "WithoutForward(12, 3, 20) has no `forward`"),
        (encoder(right, without(encoder_parts, "norm2")), "PreNormBlock(12, 3, 20) has no `norm2`"),
        (encoder(right, shared(encoder_parts, "norm2", "norm1")), "one part serves twice"),
        (
            encoder(right, with_changes(encoder_parts, norm1=lambda *sizes: nn.LayerNorm(5))),
            "a LayerNorm runs over (5,): it is made of d_model",
        ),
        (
            encoder(right, with_changes(encoder_parts, norm1=lambda *sizes: nn.RMSNorm(12))),
            "norm1 is a RMSNorm, but a LayerNorm was expected",
        ),
        (
            encoder(right, with_changes(encoder_parts, feed_forward=lambda *sizes: FeedForward(12, 48))),
            "feed_forward has 48 hidden features, but 20 was expected",
        ),
        (
            encoder(right, with_changes(encoder_parts, attention=lambda *sizes: MultiHeadAttention(12, 1))),
            "attention has 1 heads, but 3 was expected",
        ),
        (encoder(post_norm), "this is post-norm, which normalises the sum"),
        (encoder(nothing_added), "nothing is added to the stream"),
        (encoder(attention_not_added), "attention's residual is missing"),
        (encoder(forward_not_added), "feed-forward's residual is missing"),
        (encoder(stream_normalised), "the stream itself is normalised"),
        (encoder(added_to_inputs), "feed-forward's change is added to the inputs"),
        (encoder(side_by_side), "feed-forward reads the inputs"),
        (encoder(forward_first), "feed-forward comes first"),
        (encoder(normed_by(None, None)), "nothing is normalised"),
        (encoder(normed_by(None, "norm2")), "norm1 is not used"),
        (encoder(normed_by("norm1", None)), "norm2 is not used"),
        (encoder(normed_by("norm1", "norm1")), "norm1 serves twice"),
        (encoder(normed_by("norm2", "norm1")), "norm1 and norm2 are exchanged"),
        (encoder(changes_normalised), "the changes are normalised"),
        (encoder(lambda block, inputs, attend: inputs + attend(block.norm1(inputs))), "feed-forward is missing"),
        (
            encoder(lambda block, inputs, attend: inputs + block.feed_forward(block.norm2(inputs))),
            "attention is missing",
        ),
        (encoder(in_place), "an input is changed in place"),
        (MaskForgotten, "the mask has no effect"),
        (MaskTurned, "the mask is turned round"),
        (MaskAsMemory, "the mask is handed over as the memory"),
        (encoder(lambda *given: None), "the output for a batch gives None; did you forget `return`?"),
        (encoder(lambda *given: given[1][0]), "the output for a batch gives shape (5, 12), but (2, 5, 12)"),
    ],
    check_my_decoder: [
        (decoder(decoding(), without(decoder_parts, "cross_attention")), "MyDecoder(12, 3, 20) has no `cross_atten"),
        (decoder(decoding(), shared(decoder_parts, "cross_attention", "attention")), "one part serves twice"),
        (
            decoder(decoding(), with_changes(decoder_parts, after_attention=lambda *sizes: Residual(12, False))),
            "after_attention is post-norm",
        ),
        (decoder(decoding(own=lambda block, read: block.attention(read))), "the future is read"),
        (
            decoder(decoding(read=lambda block, read, memory, mask: block.cross_attention(read))),
            "the memory is not read",
        ),
        (
            decoder(decoding(read=lambda block, read, memory, mask: block.cross_attention(memory, read))),
            "the memory asks, and the inputs answer",
        ),
        (
            decoder(
                decoding(
                    read=lambda block, read, memory, mask: block.cross_attention(
                        read, block.after_cross_attention.norm(memory), mask=mask
                    )
                )
            ),
            "the memory is normalised with the norm of the inputs",
        ),
        (
            decoder(
                decoding(
                    read=lambda block, read, memory, mask: block.cross_attention(read, memory, mask=mask, causal=True)
                )
            ),
            "the memory is read causally",
        ),
        (
            decoder(decoding(read=lambda block, read, memory, mask: block.attention(read, memory, mask=mask))),
            "one attention serves twice",
        ),
        (
            decoder(
                decoding(
                    own=lambda block, read: block.cross_attention(read, causal=True),
                    read=lambda block, read, memory, mask: block.attention(read, memory, mask=mask),
                )
            ),
            "the two attentions are exchanged",
        ),
        (
            decoder(decoding(read=lambda block, read, memory, mask: block.cross_attention(read, memory))),
            "memory_mask has no effect",
        ),
        (
            decoder(
                decoding(
                    read=lambda block, read, memory, mask: block.cross_attention(
                        read, memory, mask=None if mask is None else ~mask
                    )
                )
            ),
            "the mask is turned round",
        ),
        (decoder(memory_first), "the memory is read first"),
        (decoder(some("cross_attention", "feed_forward")), "attention is missing"),
        (decoder(some("attention", "feed_forward")), "cross-attention is missing"),
        (decoder(some("attention", "cross_attention")), "feed-forward is missing"),
        (decoder(decoding(residuals=["after_attention"] * 3)), "after_attention serves all three parts"),
        (decoder(all_read_the_inputs), "each part reads the inputs"),
        (decoder(forward_reads_too_early), "cross-attention is missing, or its result is not handed on"),
        (decoder(partial(masked, both=False)), "memory_mask is handed to attention"),
        (decoder(partial(masked, both=True)), "memory_mask is handed to both attentions"),
        (decoder(past_the_norms(own=True, read=False)), "attention reads the inputs, past the norm"),
        (decoder(past_the_norms(own=False, read=True)), "cross-attention asks with the inputs"),
        (decoder(called_at_once), "a residual takes a function: lambda"),
        (decoder(without_residuals), "the parts are called without their residuals"),
        (decoder(lambda *given: None), "the output without a mask gives None; did you forget `return`?"),
    ],
}
