"""Softmax in one pass over tiles of scores, by steps of which any may be a wrong one; and tiles that come once only."""

import weakref
from collections.abc import Callable
from typing import NamedTuple

import torch

from companion.checks.feedback import expect

KEEPS_ALL = "what comes is kept until the row is whole: use each part as it comes, and keep three things only"
TWICE = "the keys are read a second time, but they come only once: find the largest score on the way"
FEW = 6  # parts that may be alive when the next are asked for: the first two, the last two, and the largest score


class Once:
    """Hands out a row's parts one by one and once only, and refuses an answer that keeps them or asks again."""

    def __init__(self, *parts):
        self.parts, self.references, self.over = zip(*parts), [], False

    def __iter__(self):
        return self

    def __next__(self):
        expect(not self.over, TWICE)
        self.references = [part for part in self.references if part() is not None]
        expect(len(self.references) <= FEW, KEEPS_ALL)
        parts = tuple(part.clone() for part in next(self.parts, ()))
        self.references += map(weakref.ref, parts)
        self.over = not parts
        if self.over:
            raise StopIteration
        return parts


class Steps(NamedTuple):
    """What is done when a tile comes; the defaults are right."""

    larger: Callable = torch.maximum
    shrink: Callable = lambda old, new: (old - new).exp()
    weigh: Callable = lambda scores, old, new: (scores - new).exp()
    total: Callable = lambda total, shrink, weights: total * shrink + weights.sum(dim=-1, keepdim=True)
    context: Callable = lambda context, shrink, weights, value: context * shrink + weights @ value
    leave: Callable = lambda context, total: context


RIGHT_STEPS = Steps()


def step(old, total, context, scores, value, steps=RIGHT_STEPS):
    """Return largest score, sum and context once a tile of scores (queries, tile) and value (tile, d_v) is added."""
    new = steps.larger(old, scores.amax(dim=-1, keepdim=True))
    factor, weights = steps.shrink(old, new), steps.weigh(scores, old, new)
    total, context = steps.total(total, factor, weights), steps.context(context, factor, weights, value)
    return new, total, steps.leave(context, total)


def passing(tiles, *, start=-torch.inf, finish=lambda context, total: context / total, **steps):
    """Return the context of tiles of scores and value."""
    state = torch.tensor(start), torch.tensor(0.0), torch.tensor(0.0)
    for scores, value in tiles:
        state = step(*state, scores, value, Steps(**steps))
    _, total, context = state
    return finish(context, total)


ONE_FOR_ALL = {"larger": lambda old, new: torch.maximum(old, new.max())}  # instead of one for each query
MEETS_LARGER = "when a larger score comes: multiply it by exp(old largest - new largest)"
NOT_RESCALED = {  # {message: the step that is wrong}
    f"the sum is not rescaled {MEETS_LARGER}": {"total": lambda total, shrink, w: total + w.sum(-1, keepdim=True)},
    f"the context is not rescaled {MEETS_LARGER}": {"context": lambda context, shrink, w, value: context + w @ value},
    "neither the sum nor the context is rescaled when a larger score comes": {"shrink": lambda old, new: 1.0},
}
SUBTRACT = "large scores give nan: exp overflows unless the largest score so far is subtracted first"
WRONG_STEPS = {  # {message: the step of the pass that is wrong}; what shows in the fewest cases comes first
    "much larger scores give nan: a larger score may come later": {"larger": lambda a, b: b.where(a.isinf(), a)},
    "scores far below 0 give nan: the largest score starts at 0; start at -inf": {"start": 0.0},
    SUBTRACT: {"shrink": lambda old, new: 1.0, "weigh": lambda scores, old, new: scores.exp()},
    **NOT_RESCALED,
    "the division by the sum is missing at the end": {"finish": lambda context, total: context},
}
ADDS = {  # {message: the step of one tile that is wrong}
    "one largest score serves all queries, and each needs its own: scores.amax(dim=-1, keepdim=True)": ONE_FOR_ALL,
    **NOT_RESCALED,
    "the factor is upside down: it is exp(old largest - new largest)": {"shrink": lambda old, new: (new - old).exp()},
    "the context is divided already: division comes once only, after the last tile": {
        "leave": lambda context, total: context / total
    },
}
