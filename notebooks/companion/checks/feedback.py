"""What every check is made of: compare an answer with the right one, and say what to look at."""

from contextlib import contextmanager

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

ROUNDED = "what is rounded for display must not be used"
IN_PLACE = "an input is changed in place, and later cells need it: x = x - 1 makes a new one, x -= 1 changes the old"
LIST_CHANGED = "your function changed a list that it was given; build a new one"
PARTS = ("first part", "second part", "third part")
DECIMALS = (1, 2, 3, 4)  # a finer rounding lies within the tolerance


class Mistake(AssertionError):
    """What is wrong with an answer, in words for the one who wrote it.

    example: lines that show it in numbers; masks: (given, wanted), if it is a mask that is wrong; known: the messages
    of all known mistakes that give exactly this answer.
    """

    def __init__(self, message, example=(), known=()):
        super().__init__(message)
        self.example, self.known = list(example), frozenset(known)
        self.masks = None

    def _render_traceback_(self):
        """Give a notebook these lines to show, in place of the lines of the checks."""
        return [f"not yet: {self}", *self.example]


def expect(condition, message):
    """Raise `Mistake` with this message unless the condition holds."""
    if not condition:
        raise Mistake(message)


def expect_kind(given, kind, doing, wanted):
    """Refuse None, and everything that is not of a kind; `doing` says what was called, `wanted` names the kind."""
    expect(given is not None, f"{doing} gives None; did you forget `return`?")
    expect(isinstance(given, kind), f"{doing} gives {with_article(type(given).__name__)}, but {wanted} was expected")


def expect_equal(given, wanted, doing):
    """Compare two plain values."""
    expect_kind(given, type(wanted), doing, with_article(type(wanted).__name__))
    expect(given == wanted, f"{doing} gives {given!r}, but {wanted!r} was expected")


def with_article(kind):
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def expect_parts(given, names, doing):
    """Refuse anything but one part for each name, and return the parts."""
    expect(given is not None, f"{doing} gives None; did you forget `return`?")
    fits = isinstance(given, tuple | list) and len(given) == len(names)
    number = {2: "two", 3: "three"}[len(names)]
    expect(fits, f"{doing} returns {number} things: ({', '.join(names)})")
    return given


def expect_tensor(given, wanted, doing, mistakes=None, atol=1e-5):
    """Compare a tensor with the right one, and name the cause if it equals a known wrong one.

    mistakes: {message: the tensor that this mistake gives}, or a function that returns it, called for a wrong tensor
    only; atol: how far a right number may be off.
    """
    expect_kind(given, torch.Tensor, doing, "a tensor")
    if close(given, wanted, atol):
        return
    table = mistakes() if callable(mistakes) else mistakes or {}
    if known := [message for message, wrong in table.items() if close(given, wrong, atol)]:
        raise Mistake(known[0], known=known)
    for decimals in DECIMALS:
        if close(given, wanted.double().round(decimals=decimals), atol):
            raise Mistake(f"{doing} is rounded (decimals={decimals}); {ROUNDED}", known=[f"{decimals} decimals"])
    shape, wanted_shape = tuple(given.shape), tuple(wanted.shape)
    expect(shape == wanted_shape, f"{doing} gives shape {shape}, but {wanted_shape} was expected")
    expect(not given.isnan().any(), f"{doing} gives nan; look for 0/0, or inf - inf")
    gap = (given.double() - wanted.double()).abs().max()
    raise Mistake(f"{doing} has the right shape, but is off by up to {gap:.2g}", _worst_row(given, wanted))


def expect_like(answer, right, inputs, doing, mistakes=None, parts=PARTS, atol=1e-5):
    """Compare an answer with the right function on the same inputs, and name the mistake if it gives what that gives.

    Both give a tensor, a tuple of tensors, whose parts are named, or a plain value. inputs: the arguments, a tuple;
    mistakes: {message: wrong function}, called for a wrong answer only; one that raises an error is skipped.
    """
    given, wanted = answer(*inputs), right(*inputs)
    if not _alike(given, wanted, atol):
        for message, wrong in (mistakes or {}).items():
            expect(not _alike(given, _outcome(wrong, inputs), atol), message)
    if isinstance(wanted, tuple) and isinstance(wanted[0], torch.Tensor):
        parts = parts[: len(wanted)]
        for part, each, wanted_part in zip(parts, expect_parts(given, parts, doing), wanted):
            _expect_exact(each, wanted_part, f"the {part} of {doing}", atol)
    else:
        _expect_exact(given, wanted, doing, atol)


def _expect_exact(given, wanted, doing, atol):
    if not isinstance(wanted, torch.Tensor):
        expect_equal(given, wanted, doing)
    elif wanted.dtype == torch.bool:
        expect_mask(given, wanted, doing)
    else:
        expect_tensor(given, wanted, doing, atol=atol)


def _outcome(wrong, inputs):
    try:
        return on_copies(wrong)(*inputs)
    except Exception:
        return object()  # which equals nothing


def _alike(given, wanted, atol):
    if isinstance(wanted, torch.Tensor):
        return close(given, wanted, atol)
    if isinstance(wanted, tuple | list):
        fits = isinstance(given, tuple | list) and len(given) == len(wanted)
        return fits and all(_alike(*pair, atol) for pair in zip(given, wanted))
    return type(given) is type(wanted) and given == wanted


def expect_mask(given, wanted, doing, mistakes=None):
    if isinstance(given, torch.Tensor):
        expect(given.dtype == torch.bool, f"{doing} has dtype {given.dtype}; a mask is boolean, True or False")
        if given.shape == wanted.shape and not given.equal(wanted):
            place = tuple((given != wanted).nonzero()[0].tolist())
            message = f"{doing} is {bool(given[place])} at {place}, but {bool(wanted[place])} was expected"
            mistakes = {**(mistakes or {}), message: given}
    try:
        expect_tensor(given, wanted, doing, mistakes)
    except Mistake as mistake:
        if isinstance(given, torch.Tensor):
            mistake.masks = given, wanted
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


def _worst_row(given, wanted):
    """Return two lines: the row that is furthest off, and what it should be."""
    gaps = (given.double() - wanted.double()).abs()
    place = tuple(map(int, np.unravel_index(int(gaps.argmax()), gaps.shape)[:-1]))  # torch's own imports sympy
    given, wanted = (tensor[place].double().reshape(-1).tolist() for tensor in (given, wanted))
    rows = [", ".join(f"{number:.4g}" for number in row[:12]) + ", ..." * (len(row) > 12) for row in (given, wanted)]
    name = f"your row {', '.join(map(str, place))}" if place else "yours"
    return [f"{name}:".ljust(15) + f"[{rows[0]}]", "it should be:".ljust(15) + f"[{rows[1]}]"]


def on_copies(answer):
    """Return a function that calls an answer on copies of tensors and lists, and refuses it if it changes one."""

    def call(*given, **options):
        copies = [_copy(part) for part in given]
        result = answer(*copies, **options)
        for part, copy in zip(given, copies):
            expect(_same(copy, part), LIST_CHANGED if isinstance(part, list) else IN_PLACE)
        return result

    return call


def _copy(part):
    if isinstance(part, list):
        return [_copy(each) for each in part]
    return part.clone() if isinstance(part, torch.Tensor) else part


def _same(copy, part):
    if isinstance(part, list):
        return len(copy) == len(part) and all(map(_same, copy, part))
    return copy.equal(part) if isinstance(part, torch.Tensor) else copy is part


def calls(answer, *given):
    """Return the names of the PyTorch functions that an answer calls, in order."""
    with _Calls() as recorder:
        answer(*given)
    return recorder.names


def made(answer, *given):
    """Return the tensors that PyTorch's functions return while an answer runs."""
    with _Calls() as recorder:
        answer(*given)
    return [result for result in recorder.results if isinstance(result, torch.Tensor)]


class _Calls(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names, self.results = [], []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.names.append(function.__name__)
        self.results.append(function(*args, **(kwargs or {})))
        return self.results[-1]


def close(given, wanted, atol=1e-5):
    """Say whether what was given is a tensor that agrees in shape and numbers; the dtype is free."""
    if not isinstance(given, torch.Tensor) or given.shape != wanted.shape:
        return False
    return torch.allclose(given.double(), wanted.double(), atol=atol, equal_nan=True)
