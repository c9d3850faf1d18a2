"""Checks of the assignment a2_masks_and_modules: the two masks, what they leave open, and attention under a mask."""

import contextlib
import random

import torch

from classroom.checks.answers import FAR, expect_no_finite_score
from classroom.checks.graded import graded, of_class, table_of
from companion import mistakes as known
from companion.checks.feedback import Mistake, expect, expect_mask, expect_tensor
from companion.mistakes import CAUSAL, INVERTED, given_by, over, readings
from utils.attention import attention, causal_mask, masked_softmax, padding_mask, scores

MASKS = {"causal_mask": lambda n: causal_mask(n), "padding_mask": lambda lengths, n: padding_mask(lengths, n)}


@graded(of="causal_mask", mistakes=CAUSAL)
def check_causal_mask(student, draw):
    """each token sees itself and what stands before it."""
    for n in (draw.randint(3, 9), 1, draw.randint(20, 30)):
        mistakes = given_by(CAUSAL, n) if n > 1 else {}  # which are alike for one token
        expect_mask(student.call("causal_mask", n), causal_mask(n), f"causal_mask({n})", mistakes)


def _wrong_paddings(lengths, n):
    right, counts = padding_mask(lengths, n), torch.tensor(lengths)[:, None, None]
    return {
        INVERTED: ~right,
        "one token of padding may be seen: places count from 0, so real ones are below the length": (
            torch.arange(n) <= counts
        ),
        "the middle axis is missing: without it, a mask cannot stretch over the queries": right.squeeze(1),
        "the padding is on the axis of the queries; nobody may look AT padding, so the keys come last": right.mT,
    }


@graded(of="padding_mask", mistakes=table_of(_wrong_paddings, [1], 2))
def check_padding_mask(student, draw):
    """the real tokens may be seen, and the padding behind them may not."""
    n = draw.randint(5, 8)
    all_kinds = [*draw.sample(range(1, n - 1), 2), n, 0]
    draw.shuffle(all_kinds)
    for lengths in (all_kinds, draw.sample(range(1, n), 3), [draw.randint(1, n - 1)]):
        given, doing = student.call("padding_mask", lengths, n), f"padding_mask({lengths}, {n})"
        expect_mask(given, padding_mask(lengths, n), doing, _wrong_paddings(lengths, n))


@graded(earlier=MASKS)
def check_open_pairs(student, draw):
    """the pairs that both masks leave open."""
    lengths = [len(sentence.split()) for sentence in _class_sentences(student.class_seed)]
    n = max(lengths)
    past, real = causal_mask(n), padding_mask(lengths, n)
    right = (past & real).sum().item()
    given = student.call("open_pairs")
    given = given.item() if isinstance(given, torch.Tensor) and given.numel() == 1 else given
    for message, wrong in {
        "the rows of the padding are left out; their queries are computed like all others": past & real & real.mT,
        "a pair is open if both masks say so: use &": past | real,
        "this counts the causal mask alone": past.expand(len(lengths), n, n),
        "the padding mask stretches over the queries: count (batch, queries, keys)": real,
    }.items():
        expect(given != wrong.sum().item() or given == right, message)
    # The right number stays unsaid: it would be the answer.
    expect(type(given) is int, f"open_pairs() gives a {type(given).__name__}, but a whole number was expected")
    expect(given == right, f"open_pairs() gives {given}; count one sentence by hand, row by row, and compare")


@of_class
def variation(seed):
    """The sentences in quotes."""
    return [f'"{sentence}"' for sentence in _class_sentences(seed)]


def _class_sentences(seed):
    if seed is None:
        return ["Owls wait.", "Ships leave the harbour at dawn.", "Nobody hears them."]
    choose = random.Random(seed)
    subjects = choose.sample(["Foxes", "Sailors", "Bakers", "Swallows", "Children", "Poets"], 3)
    verbs = choose.sample(["sleep", "sing", "return", "gather", "dream", "vanish"], 3)
    ends = ["", " quietly", " at night", " in the rain", " behind the old mill", " when the long winter ends"]
    ends += [" until somebody brings them some bread", " while all the others still lie awake"]
    return [f"{subject} {verb}{end}." for subject, verb, end in zip(subjects, verbs, choose.sample(ends, 3))]


WEIGHED = {  # {mistake: weights of scores and a mask}
    **known.MASKED,
    **known.LOST,
    **known.UNLIKE,
    "a query that may attend to nothing gets nan (0/0, or inf - inf); give it zeros": known.undefined,
    known.COLUMNS: over(-2),
    known.IGNORED: known.ignored,
    known.INVERTED: known.inverted,
}
RIGHT = MASKS | {"masked_attention": lambda query, key, value, mask: attention(query, key, value, mask)[0]}


# What the checks of the module use, too


def wrong_contexts(query, key, value, mask=None, d_model=None):
    """Return {mistake: context}; what goes wrong with a mask alone gives the right one without."""
    parts = readings(query, key, value, d_model)
    read = {message: attention(*reading, mask)[0] for message, reading in parts.items()}
    return read | {message: wrong @ value for message, wrong in given_by(WEIGHED, scores(query, key), mask).items()}


def expect_shape(given, shape, doing):
    """Refuse anything but one tensor of this shape, and return it."""
    expect(not isinstance(given, (tuple, list)), f"{doing} gives several things; return the context alone")
    if not isinstance(given, torch.Tensor) or tuple(given.shape) != tuple(shape):
        expect_tensor(given, torch.zeros(shape), doing)
    return given


# The function


MISTAKES = table_of(wrong_contexts, *torch.ones(3, 2, 2))


def _expect_masked(student, parts, mask, doing, more=dict):
    """Judge masked_attention. more: a function that returns {mistake: context} of others."""
    query, _, value = parts
    given = student.call("masked_attention", *parts, mask)
    expect_shape(given, (*query.shape[:-1], value.shape[-1]), doing)
    expect_tensor(given, attention(*parts, mask)[0], doing, lambda: more() | wrong_contexts(*parts, mask))


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_plain(student, draw):
    """without a mask, each query shares its attention among all keys."""
    tokens, other, d_k, wider = draw.sizes(4, low=4)  # none is the square of another: each wrong scale shows
    # Square first: there an exchange raises no error, and can be named.
    for keys, d_v in ((tokens, d_k), (other, wider)):
        parts, doing = draw.attending(tokens, keys, d_k, d_v), f"masked_attention of {tokens} queries and {keys} keys"
        with contextlib.suppress(Mistake):  # which is charged below
            student.call("masked_attention", *parts, draw.mask(tokens, keys))  # kept from here, it would not fit
        _expect_masked(student, parts, None, f"{doing} without a mask")


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_mask(student, draw):
    """what may not be seen gets no weight, and the rest of each row sums to 1."""
    tokens, other, d_k, d_v = draw.sizes(4, low=4)
    for keys in (tokens, other):
        parts, mask = draw.attending(tokens, keys, d_k, d_v), draw.mask(tokens, keys)
        _expect_masked(student, parts, mask, f"masked_attention of {tokens} queries and {keys} keys with a mask")
    low = torch.full((tokens, d_k), -FAR), torch.full((keys, d_k), FAR), draw.normal(keys, d_v)
    expect_no_finite_score(student.call("masked_attention", *low, mask), mask, low[2])


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_empty_row(student, draw):
    """a query that may attend to nothing gets zeros, and the others what is theirs."""
    *sizes, d_k, d_v = draw.sizes(4, low=4)
    for tokens, keys in (sizes, (1, 1)):
        parts, mask = draw.attending(tokens, keys, d_k, d_v), draw.mask(tokens, keys)
        empty = draw.sample(range(tokens), min(2, tokens))
        mask[empty] = False
        doing = f"masked_attention when queries {' and '.join(map(str, empty))} of {tokens} may attend to nothing"
        _expect_masked(student, parts, mask, doing)


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

            def more(query=query, key=key, value=value, mask=mask):
                found = {known.LAST_AXIS: over(1)(scores(query, key), mask) @ value}
                if mask is not None:
                    first = mask[:1] if mask.ndim == 3 else mask
                    found["the first sentence's mask is used for all"] = attention(query, key, value, first)[0]
                if query.shape[0] == query.shape[1] == query.shape[2]:
                    found[known.ALL_AXES] = masked_softmax(known.all_axes_turned(query, key), mask) @ value
                return found

            masked = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
            _expect_masked(student, parts, mask, f"masked_attention of a batch {tuple(query.shape)} {masked}", more)
