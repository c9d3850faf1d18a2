"""Checks of the exercises in notebook 07 (the self-attention module)."""

import torch
from torch import nn

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect_like
from companion.checks.modules import built, expect_linear, expect_trainable, twins
from companion.checks.tables import compared_with, forward_of_steps, of_steps
from utils import attention as course
from utils.attention import attention

ROUNDING = 1e-6  # an output has moved unless all its numbers stay within it, which nan does not


@forward_of_steps(course.SelfAttention)
def _head(self, inputs, mask=None, *, reads):
    return reads(inputs, self.W_query(inputs), self.W_key(inputs), self.W_value(inputs), mask)


def _without_future(inputs, query, key, value, mask):
    past = course.causal_mask(query.shape[-2])
    return attention(query, key, value, past if mask is None else past & mask)


ORDER = "my_attention(query, key, value, mask)"
HEADS = {  # {message: wrong OneHead}
    "context and weights are exchanged: return context, weights": _head(lambda x, *given: attention(*given)[::-1]),
    f"query and key are exchanged: {ORDER}": _head(lambda x, q, k, v, mask: attention(k, q, v, mask)),
    f"key and value are exchanged: {ORDER}": _head(lambda x, q, k, v, mask: attention(q, v, k, mask)),
    "the inputs are read as they are: use the three layers": _head(lambda x, q, k, v, mask: attention(x, x, x, mask)),
    f"{known.IGNORED}: hand it on, {ORDER}": _head(lambda x, q, k, v, mask: attention(q, k, v)),
    known.INVERTED: _head(lambda x, q, k, v, mask: attention(q, k, v, mask if mask is None else ~mask)),
    "the future is hidden without being asked: only the given mask hides anything": _head(_without_future),
}
LAYERS = dict.fromkeys(("W_query", "W_key", "W_value"), ("d_in", "d_out"))


@exercise(mistakes=HEADS)
def check_one_head(OneHead):
    """training finds three matrices, any batch fits, and any mask is kept to."""
    head, right = built(OneHead, "OneHead", 6, 4), course.SelfAttention(6, 4)
    expect_linear(head, LAYERS, {"d_in": 6, "d_out": 4}, bias=False)
    right.load_state_dict(head.state_dict())
    wrong = twins(HEADS, head, 6, 4)
    one, batch = torch.randn(7, 6), torch.randn(3, 7, 6)
    cases = {
        "the head without a mask": (one,),
        "the head with a causal mask": (one, course.causal_mask(7)),
        "the head with padding": (batch, course.padding_mask([7, 2, 3], 7)),
    }
    for doing, inputs in cases.items():
        expect_like(head, right, inputs, doing, wrong, parts=("context", "weights"))
    expect_trainable(head, head(one)[0])


@compared_with(course.causal_mask, known.CAUSAL)
def check_causal_mask(causal_mask):
    """each token sees itself and what comes before it, and nothing after it."""
    yield "causal_mask(5)", (5,)
    yield "causal_mask(1)", (1,), {}


def _compared(compare):
    """Make a padding mask that goes wrong in how it compares the positions with the lengths, a column."""
    return lambda lengths, num_tokens: compare(torch.arange(num_tokens), torch.tensor(lengths)[:, None])[:, None]


def _changed(change):
    return lambda lengths, num_tokens: change(course.padding_mask(lengths, num_tokens))


PADDING = {
    "True and False are exchanged: True = may attend, for the real tokens": _compared(torch.ge),
    "off by one: positions are numbered from 0, so a real one is below the length": _compared(torch.le),
    "the padding comes after the real tokens, not before them": _changed(lambda mask: mask.flip(-1)),
    "the axis of size 1 is missing: (batch, 1, num_tokens), one row for all queries": _changed(lambda mask: mask[:, 0]),
    "the width is num_tokens, not the longest sentence's": lambda n, _: course.padding_mask(n, max(n)),
}


@compared_with(course.padding_mask, PADDING)
def check_padding_mask(padding_mask):
    """real tokens may be seen, padding may not, in a batch of any size."""
    for sizes in (([2, 5, 3], 6), ([4, 4], 4)):
        yield "padding_mask({}, {})".format(*sizes), sizes


@of_steps
def _tried(
    read,
    inputs,
    *,
    change=lambda token: token + torch.randn(token.shape),
    moves=lambda gap: ~(gap.abs() <= ROUNDING).all(dim=-1),
    copy=torch.clone,
    places=range,
):
    """Return which outputs of read(inputs) move with which input, (outputs, inputs)."""
    before, size = read(inputs), len(inputs)
    moved = torch.zeros(size, size, dtype=torch.bool)
    for place in places(size):
        changed = copy(inputs)
        changed[place] = change(changed[place])
        moved[:, place] = moves(read(changed) - before)
    return moved


# The course's own `who_moves`, which draws nothing at random.
moved_outputs = _tried(change=lambda token: token + torch.linspace(1, 2, token.shape[-1]))


def _judged(on):
    """Make a wrong answer from the right matrix."""
    return lambda read, inputs: on(moved_outputs(read, inputs))


MOVES = {  # {message: wrong who_moves}; what shows in the fewest cases comes first
    "nan > 1e-6 is False: ask which outputs stay, (... <= 1e-6).all(dim=-1), and turn that round with ~": _tried(
        moves=lambda gap: (gap.abs() > ROUNDING).any(-1)
    ),
    "the last digit is rounding: ask for more than 1e-6": _tried(moves=lambda gap: (gap != 0).any(-1)),
    "what is added to all features is lost with the mean: add torch.randn": _tried(change=lambda token: token + 1),
    "small moves are missed: compare with 1e-6": _tried(moves=lambda gap: (gap.abs() > 1e-2).any(-1)),
    "one moving feature is lost in a mean: look at each": _tried(moves=lambda gap: gap.abs().mean(-1) > ROUNDING),
    "differences cancel in a sum or a mean: look at each": _tried(moves=lambda gap: gap.sum(-1).abs() > ROUNDING),
    "only what grows counts as moved: take .abs() of the gap": _tried(moves=lambda gap: (gap > ROUNDING).any(-1)),
    "a row of zeros stays as it is when it is multiplied: add to it": _tried(change=lambda token: token * 2),
    "each change stays: change a new inputs.clone()": lambda read, x: _tried(copy=lambda kept: kept)(read, x.clone()),
    "rows and columns are exchanged: entry (i, j) says if output i moves with input j": _judged(torch.t),
    "True and False are exchanged: True means that the output moves": _judged(torch.logical_not),
    "this is one verdict on all outputs: look at each row": _tried(moves=lambda gap: (gap.abs() > ROUNDING).any()),
    "only the changed token's output is compared": _judged(lambda moved: moved & torch.eye(len(moved)).bool()),
    "only one input is changed: change each in turn": _tried(places=lambda size: [0]),
}
# Which output reads which input, (outputs, inputs): neither symmetric nor causal
READS = torch.tensor([[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0], [1, 0, 1, 0, 1]]) * 1.0


@compared_with(moved_outputs, MOVES)
def check_who_moves(who_moves):
    """every input was changed, every output was looked at, and nothing stayed changed."""
    start, some, others = torch.randn(5, 4), torch.randn(4, 1), torch.randn(4, 1)
    matrix = torch.cat([some, -some, others], dim=1) / 2  # what moves goes up in one feature, down in another

    def mixed(inputs):
        return READS @ (inputs @ matrix)

    def shrinking(inputs):
        return -(READS @ (inputs - start).square().sum(dim=-1, keepdim=True))

    cases = {
        "": mixed,
        ", for outputs that only shrink,": shrinking,
        ", for features that move in opposite directions,": lambda x: mixed(x)[:, :1] * torch.tensor([1.0, -1]),
        ", for outputs of a thousandth,": lambda x: mixed(x) / 1000,
        ", for a last of many features that moves,": lambda x: nn.functional.pad(mixed(x)[:, -1:] / 30, (299_999, 0)),
        ", for outputs that become nan,": lambda x: shrinking(x).sqrt(),
        ", for inputs less the mean of their features,": lambda x: mixed(x - x.mean(dim=-1, keepdim=True)),
        ", with rounding errors,": lambda x: mixed(x).tanh() / 50 + 2e-7 * x.sum().sin(),
    }
    for about, read in cases.items():
        yield f"who_moves{about}", (read, start)
    yield "who_moves, with a row of zeros,", (mixed, start.index_fill(0, torch.tensor([2]), 0.0))
