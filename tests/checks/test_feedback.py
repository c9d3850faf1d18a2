import re
import sys

import pytest
import torch

from checks.found import CHECKS
from companion.checks.exercise import exercise
from companion.checks.feedback import ROUNDED, Mistake, expect_like, expect_tensor

WANTED = torch.tensor([[0.12345, 2.0]])
IN_PLACE = "not yet: an input is changed in place"
LIST = "not yet: your function changed a list"

every_check = pytest.mark.parametrize("check", CHECKS)


def stub(*inputs):
    raise NotImplementedError


def crash(*inputs):
    raise ZeroDivisionError("<division> by zero")


def interrupted(*inputs):
    raise KeyboardInterrupt


def draw(*inputs):
    torch.manual_seed(99)
    return torch.rand(3)


def unknown_to_pytorch(*inputs):
    return torch.softmax(torch.tensor([1, 2]), 0)  # raises PyTorch's own NotImplementedError


@every_check
def test_an_untouched_stub_is_called_not_attempted(check, verdict):
    assert verdict(check, stub) == "not attempted yet"


@every_check
def test_a_forgotten_return_and_a_wrong_type_are_named(check, verdict):
    assert verdict(check, lambda *inputs: None).endswith("gives None; did you forget `return`?")
    assert re.match(
        r"not yet: .*(gives a str, but an? |gives '42', but '|returns (two|three) things)",
        verdict(check, lambda *inputs: "42"),
    )


@every_check
@pytest.mark.parametrize(
    "answer, error",
    [
        (crash, "ZeroDivisionError: <division> by zero"),
        (lambda *inputs: sys.exit(3), "SystemExit: 3"),
        (unknown_to_pytorch, "NotImplementedError: "),
    ],
    ids=["exception", "exit", "unsupported"],
)
def test_a_crash_is_told_and_does_not_stop_the_notebook(check, answer, error, verdict):
    assert verdict(check, answer).startswith(f"not yet: your function stopped with {error}")


@every_check
def test_an_endless_loop_can_still_be_interrupted(check):
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
    verdicts = []
    for seed in range(3):
        torch.manual_seed(seed)
        verdicts.append(verdict(check, lambda *inputs: torch.full((4, 4), float(torch.rand(())))))
    assert verdicts[0] == verdicts[1] == verdicts[2]


@pytest.mark.parametrize(
    "part, answer, kind",
    [
        (torch.ones(3), lambda part: part.zero_(), IN_PLACE),
        (torch.ones(3), lambda part: part.unsqueeze_(0), IN_PLACE),
        (torch.ones(3), lambda part: part.sub_(1).add_(1), "correct: well done."),  # as it was when handed back
        (torch.ones(3), lambda part: part.clone().zero_(), "correct: well done."),
        ([["a"], ["b"]], lambda part: part.reverse(), LIST),
        ([["a"], ["b"]], lambda part: part[1].append("c"), LIST),
        ([["a"], ["b"]], lambda part: sorted(part, reverse=True), "correct: well done."),
    ],
)
def test_an_answer_that_changes_what_it_is_given_is_refused(part, answer, kind, verdict):
    before = str(part)

    @exercise
    def check(answer):
        """well done."""
        answer(part)

    assert verdict(check, answer).startswith(kind)
    assert str(part) == before, "the check's own input must stay"


@pytest.mark.parametrize(
    "result, message",
    [
        (None, "x gives None; did you forget `return`?"),
        (OSError(), "x gives an OSError, but a tensor was expected"),
        (-WANTED, "the sign is turned"),
        (WANTED[0], "x gives shape (2,), but (1, 2) was expected"),
        (WANTED + torch.tensor([torch.nan, 0]), "x gives nan; look for 0/0, or inf - inf"),
        *((WANTED.double().round(decimals=n), f"x is rounded (decimals={n}); {ROUNDED}") for n in (1, 2, 3, 4)),
        (WANTED.long(), "x has the right shape, but is off by up to 0.12"),
        (WANTED + 3e-4, "x has the right shape, but is off by up to 0.0003"),
    ],
)
def test_a_wrong_tensor_is_described(result, message):
    with pytest.raises(Mistake) as caught:
        expect_tensor(result, WANTED, "x", {"the sign is turned": -WANTED})
    assert str(caught.value) == message


@pytest.mark.parametrize("size, end", [(12, " 0]"), (13, " 0, ...]")])
def test_of_a_row_twelve_numbers_are_shown(size, end):
    with pytest.raises(Mistake) as caught:
        expect_tensor(torch.arange(3.0)[:, None].expand(3, size), torch.zeros(3, size), "x")
    message, yours, wanted = caught.value._render_traceback_()
    assert message.startswith("not yet: x has") and yours.startswith("your row 2:    [2, 2,") and wanted.endswith(end)
    assert yours.count("2") == 1 + min(size, 12)  # and the row's own number


@pytest.mark.parametrize("result", [WANTED.double(), WANTED + 1e-6, WANTED.clone().requires_grad_()])
def test_an_equal_tensor_is_accepted(result):
    expect_tensor(result, WANTED, "x")


def read(query, key):
    """Return a context and weights, as attention would."""
    weights = (query @ key.T).softmax(-1)
    return weights @ key, weights


MISTAKES = {
    "raises an error": crash,
    "swapped": lambda query, key: read(query, key)[::-1],
    "over the queries": lambda query, key: (read(query, key)[0], (query @ key.T).softmax(0)),
    "changed its inputs": lambda query, key: read(query.zero_(), key),
}


@pytest.mark.parametrize(
    "answer, message",
    [
        (read, ""),
        (lambda *inputs: list(read(*inputs)), ""),
        (MISTAKES["swapped"], "swapped"),
        (MISTAKES["over the queries"], "over the queries"),
        (lambda query, key: read(query * 0, key), "the context of read has the right shape, but is off by up to"),
        (lambda *inputs: (read(*inputs)[0], torch.eye(4)), "the weights of read gives shape (4, 4), but (4, 3) was"),
        (lambda *inputs: read(*inputs)[0], "read returns two things: (context, weights)"),
        (lambda *inputs: None, "read gives None; did you forget `return`?"),
        (lambda *inputs: (read(*inputs)[0], None), "the weights of read gives None"),
    ],
)
def test_an_answer_is_told_which_wrong_function_it_equals(answer, message):
    torch.manual_seed(0)
    inputs = torch.randn(4, 2), torch.randn(3, 2)
    before, complaint = [part.clone() for part in inputs], ""
    try:
        expect_like(answer, read, inputs, "read", MISTAKES, parts=("context", "weights"))
    except Mistake as mistake:
        complaint = str(mistake)
    assert complaint.startswith(message) and bool(complaint) == bool(message)
    assert all(map(torch.equal, inputs, before)), "a wrong function must not change what the next one gets"
