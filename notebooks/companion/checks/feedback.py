"""Compare an answer with the right one, and say what to look at."""

from contextlib import contextmanager

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from companion.verdict_words import NOT_YET

ROUNDED = "what is rounded for display must not be used"
IN_PLACE = "an input is changed in place, and later cells need it: x = x - 1 makes a new one, x -= 1 changes the old"
LIST_CHANGED = "your function changed a list that it was given; build a new one"
DECIMALS = (1, 2, 3, 4)  # a finer rounding lies within the tolerance


class Mistake(AssertionError):
    """What is wrong with an answer, in words for the one who wrote it.

    example: lines that show it in numbers; masks: (result, wanted), if it is a mask that is wrong; known: the messages
    of all known mistakes that give exactly this answer.
    """

    def __init__(self, message, example=(), known=()):
        super().__init__(message)
        self.example, self.known = list(example), frozenset(known)
        self.masks = None

    def _render_traceback_(self):
        """Give a notebook these lines to show, in place of the lines of the checks."""
        return [f"{NOT_YET}: {self}", *self.example]


def expect(condition, message):
    """Raise `Mistake` with this message unless the condition holds."""
    if not condition:
        raise Mistake(message)


def expect_kind(result, kind, doing, wanted):
    """Refuse None, and everything that is not of a kind; `doing` says what was called, `wanted` names the kind."""
    expect(result is not None, f"{doing} gives None; did you forget `return`?")
    expect(isinstance(result, kind), f"{doing} gives {with_article(type(result).__name__)}, but {wanted} was expected")


def expect_equal(result, wanted, doing):
    """Compare two plain values."""
    expect_kind(result, type(wanted), doing, with_article(type(wanted).__name__))
    expect(result == wanted, f"{doing} gives {result!r}, but {wanted!r} was expected")


def with_article(kind):
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def expect_parts(result, names, doing):
    """Refuse anything but one part for each name, and return the parts."""
    expect(result is not None, f"{doing} gives None; did you forget `return`?")
    fits = isinstance(result, tuple | list) and len(result) == len(names)
    number = {2: "two", 3: "three"}.get(len(names), len(names))
    expect(fits, f"{doing} returns {number} things: ({', '.join(names)})")
    return result


def expect_tensor(result, wanted, doing, mistakes=None, atol=1e-5):
    """Compare a tensor with the right one, and name the cause if it equals a known wrong one.

    mistakes: {message: the tensor that this mistake gives}, or a function that returns it, called for a wrong tensor
    only; atol: how far a right number may be off.
    """
    expect_kind(result, torch.Tensor, doing, "a tensor")
    if is_close(result, wanted, atol):
        return
    table = mistakes() if callable(mistakes) else mistakes or {}
    if known := [message for message, wrong in table.items() if is_close(result, wrong, atol)]:
        raise Mistake(known[0], known=known)
    for decimals in DECIMALS:
        if is_close(result, wanted.double().round(decimals=decimals), atol):
            raise Mistake(f"{doing} is rounded (decimals={decimals}); {ROUNDED}", known=[f"{decimals} decimals"])
    shape, wanted_shape = tuple(result.shape), tuple(wanted.shape)
    expect(shape == wanted_shape, f"{doing} gives shape {shape}, but {wanted_shape} was expected")
    expect(not result.isnan().any(), f"{doing} gives nan; look for 0/0, or inf - inf")
    gap = (result.double() - wanted.double()).abs().max()
    raise Mistake(f"{doing} has the right shape, but is off by up to {gap:.2g}", _worst_row(result, wanted))


def expect_like(answer, right, inputs, doing, mistakes=None, parts=(), atol=1e-5):
    """Compare an answer with the right function on the same inputs, and name the mistake if it gives what that gives.

    Both give a tensor, a tuple of tensors, whose parts are named, or a plain value. inputs: the arguments, a tuple;
    mistakes: {message: wrong function}, called for a wrong answer only; one that raises an error is skipped.
    """
    result, wanted = answer(*inputs), right(*inputs)
    if not _alike(result, wanted, atol):
        for message, wrong in (mistakes or {}).items():
            expect(not _alike(result, _outcome(wrong, inputs), atol), message)
    if isinstance(wanted, tuple) and isinstance(wanted[0], torch.Tensor):
        for part, result_part, wanted_part in zip(parts, expect_parts(result, parts, doing), wanted):
            _expect_exact(result_part, wanted_part, f"the {part} of {doing}", atol)
    else:
        _expect_exact(result, wanted, doing, atol)


def _expect_exact(result, wanted, doing, atol):
    if not isinstance(wanted, torch.Tensor):
        expect_equal(result, wanted, doing)
    elif wanted.dtype == torch.bool:
        expect_mask(result, wanted, doing)
    else:
        expect_tensor(result, wanted, doing, atol=atol)


def _outcome(wrong, inputs):
    try:
        return on_copies(wrong)(*inputs)
    except Exception:
        return object()  # which equals nothing


def _alike(result, wanted, atol):
    if isinstance(wanted, torch.Tensor):
        return is_close(result, wanted, atol)
    if isinstance(wanted, tuple | list):
        fits = isinstance(result, tuple | list) and len(result) == len(wanted)
        return fits and all(_alike(*pair, atol) for pair in zip(result, wanted))
    return type(result) is type(wanted) and result == wanted


def expect_mask(result, wanted, doing, mistakes=None):
    if isinstance(result, torch.Tensor):
        expect(result.dtype == torch.bool, f"{doing} has dtype {result.dtype}; a mask is boolean, True or False")
        if result.shape == wanted.shape and not result.equal(wanted):
            position = tuple((result != wanted).nonzero()[0].tolist())
            message = f"{doing} is {bool(result[position])} at {position}, but {bool(wanted[position])} was expected"
            mistakes = {**(mistakes or {}), message: result}
    try:
        expect_tensor(result, wanted, doing, mistakes)
    except Mistake as mistake:
        if isinstance(result, torch.Tensor):
            mistake.masks = result, wanted
        raise


@contextmanager
def explained(causes):
    """Turn an error whose text holds a sign, {sign: cause}, into a mistake with that cause."""
    try:
        yield
    except (TypeError, AttributeError, RuntimeError, LookupError, ValueError) as error:
        for sign, cause in causes.items():
            expect(sign not in str(error), cause.format(error=str(error).rstrip(".")))
        raise


def _worst_row(result, wanted):
    """Return two lines: the row that is furthest off, and what it should be."""
    gaps = (result.double() - wanted.double()).abs()
    position = tuple(map(int, np.unravel_index(int(gaps.argmax()), gaps.shape)[:-1]))  # torch's own imports sympy
    result, wanted = (tensor[position].double().reshape(-1).tolist() for tensor in (result, wanted))
    rows = [", ".join(f"{number:.4g}" for number in row[:12]) + ", ..." * (len(row) > 12) for row in (result, wanted)]
    name = f"your row {', '.join(map(str, position))}" if position else "yours"
    return [f"{name}:".ljust(15) + f"[{rows[0]}]", "it should be:".ljust(15) + f"[{rows[1]}]"]


def on_copies(answer):
    """Return a function that calls an answer on copies of tensors and lists, and refuses it if it changes one."""

    def call(*inputs, **options):
        copies = [_copy(part) for part in inputs]
        result = answer(*copies, **options)
        for part, copy in zip(inputs, copies):
            expect(_same(copy, part), LIST_CHANGED if isinstance(part, list) else IN_PLACE)
        return result

    return call


def _copy(part):
    if isinstance(part, list):
        return [_copy(item) for item in part]
    return part.clone() if isinstance(part, torch.Tensor) else part


def _same(copy, part):
    if isinstance(part, list):
        return len(copy) == len(part) and all(map(_same, copy, part))
    return copy.equal(part) if isinstance(part, torch.Tensor) else copy is part


def calls(answer, *inputs):
    """Return the names of the PyTorch functions that an answer calls, in order."""
    with _Recorder() as recorder:
        answer(*inputs)
    return recorder.names


def tensors_made(answer, *inputs):
    """Return the tensors that PyTorch's functions return while an answer runs."""
    with _Recorder() as recorder:
        answer(*inputs)
    return [result for result in recorder.results if isinstance(result, torch.Tensor)]


class _Recorder(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names, self.results = [], []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.names.append(function.__name__)
        self.results.append(function(*args, **(kwargs or {})))
        return self.results[-1]


def is_close(result, wanted, atol=1e-5):
    """Say whether a result is a tensor that agrees in shape and numbers; the dtype is free."""
    if not isinstance(result, torch.Tensor) or result.shape != wanted.shape:
        return False
    return torch.allclose(result.double(), wanted.double(), atol=atol, equal_nan=True)
