"""Right and wrong answers to the exercises in notebook 12 (the Transformer block)."""

from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_12 import (
    RightBlock,
    RightPostNormBlock,
    check_fair_arm,
    check_post_norm_block,
    check_pre_norm_block,
)
from utils.attention import MultiHeadAttention
from utils.transformer import FeedForward


def by_mean_squares(inputs, output):
    return output * (inputs.square().mean() / output.square().mean()).sqrt()


def by_token(inputs, output):
    return nn.functional.normalize(output, dim=-1) * inputs.norm(dim=-1, keepdim=True)


def sum_by_sentence(inputs, output):
    total = output + inputs
    return total * (output.square().sum((1, 2), True) / total.square().sum((1, 2), True)).sqrt()


def sum_as_one(inputs, output):
    return (inputs + output) * (output.norm() / (inputs + output).norm())


def by_a_norm(inputs, output):
    return nn.LayerNorm(output.shape[-1])(output)


def twice_and_a_half(inputs, output):
    """Undo what one attention of random numbers does, on the average."""
    return 2.5 * output


def by_feature(inputs, output):
    return output * inputs.norm(dim=-2, keepdim=True) / output.norm(dim=-2, keepdim=True)


def step_by_step(block, inputs, mask=None):
    stream = block.attention(block.norm1(inputs), mask=mask, need_weights=True)[0].add(inputs)
    return stream.add(block.feed_forward(block.norm2(stream)))


def stream_changed(block, inputs, mask=None):
    inputs += block.attention(block.norm1(inputs), mask=mask)
    return inputs + block.feed_forward(block.norm2(inputs))


def kept_for_later(block, inputs, mask=None):
    first = block.attention(block.norm1(inputs), mask=mask) + inputs
    return inputs + block.feed_forward(block.norm2(first))


def normed_later(block, inputs, mask=None):
    first = inputs + block.attention(inputs, mask=mask)
    return block.norm2(block.norm1(first) + block.feed_forward(first))


def one_norm_less(block, inputs, mask=None):
    first = inputs + block.attention(inputs, mask=mask)
    return block.norm2(first + block.feed_forward(first))


def in_two_steps(block, inputs, mask=None):
    read, _ = block.attention(inputs, mask=mask, need_weights=True)
    stream = block.norm1(read + inputs)
    return block.norm2(block.feed_forward(stream) + stream)


def mask_as_memory(block, inputs, mask=None):
    return step_by_step(block, inputs, mask) if mask is None else block.attention(inputs, mask)


class Unready(nn.Module):
    def __init__(self, *sizes):
        self.norm1 = nn.LayerNorm(12)


RIGHT = {
    check_fair_arm: [by_mean_squares, by_token, sum_by_sentence, sum_as_one],
    check_pre_norm_block: [changed(RightBlock, step_by_step)],
    check_post_norm_block: [RightPostNormBlock, changed(RightBlock, in_two_steps)],
}
WRONG = {
    check_fair_arm: [
        (by_a_norm, "a norm subtracts the mean, too"),
        (twice_and_a_half, "fair_arm has the right shape, but is off by up to"),
        (by_feature, "fair_arm has the right shape, but is off by up to"),
    ],
    check_pre_norm_block: [
        (Unready, "nothing can be registered yet: begin __init__ with super()"),
        (changed(RightBlock, nn.Module.forward), "PreNormBlock has no `forward`"),
        (changed(RightBlock, norm2=lambda block: None), "PreNormBlock has no `norm2`"),
        (changed(RightBlock, norm1=lambda block: nn.LayerNorm(5)), "a LayerNorm runs over (5,): it is made of d_model"),
        (changed(RightBlock, norm1=lambda block: nn.RMSNorm(12)), "norm1 is a RMSNorm, but a LayerNorm was expected"),
        (changed(RightBlock, feed_forward=lambda block: FeedForward(12, 48)), "feed_forward has 48 hidden features, b"),
        (changed(RightBlock, attention=lambda block: MultiHeadAttention(12, 1)), "an attention has 1 heads, but 3 was"),
        (changed(RightBlock, kept_for_later), "feed-forward's line adds to what came in"),
        (changed(RightBlock, stream_changed), "an input is changed in place"),
        (changed(RightBlock, mask_as_memory), "the mask is handed over as the memory"),
    ],
    check_post_norm_block: [
        (changed(RightBlock, step_by_step), "this is pre-norm"),
        (changed(RightBlock, one_norm_less), "norm1 is not used"),
        (changed(RightBlock, normed_later), "the output for a batch has the right shape, but is off by up to"),
    ],
}
