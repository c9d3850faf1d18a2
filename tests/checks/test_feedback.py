import re
import sys

import pytest
import torch

from checks.found import CHECKS
from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, expect_equal, expect_like, expect_tensor

WANTED = torch.tensor([[0.12345, 2.0]])

every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)


def stub(*given):
    raise NotImplementedError


def crash(*given):
    raise ZeroDivisionError("<division> by zero")


def unknown_to_pytorch(*given):
    return torch.softmax(torch.tensor([1, 2]), 0)  # raises PyTorch's own NotImplementedError


def draw(*given):
    torch.manual_seed(99)
    return torch.rand(3)


@every_check
def test_an_untouched_stub_is_called_not_attempted(check, verdict):
    assert verdict(check, stub) == "not attempted yet"


@every_check
def test_a_forgotten_return_is_named(check, verdict):
    assert verdict(check, lambda *given: None).endswith("gives None; did you forget `return`?")


@every_check
def test_a_wrong_type_is_named(check, verdict):
    said = verdict(check, lambda *given: "42")
    assert said.startswith("not yet: ")
    assert re.search("gives a str, but an? ", said) or re.search(r"returns (two|three) things", said)


@every_check
@pytest.mark.parametrize(
    "answer, error",
    [
        (crash, "ZeroDivisionError: <division> by zero"),
        (lambda *given: sys.exit(3), "SystemExit: 3"),
        (unknown_to_pytorch, "NotImplementedError: "),
    ],
    ids=["exception", "exit", "unsupported"],
)
def test_a_crash_is_told_and_does_not_stop_the_notebook(check, answer, error, verdict):
    assert verdict(check, answer).startswith(f"not yet: your function stopped with {error}")


@every_check
def test_an_endless_loop_can_still_be_interrupted(check):
    def interrupted(*given):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(interrupted)


@every_check
@pytest.mark.parametrize("answer", [draw, crash, stub])
def test_the_readers_random_numbers_stay_as_they_were(check, answer):
    torch.manual_seed(7)
    before = torch.get_rng_state()
    check(answer)
    assert torch.equal(torch.get_rng_state(), before)


@every_check
def test_the_verdict_stays_when_repeated(check, verdict):
    seen = []
    for seed in range(3):
        torch.manual_seed(seed)
        seen.append(verdict(check, lambda *given: torch.full((4, 4), float(torch.rand(())))))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize(
    "answer, kind",
    [
        (lambda given: given.zero_(), "not yet: an input is changed in place"),
        (lambda given: given.unsqueeze_(0), "not yet: an input is changed in place"),
        (lambda given: given.sub_(1).add_(1), "correct: well done."),  # as it was when it is handed back
        (lambda given: given.clone().zero_(), "correct: well done."),
    ],
)
def test_an_answer_that_changes_its_input_is_refused_and_the_checks_own_tensors_stay(answer, kind, verdict):
    given = torch.ones(3)

    @exercise
    def check(answer):
        """well done."""
        answer(given)

    assert verdict(check, answer).startswith(kind)
    assert given.equal(torch.ones(3))


@pytest.mark.parametrize(
    "given, message",
    [
        (None, "x gives None; did you forget `return`?"),
        ([0.12345, 2.0], "x gives a list, but a tensor was expected"),
        (WANTED.numpy(), "x gives a ndarray, but a tensor was expected"),
        (-WANTED, "the sign is turned"),
        (WANTED[0], "x gives shape (2,), but (1, 2) was expected"),
        (WANTED / 0 * 0, "x gives nan; look for 0/0, or inf - inf"),
        (torch.tensor([[0.12, 2.0]]), "x is rounded (decimals=2); what is rounded for display must not be used"),
        (torch.tensor([[0.1235, 2.0]]), "x is rounded (decimals=4); what is rounded for display must not be used"),
        (WANTED.long(), "x has the right shape, but is off by up to 0.12"),
        (WANTED + 3e-4, "x has the right shape, but is off by up to 0.0003"),
    ],
)
def test_a_wrong_tensor_is_described(given, message):
    with pytest.raises(Mistake) as caught:
        expect_tensor(given, WANTED, "x", {"the sign is turned": -WANTED})
    assert str(caught.value) == message


@pytest.mark.parametrize("given", [WANTED, WANTED.double(), WANTED + 1e-6, WANTED.clone().requires_grad_()])
def test_an_equal_tensor_is_accepted(given):
    expect_tensor(given, WANTED, "x")


@pytest.mark.parametrize(
    "given, message",
    [
        ([2, 1], "x gives [2, 1], but [1, 2] was expected"),
        ((1, 2), "x gives a tuple, but a list was expected"),
        (torch.tensor([1, 2]), "x gives a Tensor, but a list was expected"),
    ],
)
def test_a_wrong_plain_value_is_described(given, message):
    with pytest.raises(Mistake) as caught:
        expect_equal(given, [1, 2], "x")
    assert str(caught.value) == message


def read(query, key):
    """Return a context and weights, as attention would."""
    weights = (query @ key.T).softmax(-1)
    return weights @ key, weights


def crashes_on_any_input(query, key):
    raise ValueError


MISTAKES = {
    "raises an error": crashes_on_any_input,
    "swapped": lambda query, key: read(query, key)[::-1],
    "over the queries": lambda query, key: (context_of(query, key), (query @ key.T).softmax(0)),
    "changed its inputs": lambda query, key: read(query.zero_(), key),
}


def context_of(query, key):
    return read(query, key)[0]


@pytest.mark.parametrize(
    "answer, message",
    [
        (read, ""),
        (lambda *given: list(read(*given)), ""),
        (MISTAKES["swapped"], "swapped"),
        (MISTAKES["over the queries"], "over the queries"),
        (
            lambda query, key: read(torch.zeros(4, 2), key),
            "the context of read has the right shape, but is off by up to",
        ),
        (lambda *given: (context_of(*given), torch.eye(4)), "the weights of read gives shape (4, 4), but (4, 3) was"),
        (context_of, "read returns two things: (context, weights)"),
        (lambda *given: None, "read gives None; did you forget `return`?"),
        (lambda *given: (context_of(*given), None), "the weights of read gives None"),
    ],
)
def test_an_answer_is_told_which_wrong_function_it_equals(answer, message):
    torch.manual_seed(0)
    inputs = torch.randn(4, 2), torch.randn(3, 2)
    before = [part.clone() for part in inputs]
    if message:
        with pytest.raises(Mistake) as caught:
            expect_like(answer, read, inputs, "read", MISTAKES, parts=("context", "weights"))
        assert str(caught.value).startswith(message)
    else:
        expect_like(answer, read, inputs, "read", MISTAKES, parts=("context", "weights"))
    assert all(map(torch.equal, inputs, before)), "a wrong function must not change what the next one gets"


@pytest.mark.parametrize(
    "mask, message",
    [
        (lambda size: torch.ones(size, size).tril(), "mask has dtype torch.float32; a mask is boolean"),
        (lambda size: torch.ones(size, size).triu() == 1, "turned round"),
        (lambda size: torch.ones(size, size) == 1, "mask is True at (0, 1), but False was expected"),
    ],
)
def test_a_wrong_mask_is_told_its_place_or_its_cause(mask, message):
    def right(size):
        return torch.ones(size, size).tril() == 1

    with pytest.raises(Mistake) as caught:
        expect_like(mask, right, (3,), "mask", {"turned round": lambda size: right(size).T})
    assert str(caught.value).startswith(message)


def test_a_check_with_mistakes_still_is_a_check_and_shows_them():
    def off_by_one(number):
        return 2 * number + 1

    @exercise(mistakes={"one too many": off_by_one})
    def check_twice(twice):
        """doubled."""
        expect_like(twice, lambda number: 2 * number, (torch.ones(2),), "twice", check_twice.mistakes)

    assert check_twice.mistakes == {"one too many": off_by_one} and check_twice.name == "twice"
    assert repr(check_twice.verdict(off_by_one)) == "not yet: one too many"
    assert repr(check_twice.verdict(lambda number: number + number)) == "correct: doubled."
