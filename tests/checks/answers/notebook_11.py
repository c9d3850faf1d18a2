"""Right and wrong answers to the exercises in notebook 11 (the Transformer block)."""

import torch
from torch import nn

from companion.checks.notebook_11 import check_layer_norm, check_my_decoder, check_pre_norm_block, pytorchs_norm
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward, Residual


def by_mean(inputs, weight, bias, eps=1e-5):
    mean = inputs.mean(dim=-1, keepdim=True)
    variance = (inputs - mean).square().mean(dim=-1, keepdim=True)
    return (inputs - mean) / (variance + eps).sqrt() * weight + bias


def by_difference_of_squares(inputs, weight, bias, eps=1e-5):
    wide = inputs.double()
    mean, squares = wide.mean(-1), wide.square().mean(-1)
    root = (squares - mean**2 + eps) ** 0.5
    return ((wide - mean[..., None]) / root[..., None] * weight + bias).float()


def row_by_row(inputs, weight, bias, eps=1e-5):
    rows = []
    for row in inputs.reshape(-1, inputs.shape[-1]):
        variance, mean = torch.var_mean(row, correction=0)
        rows.append(weight * (row - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(inputs)


def in_place(inputs, weight, bias, eps=1e-5):
    inputs -= inputs.mean(-1, keepdim=True)
    return inputs / (inputs.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


def by_std(inputs, weight, bias, eps=1e-5):
    return (inputs - inputs.mean(-1, keepdim=True)) / (inputs.std(-1, keepdim=True) + eps) * weight + bias


def encoder(run, start=nn.Module.__init__, **changes):
    """Make a block that does run(block, inputs, mask), with some parts made otherwise, of (d_model, heads, hidden)."""
    made = {
        "feed_forward": lambda d_model, num_heads, d_hidden: FeedForward(d_model, d_hidden),
        "attention": lambda d_model, num_heads, d_hidden: MultiHeadAttention(d_model, num_heads),
        "norm1": lambda d_model, *sizes: nn.LayerNorm(d_model),
        "norm2": lambda d_model, *sizes: nn.LayerNorm(d_model),
    } | changes

    class PreNormBlock(nn.Module):
        def __init__(self, d_model, num_heads, d_hidden):
            start(self)
            for name, make in made.items():
                if make:
                    setattr(self, name, make(d_model, num_heads, d_hidden))

        def forward(self, inputs, mask=None):
            return run(self, inputs, mask)

    return PreNormBlock


def right(block, inputs, mask):
    output = inputs + block.attention(block.norm1(inputs), mask=mask)
    return output + block.feed_forward(block.norm2(output))


def step_by_step(block, inputs, mask):
    stream = block.attention(block.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


def stream_changed(block, inputs, mask):
    inputs += block.attention(block.norm1(inputs), mask=mask)
    return inputs + block.feed_forward(block.norm2(inputs))


def norm_shared(block, inputs, mask):
    output = inputs + block.attention(block.norm1(inputs), mask=mask)
    return output + block.feed_forward(block.norm1(output))


def taken_apart(block, inputs, mask):
    output, _ = block.attention(block.norm1(inputs), mask=mask)
    output = inputs + output
    return output + block.feed_forward(block.norm2(output))


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


def written_out(block, inputs, memory, mask):
    past = torch.ones(inputs.shape[-2], inputs.shape[-2]).tril().bool()
    output = inputs + block.attention(block.after_attention.norm(inputs), mask=past)
    output = output + block.cross_attention(block.after_cross_attention.norm(output), memory, mask=mask)
    return output + block.feed_forward(block.after_feed_forward.norm(output))


def not_handed_on(block, inputs, memory, mask):
    block.after_attention(inputs, lambda read: block.attention(read, causal=True))
    block.after_cross_attention(inputs, lambda read: block.cross_attention(read, memory, mask=mask))
    return block.after_feed_forward(inputs, block.feed_forward)


def called_at_once(block, inputs, memory, mask):
    return block.after_attention(inputs, block.attention(inputs, causal=True))


RIGHT = {
    check_layer_norm: [by_mean, by_difference_of_squares, row_by_row],
    check_pre_norm_block: [encoder(right), encoder(step_by_step, dropout=lambda *sizes: nn.Dropout(0.0))],
    check_my_decoder: [decoder(by_residuals), decoder(written_out)],
}
WRONG = {
    check_layer_norm: [
        (in_place, "an input is changed in place"),
        (by_std, "var and std divide by the number of features less 1"),
        (lambda *given: by_mean(*given)[0], "layer_norm for a batch gives shape (5, 5), but (5, 5, 5) was expected"),
        (pytorchs_norm, "F.layer_norm is what you are to write"),
    ],
    check_pre_norm_block: [
        (encoder(right, start=lambda self: None), "__init__ makes a part before nn.Module is ready"),
        (WithoutForward, "WithoutForward(12, 3, 20) has no `forward`"),
        (encoder(right, norm2=None), "PreNormBlock(12, 3, 20) has no `norm2`"),
        (encoder(right, norm1=lambda *sizes: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (encoder(right, norm1=lambda *sizes: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (encoder(right, feed_forward=lambda *sizes: FeedForward(12, 48)), "feed_forward has 48 hidden features, but"),
        (encoder(right, attention=lambda *sizes: MultiHeadAttention(12, 1)), "attention has 1 heads, but 3 was"),
        (encoder(taken_apart), "attention returns the output alone"),
        (encoder(norm_shared), "norm1 serves twice"),
        (encoder(stream_changed), "an input is changed in place"),
        (
            encoder(lambda block, inputs, mask: inputs + block.attention(block.norm1(inputs), mask)),
            "feed-forward is missing",
        ),
        (encoder(lambda *given: None), "the output for a batch gives None; did you forget `return`?"),
    ],
    check_my_decoder: [
        (decoder(by_residuals, cross=False), "one part serves twice"),
        (decoder(by_residuals, norm_first=False), "after_attention is post-norm"),
        (decoder(not_handed_on), "each part reads the inputs"),
        (decoder(called_at_once), "a residual takes a function: lambda"),
    ],
}
