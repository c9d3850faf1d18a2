"""Checks of the exercises in notebook 07 (training a head)."""

import torch

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect_like
from companion.checks.modules import built, expect_linear, expect_trainable, twins
from companion.checks.tables import compared_with, forward_of_steps
from utils import attention as course
from utils.attention import attention


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
