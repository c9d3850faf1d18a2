"""Checks of the assignment a2_masks_and_modules: attention under a mask, and how its contexts are judged."""

import torch

from classroom.checks.answers import FAR, expect_no_finite_score
from classroom.checks.graded import graded, table_of
from companion.checks import mistakes as known
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import given_by, over, readings
from utils.attention import attention, causal_mask, masked_softmax, padding_mask, scores

WEIGHED = {  # {mistake: weights of scores and a mask}
    **known.MASKED,
    **known.LOST,
    known.COLUMNS: over(-2),
    known.IGNORED: known.ignored,
    known.INVERTED: known.inverted,
}


# What the checks of the module use, too


def wrong_contexts(query, key, value, mask=None):
    """Return {mistake: context} of what goes wrong between scores and values."""
    return {message: wrong @ value for message, wrong in given_by(WEIGHED, scores(query, key), mask).items()}


def own_reading(given, parts, d_model=None):
    """Return the query, key and value, right or of a known mistake, from which attention gives these last rows.

    The rows see all keys. A mistake is charged by other checks; None: nothing known gives this.
    """
    rows, found = given.shape[-2], [parts, *readings(*parts, d_model).values()]
    return next((each for each in found if close(given, attention(*each)[0][..., -rows:, :])), None)


def expect_masked(given, reading, mask, doing, others=None, where=""):
    """Compare a context with the right one under a mask, and name the mistake.

    reading: (query, key, value); others: {message: another mask}; where: stands before each message.
    """

    def mistakes():
        masked = {message: attention(*reading, other)[0] for message, other in (others or {}).items()}
        return {where + message: wrong for message, wrong in (masked | wrong_contexts(*reading, mask)).items()}

    expect_tensor(given, attention(*reading, mask)[0], where + doing, mistakes)


def expect_shape(given, shape, doing):
    """Refuse anything but one tensor of this shape, and return it."""
    expect(not isinstance(given, (tuple, list)), f"{doing} gives several things; return the context alone")
    if not isinstance(given, torch.Tensor) or tuple(given.shape) != tuple(shape):
        expect_tensor(given, torch.zeros(shape), doing)
    return given


# The function


def _wrong(query, key, value, mask=None):
    """Return {mistake: context}; what goes wrong with a mask alone gives the right one without."""
    read = {message: attention(*reading, mask)[0] for message, reading in readings(query, key, value).items()}
    return read | wrong_contexts(query, key, value, mask)


MISTAKES = table_of(_wrong, *torch.ones(3, 2, 2))


def _asked(student, query, key, value, mask, doing):
    given = student.call("masked_attention", query, key, value, mask)
    return expect_shape(given, (*query.shape[:-1], value.shape[-1]), doing)


def _own_reading(student, *parts):
    return own_reading(_asked(student, *parts, None, "masked_attention without a mask"), parts)


def _expect_masked(student, parts, mask, doing, empty=None):
    """Judge by what the student's own gives without a mask. empty: the queries that may attend to nothing."""
    reading, given = _own_reading(student, *parts) or parts, _asked(student, *parts, mask, doing)
    if empty:
        expect(not given[empty].isnan().any(), f"{doing}: a row is nan (0/0, or inf - inf); give it zeros")
    expect_masked(given, reading, mask, doing)


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_plain(student, draw):
    """without a mask, each query shares its attention among all keys."""
    tokens, other, d_k, wider = draw.sizes(4, low=4)  # none is the square of another: each wrong scale shows
    # Square first: there an exchange raises no error, and can be named.
    for keys, d_v in ((tokens, d_k), (other, wider)):
        parts = draw.attending(tokens, keys, d_k, d_v)
        doing = f"masked_attention of {tokens} queries and {keys} keys without a mask"
        expect_tensor(_asked(student, *parts, None, doing), attention(*parts)[0], doing, _wrong(*parts))


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_mask(student, draw):
    """what may not be seen gets no weight, and the rest of each row sums to 1."""
    tokens, other, d_k, d_v = draw.sizes(4, low=4)
    for keys in (tokens, other):
        parts, mask = draw.attending(tokens, keys, d_k, d_v), draw.mask(tokens, keys)
        _expect_masked(student, parts, mask, f"masked_attention of {tokens} queries and {keys} keys with a mask")
    low = torch.full((tokens, d_k), -FAR), torch.full((keys, d_k), FAR), draw.normal(keys, d_v)
    expect_no_finite_score(_asked(student, *low, mask, "masked_attention of low scores"), mask, low[2])


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_empty_row(student, draw):
    """a query that may attend to nothing gets zeros, and the others what is theirs."""
    tokens, keys, d_k, d_v = draw.sizes(4, low=4)
    parts, mask = draw.attending(tokens, keys, d_k, d_v), draw.mask(tokens, keys)
    empty = draw.sample(range(tokens), min(2, tokens))
    mask[empty] = False
    doing = f"masked_attention when queries {' and '.join(map(str, empty))} may attend to nothing"
    _expect_masked(student, parts, mask, doing, empty)


@graded
def check_attention_batch(student, draw):
    """a batch gives each sentence what it gets alone, whatever the mask's shape."""
    size = draw.randint(3, 5)
    # All sizes equal first: there a wrong axis raises no error, and can be named.
    for batch, tokens, d_k, d_v in ([size] * 4, draw.sizes(4)):
        query, key, value = parts = draw.attending(tokens, tokens, d_k, d_v, batch)
        # A full length would hide nothing.
        lengths = [0, *(draw.randint(1, max(1, tokens - 1)) for _ in range(batch - 1))]
        real = padding_mask(draw.sample(lengths, batch), tokens)
        for mask in (None, draw.mask(tokens, tokens), real, causal_mask(tokens) & real):
            right = _one_by_one(student, *parts, mask)
            given = student.call("masked_attention", *parts, mask)
            masked = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
            mistakes = {known.LAST_AXIS: over(1)(scores(query, key), mask) @ value}
            if mask is not None:
                first = mask[:1] if mask.ndim == 3 else mask
                mistakes["the first sentence's mask is used for all"] = attention(*parts, first)[0]
            if batch == tokens == d_k:
                mistakes[known.ALL_AXES] = masked_softmax(known.all_axes_turned(query, key), mask) @ value
            expect_tensor(given, right, f"masked_attention of a batch {tuple(query.shape)} {masked}", mistakes)


def _one_by_one(student, query, key, value, mask):
    """Return the student's contexts of single sentences: what is wrong with these is charged by other checks.

    They count only if the first one, without a mask, is attention or a known slip.
    """
    if _own_reading(student, query[0], key[0], value[0]) is None:
        return attention(query, key, value, mask)[0]
    masks = [mask] * len(query) if mask is None or mask.ndim == 2 else mask
    return torch.stack([_asked(student, *each, "masked_attention") for each in zip(query, key, value, masks)])
