"""Checks of the assignment a2_masks_and_modules: the two masks, and attention under a mask."""

import torch

from classroom.checks.a2_masks_and_modules.masked import (
    ALLOWED,
    INVERTED,
    RIGHT,
    expect_masked,
    expect_shape,
    readings,
    weighed,
)
from classroom.checks.a2_masks_and_modules.module import check_leaks_hidden as check_leaks_hidden
from classroom.checks.a2_masks_and_modules.module import check_leaks_masks as check_leaks_masks
from classroom.checks.a2_masks_and_modules.module import check_leaks_modes as check_leaks_modes
from classroom.checks.a2_masks_and_modules.module import check_leaks_places as check_leaks_places
from classroom.checks.a2_masks_and_modules.module import check_module_batch as check_module_batch
from classroom.checks.a2_masks_and_modules.module import check_module_causal as check_module_causal
from classroom.checks.a2_masks_and_modules.module import check_module_eval as check_module_eval
from classroom.checks.a2_masks_and_modules.module import check_module_last_token as check_module_last_token
from classroom.checks.a2_masks_and_modules.module import check_module_lengths as check_module_lengths
from classroom.checks.a2_masks_and_modules.module import check_module_parameters as check_module_parameters
from classroom.checks.a2_masks_and_modules.sentences import check_open_pairs as check_open_pairs
from classroom.checks.a2_masks_and_modules.sentences import variation as variation
from classroom.checks.graded import graded
from utils.attention import attention, causal_mask, padding_mask, scores
from utils.checks.feedback import ALL_AXES, COLUMNS, LAST_AXIS, close, expect, expect_mask, expect_tensor


@graded
def check_causal_mask(student, draw):
    """each token sees itself and what stands before it."""
    for n in (draw.randint(3, 9), 1, draw.randint(20, 30)):
        mistakes = {message: allowed(n) for message, allowed in ALLOWED.items()}
        expect_mask(student.call("causal_mask", n), causal_mask(n), f"causal_mask({n})", mistakes)


@graded
def check_padding_mask(student, draw):
    """the real tokens may be seen, and the padding behind them may not."""
    n = draw.randint(5, 8)
    all_kinds = [*draw.sample(range(1, n - 1), 2), n, 0]
    draw.shuffle(all_kinds)
    for lengths in (all_kinds, draw.sample(range(1, n), 3), [draw.randint(1, n - 1)]):
        _expect_padding(student, lengths, n)


def _expect_padding(student, lengths, n):
    right, counts = padding_mask(lengths, n), torch.tensor(lengths)[:, None, None]
    places, sentences = torch.arange(n), torch.arange(len(lengths))[:, None, None]
    mistakes = {
        INVERTED: ~right,
        "one token of padding may be seen: places count from 0, so real ones are below the length": places <= counts,
        "the last real token may not be seen: places count from 0, so its place is length - 1": places < counts - 1,
        "the padding stands before the words here; it stands behind them": right.flip(-1),
        "the middle axis is missing: without it, a mask cannot stretch over the queries": right.squeeze(1),
        "the padding is on the axis of the queries; nobody may look AT padding, so the keys come last": right.mT,
        "the mask is stretched over the queries already; its middle axis has size 1": right.expand(-1, n, -1),
        "the mask is as wide as the longest sentence of the batch; it is n wide": right[..., : max(lengths)],
        "the lengths are compared with the sentence's number, not with the token's place": (
            (sentences < counts).expand(-1, 1, n)
        ),
    }
    given = student.call("padding_mask", lengths, n)
    expect_mask(given, right, f"padding_mask({lengths}, {n})", mistakes)


@graded
def check_attention_plain(student, draw):
    """without a mask, each query shares its attention among all keys."""
    tokens, other, d_k, wider = draw.sizes(4, low=4)  # none is the square of another: each wrong scale shows
    # Square first: there an exchange raises no error, and can be named.
    for keys, d_v in ((tokens, d_k), (other, wider)):
        query, key, value = draw.normal(tokens, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
        doing = f"masked_attention of {tokens} queries and {keys} keys without a mask"
        given = expect_shape(student.call("masked_attention", query, key, value, None), (tokens, d_v), doing)
        mistakes = {message: attention(*reading)[0] for message, reading in readings(query, key, value).items()}
        mistakes[COLUMNS] = weighed(scores(query, key), None, -2) @ value
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
        others = {"the mask has no effect": torch.ones_like(mask), INVERTED: ~mask}
        if keys == tokens:
            others["rows and columns of the mask are exchanged: rows are queries, columns are keys"] = mask.T
        expect_masked(given, reading, mask, doing, others)


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
        "the mask has no effect": torch.ones_like(mask),
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
        lengths = [0, *(draw.randint(1, tokens) for _ in range(batch - 1))]
        real = padding_mask(draw.sample(lengths, batch), tokens)
        for mask in (None, _some_open(draw, tokens, tokens), real, causal_mask(tokens) & real):
            given = student.call("masked_attention", query, key, value, mask)
            masked = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
            doing = f"masked_attention of a batch {tuple(query.shape)} {masked}"
            mistakes = {LAST_AXIS: weighed(scores(query, key), mask, 1) @ value}
            if batch == d_k:
                mistakes[ALL_AXES] = weighed(query @ key.permute(2, 1, 0) / d_k**0.5, mask, -1) @ value
            expect_tensor(given, _one_by_one(student, query, key, value, mask), doing, mistakes)


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
    found = readings(query, key, value)
    return next((each for each in found.values() if close(given, attention(*each)[0])), found.get(otherwise))


def _some_open(draw, rows, columns):
    """Draw a mask whose rows and columns are all neither empty nor full."""
    while True:
        mask = draw.normal(rows, columns) > 0
        if all(0 < line.sum() < len(line) for line in (*mask, *mask.T)):
            return mask
