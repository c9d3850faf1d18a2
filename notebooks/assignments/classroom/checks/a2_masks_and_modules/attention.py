"""Checks of the assignment a2_masks_and_modules: attention under a mask."""

import torch

from classroom.checks.a2_masks_and_modules.wrong_readings import (
    RIGHT,
    expect_masked,
    expect_shape,
    known_readings,
    one_for_all,
)
from classroom.checks.finite_scores import FAR, expect_no_finite_score
from classroom.checks.graded import graded
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import (
    ALL_AXES,
    COLUMNS,
    IGNORED,
    INVERTED,
    LAST_AXIS,
    LOST,
    all_axes_turned,
    given_by,
    over,
)
from utils.attention import attention, causal_mask, masked_softmax, padding_mask, scores


@graded
def check_attention_plain(student, draw):
    """without a mask, each query shares its attention among all keys."""
    tokens, other, d_k, wider = draw.sizes(4, low=4)  # none is the square of another: each wrong scale shows
    # Square first: there an exchange raises no error, and can be named.
    for keys, d_v in ((tokens, d_k), (other, wider)):
        query, key, value = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
        doing = f"masked_attention of {tokens} queries and {keys} keys without a mask"
        given = expect_shape(student.call("masked_attention", query, key, value, None), (tokens, d_v), doing)
        mistakes = {message: attention(*reading)[0] for message, reading in known_readings(query, key, value).items()}
        weights = given_by(LOST | {COLUMNS: over(-2)}, scores(query, key))
        mistakes |= {message: wrong @ value for message, wrong in weights.items()}
        expect_tensor(given, mistakes.pop(RIGHT), doing, mistakes)


@graded
def check_attention_mask(student, draw):
    """what may not be seen gets no weight, and the rest of each row sums to 1."""
    tokens, other, d_k, d_v = draw.sizes(4, low=4)
    for keys in (tokens, other):
        query, key, value = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
        mask = _some_open(draw, tokens, keys)
        reading = _own_reading(student, query, key, value)
        doing = f"masked_attention of {tokens} queries and {keys} keys with a mask"
        given = expect_shape(student.call("masked_attention", query, key, value, mask), (tokens, d_v), doing)
        others = {IGNORED: torch.ones_like(mask), INVERTED: ~mask}
        if keys == tokens:
            others["rows and columns of the mask are exchanged: rows are queries, columns are keys"] = mask.T
        expect_masked(given, reading, mask, doing, others)
    _check_low_scores(student, draw, tokens, other, d_k, d_v)


def _check_low_scores(student, draw, tokens, keys, d_k, d_v):
    query, key, value = torch.full((tokens, d_k), -FAR), torch.full((keys, d_k), FAR), draw.normal(keys, d_v)
    mask, doing = _some_open(draw, tokens, keys), "masked_attention of low scores"
    given = student.call("masked_attention", query, key, value, mask)
    expect_no_finite_score(expect_shape(given, (tokens, d_v), doing), mask, value)


@graded
def check_attention_empty_row(student, draw):
    """a query that may attend to nothing gets zeros, and the others what is theirs."""
    tokens, keys, d_k, d_v = draw.sizes(4, low=4)
    query, key, value = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    mask, empty = _some_open(draw, tokens, keys), draw.sample(range(tokens), 2)
    mask[empty] = False
    reading = _own_reading(student, query, key, value)
    doing = f"masked_attention when queries {empty[0]} and {empty[1]} may attend to nothing"
    given = expect_shape(student.call("masked_attention", query, key, value, mask), (tokens, d_v), doing)
    expect(not given[empty].isnan().any(), f"{doing}: a row is nan (0/0, or inf - inf); give it zeros")
    ignored = mask.clone()
    ignored[empty] = True
    others = {
        "a query that may attend to nothing reads everything; give it zeros": ignored,
        IGNORED: torch.ones_like(mask),
        INVERTED: ~mask,
    }
    expect_masked(given, reading, mask, doing, others)


@graded
def check_attention_batch(student, draw):
    """a batch gives each sentence what it gets alone, whatever the mask's shape."""
    size = draw.randint(3, 5)
    # All sizes equal first: there a wrong axis raises no error, and can be named.
    for batch, tokens, d_k, d_v in ([size] * 4, draw.sizes(4)):
        query, key, value = (draw.normal(batch, tokens, features) for features in (d_k, d_k, d_v))
        lengths = [0, *(draw.randint(1, tokens - 1) for _ in range(batch - 1))]  # a full one: as without a mask
        real = padding_mask(draw.sample(lengths, batch), tokens)
        for mask in (None, _some_open(draw, tokens, tokens), real, causal_mask(tokens) & real):
            right = _one_by_one(student, query, key, value, mask)
            given = student.call("masked_attention", query, key, value, mask)
            masked = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
            doing = f"masked_attention of a batch {tuple(query.shape)} {masked}"
            mistakes = {LAST_AXIS: over(1)(scores(query, key), mask) @ value}
            if mask is not None:
                mistakes[IGNORED] = attention(query, key, value)[0]
            if mask is not None and mask.ndim == 3:
                mistakes |= {one_for_all(i): attention(query, key, value, each)[0] for i, each in enumerate(mask)}
            if batch == d_k:
                mistakes[ALL_AXES] = masked_softmax(all_axes_turned(query, key), mask) @ value
            expect_tensor(given, right, doing, mistakes)


def _one_by_one(student, query, key, value, mask):
    """Return the student's contexts of single sentences: what is wrong with these is charged by other checks.

    They count only if the first one, without a mask, is attention or a known slip.
    """
    reading = _own_reading(student, query[0], key[0], value[0], otherwise=None)
    if reading is None:
        return attention(query, key, value, mask)[0]
    masks = [mask] * len(query) if mask is None or mask.ndim == 2 else mask
    alone = [student.call("masked_attention", *each) for each in zip(query, key, value, masks)]
    return torch.stack([expect_shape(one, value.shape[1:], "masked_attention") for one in alone])


def _own_reading(student, query, key, value, otherwise=RIGHT):
    """Return what attention must be given to do as the student's does without a mask."""
    doing = "masked_attention without a mask"
    given = student.call("masked_attention", query, key, value, None)
    given = expect_shape(given, (*query.shape[:-1], value.shape[-1]), doing)
    found = known_readings(query, key, value)
    return next((each for each in found.values() if close(given, attention(*each)[0])), found.get(otherwise))


def _some_open(draw, rows, columns):
    """Draw a mask whose rows and columns are all neither empty nor full."""
    while True:
        mask = draw.normal(rows, columns) > 0
        if all(0 < line.sum() < len(line) for line in (*mask, *mask.T)):
            return mask
