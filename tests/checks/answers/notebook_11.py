"""Right and wrong answers to the exercises in notebook 11 (the Transformer block)."""

import torch
from torch import nn

from companion.checks.notebook_11 import check_layer_norm, check_my_decoder, check_pre_norm_block, pytorchs_norm
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward, Residual


def row_by_row(inputs, weight, bias, eps=1e-5):
    rows = []
    for row in inputs.reshape(-1, inputs.shape[-1]):
        variance, mean = torch.var_mean(row, correction=0)
        rows.append(weight * (row - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(inputs)


def in_place(inputs, weight, bias, eps=1e-5):
    inputs -= inputs.mean(-1, keepdim=True)
    return inputs / (inputs.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


def encoder(run, start=nn.Module.__init__, **changes):
    """Make a block that does run(block, inputs, mask), with some parts made otherwise."""
    made = {
        "feed_forward": lambda: FeedForward(12, 20),
        "attention": lambda: MultiHeadAttention(12, 3),
        "norm1": lambda: nn.LayerNorm(12),
        "norm2": lambda: nn.LayerNorm(12),
    } | changes

    class PreNormBlock(nn.Module):
        def __init__(self, *sizes):
            start(self)
            for name, make in made.items():
                setattr(self, name, make())

        def forward(self, inputs, mask=None):
            return run(self, inputs, mask)

    return PreNormBlock


def right(block, inputs, mask):
    output = inputs + block.attention(block.norm1(inputs), mask=mask)
    return output + block.feed_forward(block.norm2(output))


def stream_changed(block, inputs, mask):
    inputs += block.attention(block.norm1(inputs), mask=mask)
    return inputs + block.feed_forward(block.norm2(inputs))


def mask_as_memory(block, inputs, mask):
    return right(block, inputs, mask) if mask is None else block.attention(inputs, mask)


class WithoutForward(nn.Module):
    __init__ = encoder(right).__init__


def decoder(run, norm_first=True, cross=True):
    """Make a decoder's block that does run(block, inputs, memory, memory_mask)."""

    class MyDecoder(nn.Module):
        def __init__(self, d_model, num_heads, d_hidden):
            super().__init__()
            self.attention, self.feed_forward = MultiHeadAttention(d_model, num_heads), FeedForward(d_model, d_hidden)
            self.cross_attention = MultiHeadAttention(d_model, num_heads) if cross else self.attention
            for name in ("attention", "cross_attention", "feed_forward"):
                setattr(self, f"after_{name}", Residual(d_model, norm_first))

        def forward(self, inputs, memory, memory_mask=None):
            return run(self, inputs, memory, memory_mask)

    return MyDecoder


def by_residuals(block, inputs, memory, mask):
    output = block.after_attention(inputs, lambda read: block.attention(read, causal=True))
    output = block.after_cross_attention(output, lambda read: block.cross_attention(read, memory, mask=mask))
    return block.after_feed_forward(output, block.feed_forward)


def memory_cut(block, inputs, memory, mask):
    return by_residuals(block, inputs, memory[:, :5], mask if mask is None else mask[..., :5])


def called_at_once(block, inputs, memory, mask):
    return block.after_attention(inputs, block.attention(inputs, causal=True))


RIGHT = {
    check_layer_norm: [row_by_row],
    check_pre_norm_block: [encoder(right, dropout=lambda: nn.Dropout(0.0))],
    check_my_decoder: [decoder(by_residuals)],
}
WRONG = {
    check_layer_norm: [
        (in_place, "an input is changed in place"),
        (pytorchs_norm, "F.layer_norm is what you are to write"),
    ],
    check_pre_norm_block: [
        (encoder(right, start=lambda self: None), "nothing can be registered yet: begin __init__ with super()"),
        (WithoutForward, "PreNormBlock has no `forward`"),
        (encoder(right, norm2=lambda: None), "PreNormBlock has no `norm2`"),
        (encoder(right, norm1=lambda: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (encoder(right, norm1=lambda: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (encoder(right, feed_forward=lambda: FeedForward(12, 48)), "feed_forward has 48 hidden features, but"),
        (encoder(right, attention=lambda: MultiHeadAttention(12, 1)), "an attention has 1 heads, but 3 was"),
        (encoder(stream_changed), "an input is changed in place"),
        (encoder(mask_as_memory), "the mask is handed over as the memory"),
    ],
    check_my_decoder: [
        (decoder(by_residuals, cross=False), "one part serves twice"),
        (decoder(by_residuals, norm_first=False), "after_attention is post-norm"),
        (
            decoder(lambda block, x, memory, mask: by_residuals(block, x, memory, mask & True)),
            "your class stopped with Ty",
        ),
        (decoder(memory_cut), "the output with a longer memory has the right shape"),
        (decoder(called_at_once), "a residual takes a function: lambda"),
    ],
}
