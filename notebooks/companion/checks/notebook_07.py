"""Checks of the exercises in notebook 07 (training a head)."""

import torch
from torch import nn

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect_kind, expect_like
from companion.checks.modules import built, expect_linear, expect_trainable, twins
from companion.checks.tables import compared_with, forward_of_steps, of_steps
from utils import attention as course
from utils.attention import attention

STOPPED = {
    "second time": "the gradients were asked for twice: one loss.backward() for each batch",
    "not require grad": "no way leads back from the loss to the parameters: no detach or no_grad before backward",
    "no attribute 'backward'": "ask for the gradients, loss.backward(), before .item() makes a bare number of the loss",
    "'NoneType' object has no": "loss_of(batch) returns the loss: loss = loss_of(batch)",
    "has no len()": "batches comes one by one, and has no length: for batch in batches",
    "not subscriptable": "batches comes one by one, and has no places: for batch in batches",
}


@of_steps
def _loop(loss_of, optimizer, batches, *, order="lzbs", after="", used=lambda batches: batches):
    """Train on batches and return the loss of each: one step for each batch.

    order: of l, to find the loss, z, to zero the gradients, b, backward, and s, the step; after: the same, once the
    batches are used up.
    """
    losses, loss = [], None
    acts = {
        "z": lambda loss: optimizer.zero_grad(),
        "b": lambda loss: loss.backward(),
        "s": lambda loss: optimizer.step(),
    }
    for batch in used(batches):
        for letter in order:
            if letter == "l":
                loss = loss_of(batch)
            else:
                acts[letter](loss)
        losses.append(loss.item())
    for letter in after:
        acts[letter](loss)
    return losses


one_loop = _loop()  # the course's own `train`
LOOPS = {  # {message: wrong train}
    "the gradients of all batches add up: forget the old ones, optimizer.zero_grad(), for each batch": _loop("lbs"),
    "the parameters stay where they are: zero_grad, then backward, then step, for each batch": _loop("lbzs"),
    "step comes before backward, so it moves by the gradients of the batch before": _loop("lsb"),
    "only the last batch moves the parameters: all three calls stand inside the loop": _loop("l", "zbs"),
    "only the first batch is used": _loop(used=lambda batches: list(batches)[:1]),
}
MOVED = ("list of losses", "value of the parameters")


@of_steps
def _after(start, batches, *, train):
    """Return the losses of some batches, and the parameters after them."""
    parameter = nn.Parameter(start.clone())
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    losses = train(lambda batch: (parameter * batch).sum(dim=-1).sub(1).square().mean(), optimizer, iter(batches))
    expect_kind(losses, list, "train", "a list of the losses")
    for loss in losses:
        expect_kind(loss, float, "train", "a list of bare numbers, loss.item(),")
    return torch.tensor(losses), parameter.detach()


@compared_with(_after(one_loop), LOOPS, STOPPED, parts=MOVED, ask=_after)
def check_train(train):
    """each batch moves the parameters once, by its own gradients alone."""
    yield "train on three batches", (torch.randn(4), [torch.randn(5, 4) for _ in range(3)])


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
    f"{known.IGNORED}: pass it on, {ORDER}": _head(lambda x, q, k, v, mask: attention(q, k, v)),
    known.INVERTED: _head(lambda x, q, k, v, mask: attention(q, k, v, mask if mask is None else ~mask)),
    "the future is hidden without being asked: only the given mask hides anything": _head(_without_future),
}
LAYERS = dict.fromkeys(("W_query", "W_key", "W_value"), ("d_in", "d_out"))


@exercise(mistakes=HEADS)
def check_one_head(OneHead):
    """training finds three matrices, any batch fits, and any mask is obeyed."""
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
