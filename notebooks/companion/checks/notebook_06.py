"""Checks of the exercises in notebook 06 (context vectors)."""

import torch

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, expect, expect_kind, is_close
from companion.checks.notebook_04 import COUNT_BACK
from companion.slips import slip, slips
from utils import attention as right

NOT_KEPT = f"{known.IGNORED}; masked_fill returns a copy, so keep it: scores = scores.masked_fill(...)"
NAN = "a query that may attend to nothing gives nan: fill in zeros with masked_fill, because nan times 0 is nan"
HIGH = "a hidden score may be much larger than the others; after softmax nothing is left: mask before"
LOW = "scores may lie below the number that hides a key, so that it hides nothing; none lies below -inf"
NO_GRADIENT = "the numbers are right, but training cannot go through them: it needs tensors from start to end"
NAN_GRADIENT = "the numbers are right, but an empty row has a gradient of nan: fill -inf in, do not add it"
TRAP = "right while every size is 4, and wrong for 3 queries and 6 keys of 8 numbers, with values of 7"
FIT_ONLY_4 = {  # {message: wrong scores}, which the trap catches
    f"{TRAP}: shape[1] is d_k of a matrix only, and in a batch it counts the queries; take query.shape[-1]": (
        known.by_second_axis
    ),
    f"{TRAP}: the root is that of the number of keys, not of d_k, query.shape[-1]": known.SCORED[known.BY_KEYS],
    f"{TRAP}: the root is always 2; d_k is query.shape[-1]": lambda query, key: query @ key.mT / 2,
}
STOPS = {  # what Python says, and the cause
    "Dimension out of range": COUNT_BACK,
    "modified by an inplace operation": "writing into a tensor, as in weights[~mask] = 0, leaves training no way back: "
    "make a new one, masked_fill",
    "does not match the shape of the indexed tensor": "a mask may have fewer rows than the weights, and square "
    "brackets, as in weights[~mask] = 0, do not broadcast: masked_fill does",
    "unary ~: 'NoneType'": "without a mask there is nothing to invert (~None): ask first whether mask is None",
    "Boolean value of Tensor": "`if mask:` and `not mask` ask the whole table for one True or False: ask "
    "`if mask is not None:`, and to exchange True and False write `~mask`",
}


HIDDEN = "torch.where(mask, scores, -math.inf)"
WEIGHT_SLIPS = {  # {message: wrong masked_softmax, or what it has instead}
    HIGH: {  # right except for far scores, so it is asked first
        HIDDEN: "scores",
        "torch.where(mask, weights, 0.0)": "weights * mask / (weights * mask).sum(-1, keepdim=True).clamp(min=1e-30)",
    },
    LOW: known.then_hidden(known.filled_with(-1e9)),
    known.LAST_AXIS: known.softmax_over(1),
    known.COLUMNS: known.softmax_over(-2),
    known.NO_SOFTMAX: lambda scores, mask=None: scores,
    NOT_KEPT: known.mask_ignored,
    known.INVERTED: known.mask_inverted,
    **known.WRONG_MASKINGS,
    NAN: known.nan_in_empty_rows,
    known.OVERFLOW: known.exp_minus(lambda scores: 0.0),
    NO_GRADIENT: lambda scores, mask=None: right.masked_softmax(scores.detach(), mask),
    NAN_GRADIENT: {HIDDEN: "scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)"},
}
WEIGHING = slips(right.masked_softmax, WEIGHT_SLIPS)


@compared_with(right.masked_softmax, WEIGHING, STOPS)
def check_masked_softmax(masked_softmax):
    """hidden keys get exactly 0, whatever they score, and a query that may see nothing gets zeros."""
    yield from _cases_of_weights(masked_softmax, lambda *inputs: inputs, right.masked_softmax, "masked_softmax")


ATTENDING = {  # {message: what a wrong my_attention has instead}
    "context and weights are swapped: return (context, weights)": {"@ value, weights": ", weights @ value"},
    **{message: {"scores": wrong} for message, wrong in FIT_ONLY_4.items()},
    **{message: {"scores": wrong} for message, wrong in known.SCORED.items() if message != known.BY_KEYS},
    known.KEY_AND_VALUE: {"(query, key)": "(query, value)", "weights @ value": "weights @ key"},
    **{message: {"masked_softmax": wrong} for message, wrong in WEIGHING.items()},
}


@compared_with(right.attention, ATTENDING, STOPS, parts=("context", "weights"))
def check_my_attention(my_attention):
    """the same as PyTorch's, with any mask, on any batch, and training can go through it."""
    yield "my_attention of 4 tokens", torch.randn(3, 4, 4).unbind()
    yield "my_attention of a batch (4, 4, 4)", torch.randn(3, 4, 4, 4).unbind()
    uneven = torch.randn(2, 3, 8), torch.randn(2, 6, 8), torch.randn(2, 6, 7)
    yield "my_attention of 3 queries and 6 keys", uneven
    yield from _cases_of_weights(my_attention, _inputs_for_scores, right.attention, "my_attention")


MASKED_WRONG = [  # the five of the exercise, in its order: (what to ask if it passes, a wrong masked_softmax)
    ("is any key hidden from a query that reads others?", known.mask_ignored),
    ("which sum is wrong when keys are hidden after softmax?", known.after_softmax),
    ("which row needs -inf and zeros?", known.filled_with(-1e9)),
    (
        "how many sentences does your case have, and do their masks differ?",
        lambda scores, mask: right.masked_softmax(scores, mask[:1] if mask.ndim > 2 else mask),
    ),
    ("how low may the keys that are read score?", known.then_hidden(known.filled_with(-100.0))),
]
NO_WEIGHT = "your hidden keys get almost no weight anyway: let a hidden key score highest"


@exercise
def check_mask_case(mask_case):
    """no attention that is wrong in one of these five ways passes your case."""
    case = mask_case()
    expect_kind(case, tuple | list, "mask_case()", "a tuple (query, key, value, mask)")
    expect(len(case) == 4, "mask_case() returns four things: (query, key, value, mask)")
    for name, part in zip(("query", "key", "value", "mask"), case):
        expect_kind(part, torch.Tensor, f"the {name}", "a tensor")
    *inputs, mask = case
    expect(mask.dtype == torch.bool, f"the mask has dtype {mask.dtype}; a mask is boolean, True or False")
    try:
        wanted = torch.nn.functional.scaled_dot_product_attention(*inputs, mask)
    except RuntimeError as error:
        shapes = ", ".join(str(tuple(part.shape)) for part in case)
        raise Mistake(f"right attention stops with your case, whose shapes are {shapes}: {error}") from None
    expect(wanted.isfinite().all(), "right attention gives nan or inf for your case, which can show nothing")
    contexts = [slip(right.attention, {"masked_softmax": weigh})(*case)[0] for _, weigh in MASKED_WRONG]
    passing = [number for number, context in enumerate(contexts, 1) if context.allclose(wanted, atol=1e-4)]
    if passing:
        ask = NO_WEIGHT if passing[0] <= 2 and _hides_nothing(*case) else MASKED_WRONG[passing[0] - 1][0]
        raise Mistake(f"your case does not catch {', '.join(map(str, passing))}. Number {passing[0]}: {ask}")


def _hides_nothing(query, key, value, mask):
    """Return whether the hidden keys would get almost no weight in each row that may read others."""
    reads_others = mask.any(-1, keepdim=True) & ~mask
    _, weights = right.attention(query, key, value)
    return bool(reads_others.any()) and bool(weights.where(reads_others, 0.0).max() < 0.001)


def _inputs_for_scores(numbers, *mask):
    """Return query, key and value that score these numbers: the identity is the key, √d_k times them the query."""
    identity = torch.eye(numbers.shape[-1]).expand(*numbers.shape[:-2], -1, -1)
    return numbers * numbers.shape[-1] ** 0.5, identity, identity, *mask


def _cases_of_weights(answer, inputs_for, truth, name):
    """Yield chosen scores and masks as cases, given to an answer by `given_for`, and follow its gradient."""
    numbers, mask = torch.randn(4, 4), torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1]]) == 1
    empty = mask & (torch.arange(4) != 2)[:, None]
    batch, padding = torch.randn(2, 3, 5), torch.tensor([[[1, 1, 1, 1, 0]], [[1, 1, 0, 0, 0]]]) == 1
    alone, far = torch.eye(3) == 1, torch.tensor([[2.0, 300.0, 1.0]] * 3)
    yield f"{name} without a mask", inputs_for(torch.tensor([[1000.0, 999.0, 0.0], [-1001.0, -1000.0, -2000.0]]))
    yield f"{name} when one query may attend to nothing", inputs_for(numbers, empty)
    yield f"{name} of a batch with padding", inputs_for(batch, padding)
    yield f"{name} when a hidden score is 300", inputs_for(far, alone)
    yield f"{name} when a score is -1e10", inputs_for(torch.full((3, 3), -1e10), alone)
    gradient, wanted_gradient = (_gradient(function, inputs_for(numbers), empty) for function in (answer, truth))
    expect(gradient is not None, NO_GRADIENT)
    expect(not gradient.isnan().any(), NAN_GRADIENT)
    expect(is_close(gradient, wanted_gradient), NO_GRADIENT)


def _gradient(answer, inputs, mask):
    """Return what a training step would hear of the first input, None if it hears nothing."""
    leaf = inputs[0].clone().requires_grad_()
    result = answer(leaf, *inputs[1:], mask)
    result = result if isinstance(result, torch.Tensor) else result[0]
    return torch.autograd.grad(result.square().sum(), leaf)[0] if result.requires_grad else None
