"""Checks of the exercises in notebook 06 (context vectors)."""

from collections import Counter

import torch
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import DECIMALS, ROUNDED, calls, close, expect, expect_like, explained
from companion.checks.mistakes import (
    ALL_AXES,
    COLUMNS,
    EXCHANGED,
    IGNORED,
    INVERTED,
    LAST_AXIS,
    MASKED,
    NO_SOFTMAX,
    OVERFLOW,
    after_softmax,
    filled,
    less,
    over,
    scaled,
    then_hidden,
)
from utils.attention import attention, masked_softmax, scores

COPY = "masked_fill returns a copy: keep it, as in scores = scores.masked_fill(...)"
AFTER = next(message for message, wrong in MASKED.items() if wrong is after_softmax)
NAN = "a query that may attend to nothing gives nan (0/0); give it zeros, as PyTorch does"
TIMES = f"{NAN}. nan times 0 is nan, so multiplying does not mend the empty row: fill it, with masked_fill"
NAN_LOST, IGNORED_LOST, AFTER_LOST = (f"{message}. {COPY}" for message in (NAN, IGNORED, AFTER))
NOT_PASSED = f"{IGNORED}: did you pass it on to masked_softmax?"
# {message: (a function of PyTorch, how often at least it must be called for the mask)}, where numbers cannot tell
FOR_THE_MASK = {
    TIMES: ("mul", 1),
    NAN_LOST: ("masked_fill", 2),
    IGNORED_LOST: ("masked_fill", 1),
    AFTER_LOST: ("masked_fill", 2),
}
HIGH = "a hidden score may be much larger than the others; after softmax nothing is left: mask before"
LOW = "scores may lie below the number that hides a key, so that it hides nothing; none lies below -inf"
NO_GRADIENT = "the numbers are right, but training cannot go through them: it needs tensors from start to end"
IN_PLACE = "writing into a tensor, as in weights[~mask] = 0, leaves training no way back: make a new one, masked_fill"
ONE_TRUTH = (
    "`if mask:` and `not mask` ask the whole table for one True or False: ask `if mask is not None:`, "
    "and to exchange True and False write `~mask`"
)
NO_MASK = "without a mask there is nothing to turn round (~None): ask first whether mask is None"
FEWER_ROWS = (
    "a mask may have fewer rows than the weights, and square brackets, as in weights[~mask] = 0, do not broadcast: "
    "masked_fill does"
)
STOPS = {  # what an error means in words
    "modified by an inplace operation": IN_PLACE,
    "does not match the shape of the indexed tensor": FEWER_ROWS,
    "unary ~: 'NoneType'": NO_MASK,
    "Boolean value of Tensor": ONE_TRUTH,
}
NAN_GRADIENT = "the numbers are right, but an empty row has a gradient of nan: fill -inf in, do not add it"


def _divided_afterwards(scores, mask=None):
    weights = masked_softmax(scores) * (1 if mask is None else mask)
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)


def _infinity_added(scores, mask=None):
    hidden = 0 if mask is None else torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores + hidden, -1)
    return weights if mask is None else weights.masked_fill(~mask, 0.0)


def _losing(weigh):
    """Fill a copy of the scores for the mask, and lose it."""

    def wrong(scores, mask=None):
        if mask is None:
            return masked_softmax(scores)
        scores.masked_fill(~mask, -torch.inf)
        return weigh(scores, mask)

    return wrong


def _multiplied(scores, mask=None):
    weights = filled(-torch.inf)(scores, mask)
    return weights if mask is None else weights * mask


_weigh = masked_softmax  # whose name the check's argument hides
WEIGHING = {  # {message: wrong masked_softmax}
    HIGH: _divided_afterwards,  # right but for far scores, so it is asked first
    LOW: then_hidden(filled(-1e9)),
    LAST_AXIS: over(1),
    COLUMNS: over(-2),
    NO_SOFTMAX: lambda scores, mask=None: scores,
    IGNORED_LOST: _losing(lambda scores, mask: masked_softmax(scores)),
    IGNORED: lambda scores, mask=None: masked_softmax(scores),
    INVERTED: lambda scores, mask=None: masked_softmax(scores, None if mask is None else ~mask),
    AFTER_LOST: _losing(lambda scores, mask: masked_softmax(scores).masked_fill(~mask, 0.0)),
    **MASKED,
    TIMES: _multiplied,
    NAN_LOST: _losing(filled(-torch.inf)),
    NAN: filled(-torch.inf),
    OVERFLOW: less(lambda scores: 0.0),
    NO_GRADIENT: lambda scores, mask=None: masked_softmax(scores.detach(), mask),
    NAN_GRADIENT: _infinity_added,
}


@exercise(mistakes=WEIGHING)
def check_masked_softmax(masked_softmax):
    """hidden keys get exactly 0, whatever they score, and a query that may see nothing gets zeros."""
    with explained(STOPS):
        _check_weights(masked_softmax, lambda numbers, *mask: (numbers, *mask), _weigh, "masked_softmax", WEIGHING)


def _composed(measure=scores, weigh=_weigh, mix=lambda weights, query, key, value: weights @ value):
    """Return attention made of these steps, any of which may be a wrong one."""

    def answer(query, key, value, mask=None):
        weights = weigh(measure(query, key), mask)
        return mix(weights, query, key, value), weights

    return answer


def _all_axes_turned(query, key):
    return query @ key.permute(*reversed(range(key.ndim))) / query.shape[-1] ** 0.5


def _root_of(number):
    return _composed(lambda query, key: query @ key.mT / number(key) ** 0.5)


def _rounded(decimals):
    return _composed(mix=lambda weights, query, key, value: weights.round(decimals=decimals) @ value)


def _weights_divided(query, key, value, mask=None):
    weights = masked_softmax(scores(query, key, "dot"), mask) / query.shape[-1] ** 0.5
    return weights @ value, weights


ATTENDING = {  # {message: wrong attention}
    "context and weights are swapped: return (context, weights)": lambda *given: attention(*given)[::-1],
    EXCHANGED: _composed(lambda query, key: scores(key, query)),
    "the scale is missing: divide by the square root of d_k, query.shape[-1]": _composed(scaled(0)),
    "multiplied by the root of d_k where it should be divided": _composed(scaled(1 / 2)),
    "divided by d_k itself; take its square root": _composed(scaled(-1)),
    "divided by the root of the number of keys; take d_k, query.shape[-1]": _root_of(lambda key: key.shape[-2]),
    "divided by the root of query.shape[1], which is d_k without a batch only; count from the end, query.shape[-1]": (
        _composed(lambda query, key: query @ key.mT / query.shape[1] ** 0.5)
    ),
    **{
        f"divided by the root of {size}, whatever comes in; take d_k, query.shape[-1]": _root_of(
            lambda key, size=size: size
        )
        for size in (16, 24, 28)  # the running sentence's
    },
    "divided by the root of d_v, the size of a value; take d_k, query.shape[-1]": (
        lambda query, key, value, mask=None: attention(
            query * (query.shape[-1] / value.shape[-1]) ** 0.5, key, value, mask
        )
    ),
    ALL_AXES: _composed(_all_axes_turned),
    "key and value are exchanged: scores come from the keys, the context from the values": (
        lambda query, key, value, mask=None: attention(query, value, key, mask)
    ),
    "the context comes from the keys: the weights must average the values": _composed(mix=lambda w, q, k, v: w @ k),
    "the context comes from the queries: the weights must average the values": _composed(mix=lambda w, q, k, v: w @ q),
    "the weights are turned round: row i of the weights makes context i": _composed(mix=lambda w, q, k, v: w.mT @ v),
    **{f"the weights are rounded (decimals={decimals}); {ROUNDED}": _rounded(decimals) for decimals in DECIMALS},
    "the rows of weights do not sum to 1: divide the scores by the root of d_k, before softmax, not the weights": (
        _weights_divided
    ),
    **{NOT_PASSED if message == IGNORED else message: _composed(weigh=w) for message, w in WEIGHING.items()},
}


@exercise(mistakes=ATTENDING)
def check_my_attention(my_attention):
    """the same as PyTorch's, with any mask, on any batch, and training can go through it."""
    with explained(STOPS):
        square = torch.randn(3, 5, 8).unbind()
        expect_like(my_attention, attention, square, "my_attention of 5 queries and 5 keys", ATTENDING, PARTS)
        square = torch.randn(3, 4, 4, 4).unbind()
        expect_like(my_attention, attention, square, "my_attention of a batch (4, 4, 4)", ATTENDING, PARTS)
        cross = torch.randn(2, 3, 8), torch.randn(2, 6, 8), torch.randn(2, 6, 7)
        expect_like(my_attention, attention, cross, "my_attention of 3 queries and 6 keys", ATTENDING, PARTS)
        _check_weights(my_attention, _with_these_scores, attention, "my_attention", ATTENDING)


PARTS = ("context", "weights")


def _with_these_scores(numbers, *mask):
    """Return query, key and value that score these numbers: the identity is the key, √d_k times them the query."""
    identity = torch.eye(numbers.shape[-1]).expand(*numbers.shape[:-2], -1, -1)
    return numbers * numbers.shape[-1] ** 0.5, identity, identity, *mask


def _check_weights(answer, given_for, right, name, mistakes):
    """Compare what an answer makes of chosen scores and masks, given to it by `given_for`."""
    numbers, mask = torch.randn(4, 4), torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1]]) == 1
    empty = mask & (torch.arange(4) != 2)[:, None]
    batch, padding = torch.randn(2, 3, 5), torch.tensor([[[1, 1, 1, 1, 0]], [[1, 1, 0, 0, 0]]]) == 1
    alone, far = torch.eye(3) == 1, torch.tensor([[2.0, 300.0, 1.0]] * 3)
    cases = {
        "without a mask": (numbers,),
        "of a batch": (batch,),
        "with a mask": (numbers, mask),
        "when one query may attend to nothing": (numbers, empty),
        "of a batch with padding": (batch, padding),
        "of scores of 1000": (torch.tensor([[1000.0, 980.0, 0.0], [-1000.0, -1020.0, -2000.0]]),),
        "when a hidden score is 300": (far, alone),
        "when a score is -1e10": (torch.full((3, 3), -1e10), alone),
    }
    plain, masked = (Counter(calls(answer, *given_for(numbers, *each))) for each in ((), (empty,)))
    rare = {message for message, (name, times) in FOR_THE_MASK.items() if (masked - plain)[name] < times}
    mistakes = {message: wrong for message, wrong in mistakes.items() if message not in rare}
    for case, chosen in cases.items():
        expect_like(answer, right, given_for(*chosen), f"{name} {case}", mistakes, PARTS)
    given, wanted = (_gradient(each, given_for(numbers), empty) for each in (answer, right))
    expect(given is not None, NO_GRADIENT)
    expect(not given.isnan().any(), NAN_GRADIENT)
    expect(close(given, wanted), NO_GRADIENT)


def _gradient(answer, given, mask):
    """Return what a training step would hear of the first input, None if it hears nothing."""
    leaf = given[0].clone().requires_grad_()
    result = answer(leaf, *given[1:], mask)
    result = result if isinstance(result, torch.Tensor) else result[0]
    return torch.autograd.grad(result[..., 0].sum(), leaf)[0] if result.requires_grad else None


def _reading(value):
    """Return a reader of PyTorch's weights that gives it this value, a function of query and key."""
    return lambda query, key: F.scaled_dot_product_attention(query, key, value(query, key))


FEW_ROWS = "PyTorch cannot multiply weights and value: the value needs one row for each key, key.shape[-2]"
READING = {  # {message: wrong read_weights}
    "with ones as value each context is the sum of its weights: take the identity matrix": _reading(
        lambda query, key: torch.ones(key.shape[-2], key.shape[-2])
    ),
    "this is the context of the keys; give the identity matrix as value": _reading(lambda query, key: key),
    "this is the context of the queries; give the identity matrix as value": _reading(lambda query, key: query),
    FEW_ROWS: _reading(lambda query, key: torch.eye(query.shape[-2])),
    NO_SOFTMAX: scores,
    EXCHANGED: lambda query, key: masked_softmax(scores(key, query)),
    "the weights are right, but F.scaled_dot_product_attention did not make them; call it with a clever value": (
        lambda query, key: masked_softmax(scores(query, key))
    ),
}


@exercise(mistakes=READING)
def check_read_weights(read_weights):
    """with the identity as value, the context is the weights."""
    for *batch, queries, keys in ((5, 5), (3, 6), (6, 3), (2, 4, 7)):
        given = torch.randn(*batch, queries, 8), torch.randn(*batch, keys, 8)
        doing = f"read_weights with {queries} queries and {keys} keys" + " on a batch" * bool(batch)
        with explained({"mat1 and mat2": FEW_ROWS}):
            expect_like(read_weights, lambda query, key: masked_softmax(scores(query, key)), given, doing, READING)
    expect("scaled_dot_product_attention" in calls(read_weights, *given), [*READING][-1])
