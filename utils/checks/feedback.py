"""What every check is made of: run the reader's function, compare, and say what to look at.

A check never stops the notebook. It prints "not attempted yet", "not yet: ..." with the likely cause, or "correct".
"""

import functools

import torch


class Mistake(Exception):
    """What is wrong with an answer, in words for the one who wrote it."""


def exercise(check):
    """Turn a check that raises `Mistake` into one that prints its verdict; its docstring is the praise."""

    @functools.wraps(check)
    def run(answer):
        try:
            with torch.random.fork_rng(devices=[]):  # the reader's own random numbers must not change
                torch.manual_seed(0)
                check(answer)
        except NotImplementedError:
            print("not attempted yet")
        except Mistake as mistake:
            print(f"not yet: {mistake}")
        except (Exception, SystemExit) as error:
            print(f"not yet: your function stopped with {type(error).__name__}: {error}")
        else:
            print(f"correct: {check.__doc__}")

    return run


def expect(condition, message):
    """Raise `Mistake` with this message unless the condition holds."""
    if not condition:
        raise Mistake(message)


def expect_equal(given, wanted, doing):
    """Compare two plain values; `doing` says what was called."""
    expect(given == wanted, f"{doing} gives {given!r}, but {wanted!r} was expected")


def expect_tensor(given, wanted, doing, mistakes=None):
    """Compare a tensor with the right one, and name the cause if it equals a known wrong one.

    mistakes: {message: the tensor that this mistake gives}.
    """
    expect(given is not None, f"{doing} gives None; did you forget `return`?")
    expect(isinstance(given, torch.Tensor), f"{doing} gives a {type(given).__name__}, but a tensor was expected")
    if _close(given, wanted):
        return
    for message, wrong in (mistakes or {}).items():
        expect(not _close(given, wrong), message)
    expect(
        given.shape == wanted.shape,
        f"{doing} gives shape {tuple(given.shape)}, but {tuple(wanted.shape)} was expected",
    )
    expect(not given.isnan().any(), f"{doing} gives nan; look for 0/0, or inf - inf")
    gap = (given.double() - wanted.double()).abs().max()
    raise Mistake(f"{doing} has the right shape, but is off by up to {gap:.4f}")


def _close(given, wanted):
    return given.shape == wanted.shape and torch.allclose(given.double(), wanted.double(), atol=1e-5, equal_nan=True)
