"""What several assignments' checks ask: true or false, context and weights, no weight on hidden keys; and what they do
with a student's module: make it, set its weights, see whether it trains."""

import contextlib
import itertools

import torch

from classroom.checks.graded import Inputs
from classroom.student import Student, StudentError, StudentObject, agree
from companion.checks.feedback import Mistake, expect, expect_kind, expect_parts, is_close
from companion.mistakes import EVEN
from utils.attention import masked_softmax

FAR = 2.0**12  # a query of -FAR and a key of FAR in each feature: all scores are equal, and below -10,000,000


def as_number(answer):
    """Return a student's tensor of one number as Python's own number, and all else as it is."""
    return answer.item() if isinstance(answer, torch.Tensor) and answer.numel() == 1 else answer


def expect_truth(answer, doing: str) -> bool:
    """Return a student's True or False as Python's own; `doing` says what gave it. Raises Mistake for all else."""
    number = as_number(answer)
    expect_kind(number if isinstance(number, bool) else answer, bool, doing, "True or False")
    return number


@contextlib.contextmanager
def add_hint(hint: str):
    """Add to what stops a student's code here what may be the cause."""
    try:
        yield
    except StudentError as error:
        raise StudentError(error.kind, f"{error.message}; {hint}", error.location) from None


def context_and_weights(answer, right: tuple, doing: str, in_order=True):
    """Return the two parts of what an attention gives, in the right order. right: both; in_order: whether to refuse
    those in the other order. Raises Mistake."""
    answer = expect_parts(answer, ("context", "weights"), doing)
    shapes = [getattr(part, "shape", None) for part in answer]
    exchanged = [right[1].shape, right[0].shape]
    alike = exchanged[0] == exchanged[1] and (is_close(answer[1], right[1]) or not is_close(answer[0], right[1]))
    if shapes != exchanged or alike:
        return answer
    expect(not in_order, f"{doing} gives the weights first: return context, weights")
    return answer[::-1]


def usable_weights(weights, right):
    """Return a student's weights if they can make a context, else the right ones: their slips are charged elsewhere."""
    fits = isinstance(weights, torch.Tensor) and weights.shape == right.shape and weights.is_floating_point()
    # Weights near zero would hide what is done with them.
    return weights if fits and 0.005 < weights.abs().sum(-1).mean() < torch.inf else right


def expect_no_finite_score(context, mask, value):
    """Refuse a context in which the hidden keys share all weight, or all weight is lost with them. context: from equal
    scores, all far below 0, under the mask (queries, keys); value: (keys, d_v)."""
    hidden = masked_softmax(torch.zeros(mask.shape), ~mask)
    if any(is_close(context, weights @ value) for weights in (hidden, torch.zeros_like(hidden))):
        finite = "a hidden key has a finite score, and all others here are lower still: use -inf"
        raise Mistake(finite, known=[finite, EVEN])


MAKERS = {"queries": "W_query", "keys": "W_key", "values": "W_value"}  # and the layer that makes each
HOW = "make it an nn.Linear or an nn.Parameter in __init__, after super().__init__()"


def expect_trained(module: StudentObject, names: list[str], inputs):
    """Refuse parameters that a module's results depend on, and that training would leave as they are."""
    with contextlib.suppress(StudentError, NotImplementedError):  # charged by the checks of what it gives
        output, trained, values = module(inputs), module.trained(inputs), module.values()
        lost = {name: values[name] + 1 for name in names if name not in trained}
        module.load(lost)
        why = "a buffer is not trained, nor is what forward uses under no_grad, detached, frozen, or as numbers"
        message = f"training would not change {', '.join(lost)}: {why}"
        expect(not lost or agree(output, module(inputs)), message)


def make_module(student: Student, name: str, *sizes: int) -> StudentObject:
    """Make an object of a student's module. Raises Mistake where a layer comes before super().__init__()."""
    try:
        return student.make(name, *sizes)
    except StudentError as error:
        unready = "Module.__init__() call" in error.message  # PyTorch's words
        expect(not unready, "__init__ must begin with super().__init__(), with both pairs of parentheses")
        raise


def expect_own_numbers(values: dict, others: dict, names: list[str]):
    """Refuse matrices that begin with equal numbers: two of one module's values, or of another module's."""
    matrices = [module[name] for module in (values, others) for name in names]
    twins = any(is_close(*pair) for pair in itertools.combinations(matrices, 2))
    seed = "use random ones, and no seed inside __init__: it belongs at the top of a notebook"
    expect(not twins, f"two matrices, of one module or of two, begin with equal numbers: {seed}")


def wrong_layers(*parts: str) -> dict[str, tuple]:
    """Return {message: the layer that makes each of these parts, "" for none} for all choices with a wrong one."""
    table = {}
    for layers in itertools.product([*MAKERS.values(), ""], repeat=len(parts)):
        wrong = [(part, layer) for part, layer in zip(parts, layers) if layer != MAKERS[part]]
        messages = (f"the {part} are made by {layer or 'no layer'}; {MAKERS[part]} makes them" for part, layer in wrong)
        table["; ".join(messages)] = layers
    return {message: layers for message, layers in table.items() if message}


def load_projections(module: StudentObject, fresh: Inputs, sizes: dict) -> dict[str, tuple]:
    """Put fresh weights into a student's module and return them: {name: (matrix, bias)}. sizes: {name: (d_in, d_out)}.

    Each name may be an nn.Linear, with a bias or without, or a bare parameter (d_in, d_out). Each matrix is returned as
    (d_in, d_out) for X @ W, a missing bias as zeros. Raises Mistake for a name that is missing or has another shape.
    """
    present, loaded, matrices = module.values(), {}, {}
    for name, (d_in, d_out) in sizes.items():
        matrix, bias = fresh.normal(d_in, d_out) / d_in**0.5, torch.zeros(d_out)
        linear = f"{name}.weight" in present
        expect(linear or name in present, f"the module has no parameter named {name}: {HOW}")
        parameter, wanted = (f"{name}.weight", matrix.T) if linear else (name, matrix)
        shape = tuple(present[parameter].shape)
        expect(shape == tuple(wanted.shape), f"{parameter} has shape {shape}, but {tuple(wanted.shape)} was expected")
        loaded[parameter] = wanted
        if f"{name}.bias" in present:
            loaded[f"{name}.bias"] = bias = fresh.normal(d_out)
        matrices[name] = matrix, bias
    module.load(loaded)
    return matrices
