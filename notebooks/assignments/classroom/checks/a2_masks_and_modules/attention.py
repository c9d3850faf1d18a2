"""Checks of the assignment a2_masks_and_modules: attention under a mask."""

import torch

from classroom.checks.a2_masks_and_modules import contexts
from classroom.checks.finite_scores import FAR, expect_no_finite_score
from classroom.checks.graded import graded, table_of
from companion.checks.feedback import expect, expect_tensor
from companion.checks.mistakes import ALL_AXES, IGNORED, INVERTED, LAST_AXIS, all_axes_turned, over, readings
from utils.attention import attention, causal_mask, masked_softmax, padding_mask, scores


def _wrong(query, key, value, mask=None):
    """Return {mistake: context}; what goes wrong with a mask alone gives the right one without."""
    return {
        **{message: attention(*reading, mask)[0] for message, reading in readings(query, key, value).items()},
        **contexts.wrong_contexts(query, key, value, mask),
        IGNORED: attention(query, key, value)[0],
        INVERTED: attention(query, key, value, mask if mask is None else ~mask)[0],
    }


MISTAKES = table_of(_wrong, *torch.ones(3, 2, 2))


def _asked(student, query, key, value, mask, doing):
    given = student.call("masked_attention", query, key, value, mask)
    return contexts.expect_shape(given, (*query.shape[:-1], value.shape[-1]), doing)


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_plain(student, draw):
    """without a mask, each query shares its attention among all keys."""
    tokens, other, d_k, wider = draw.sizes(4, low=4)  # none is the square of another: each wrong scale shows
    # Square first: there an exchange raises no error, and can be named.
    for keys, d_v in ((tokens, d_k), (other, wider)):
        parts = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
        doing = f"masked_attention of {tokens} queries and {keys} keys without a mask"
        expect_tensor(_asked(student, *parts, None, doing), attention(*parts)[0], doing, _wrong(*parts))


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_mask(student, draw):
    """what may not be seen gets no weight, and the rest of each row sums to 1."""
    tokens, other, d_k, d_v = draw.sizes(4, low=4)
    for keys in (tokens, other):
        parts = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
        mask = draw.mask(tokens, keys)
        doing = f"masked_attention of {tokens} queries and {keys} keys with a mask"
        reading, given = _own_reading(student, *parts), _asked(student, *parts, mask, doing)
        contexts.expect_masked(given, reading, mask, doing, _other_masks(mask))
    low = torch.full((tokens, d_k), -FAR), torch.full((keys, d_k), FAR), draw.normal(keys, d_v)
    expect_no_finite_score(_asked(student, *low, mask, "masked_attention of low scores"), mask, low[2])


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_empty_row(student, draw):
    """a query that may attend to nothing gets zeros, and the others what is theirs."""
    tokens, keys, d_k, d_v = draw.sizes(4, low=4)
    parts = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    mask, empty = draw.mask(tokens, keys), draw.sample(range(tokens), 2)
    mask[empty] = False
    doing = f"masked_attention when queries {empty[0]} and {empty[1]} may attend to nothing"
    reading, given = _own_reading(student, *parts), _asked(student, *parts, mask, doing)
    expect(not given[empty].isnan().any(), f"{doing}: a row is nan (0/0, or inf - inf); give it zeros")
    contexts.expect_masked(given, reading, mask, doing, _other_masks(mask))


@graded
def check_attention_batch(student, draw):
    """a batch gives each sentence what it gets alone, whatever the mask's shape."""
    size = draw.randint(3, 5)
    # All sizes equal first: there a wrong axis raises no error, and can be named.
    for batch, tokens, d_k, d_v in ([size] * 4, draw.sizes(4)):
        query, key, value = (draw.normal(batch, tokens, features) for features in (d_k, d_k, d_v))
        lengths = [0, *(draw.randint(1, tokens - 1) for _ in range(batch - 1))]  # a full one: as without a mask
        real = padding_mask(draw.sample(lengths, batch), tokens)
        for mask in (None, draw.mask(tokens, tokens), real, causal_mask(tokens) & real):
            right = _one_by_one(student, query, key, value, mask)
            given = student.call("masked_attention", query, key, value, mask)
            masked = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
            mistakes = {LAST_AXIS: over(1)(scores(query, key), mask) @ value}
            if mask is not None:
                first = mask[:1] if mask.ndim == 3 else mask
                mistakes["the first sentence's mask is used for all"] = attention(query, key, value, first)[0]
            if batch == d_k:
                mistakes[ALL_AXES] = masked_softmax(all_axes_turned(query, key), mask) @ value
            expect_tensor(given, right, f"masked_attention of a batch {tuple(query.shape)} {masked}", mistakes)


def _one_by_one(student, query, key, value, mask):
    """Return the student's contexts of single sentences: what is wrong with these is charged by other checks.

    They count only if the first one, without a mask, is attention or a known slip.
    """
    if _own_reading(student, query[0], key[0], value[0], otherwise=None) is None:
        return attention(query, key, value, mask)[0]
    masks = [mask] * len(query) if mask is None or mask.ndim == 2 else mask
    return torch.stack([_asked(student, *each, "masked_attention") for each in zip(query, key, value, masks)])


def _own_reading(student, *parts, **options):
    """Return the query, key and value from which attention makes what the student's makes of these without a mask."""
    given = _asked(student, *parts, None, "masked_attention without a mask")
    return contexts.own_reading(given, contexts.known_readings(*parts), **options)


def _other_masks(mask):
    return {IGNORED: torch.ones_like(mask), INVERTED: ~mask}
