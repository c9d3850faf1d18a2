"""What checks of several assignments ask: a truth, a context and weights, no weight on hidden keys; and what they do
with a student's module: make it, set its weights, see whether it trains."""

import contextlib
import itertools

import torch

from classroom.student import Stopped, agree
from companion.checks.feedback import Mistake, close, expect, expect_parts
from companion.mistakes import EVEN
from utils.attention import masked_softmax

FAR = 2.0**12  # a query of -FAR and a key of FAR in each feature: all scores are equal, and below -10,000,000


def truth(given, doing):
    """Return a student's True or False as Python's own; `doing` says what gave it. Raises Mistake for all else."""
    expect(given is not None, f"{doing} gives None; did you forget `return`?")
    if isinstance(given, torch.Tensor) and given.dtype == torch.bool and given.numel() == 1:
        given = bool(given)
    expect(isinstance(given, bool), f"{doing} gives something of type {type(given).__name__}; return True or False")
    return given


@contextlib.contextmanager
def hinted(hint):
    """Add to what stops a student's code here what may be the cause."""
    try:
        yield
    except Stopped as error:
        raise Stopped(error.kind, f"{error.message}; {hint}", error.place) from None


def context_and_weights(given, right, doing, charge=True):
    """Return the two parts of what an attention gives, in the right order. right: both.

    charge: whether to refuse those in the other order. Raises Mistake.
    """
    given = expect_parts(given, ("context", "weights"), doing)
    shapes = [getattr(part, "shape", None) for part in given]
    turned = [right[1].shape, right[0].shape]
    alike = turned[0] == turned[1] and (close(given[1], right[1]) or not close(given[0], right[1]))
    if shapes != turned or alike:
        return given
    expect(not charge, f"{doing} gives the weights first: return context, weights")
    return given[::-1]


def own_weights(weights, right):
    """Return a student's weights if they can make a context, else the right ones: their slips are charged elsewhere."""
    fits = isinstance(weights, torch.Tensor) and weights.shape == right.shape and weights.is_floating_point()
    # Weights near zero would hide what is done with them.
    fits = fits and bool(weights.isfinite().all() and (weights >= 0).all() and weights.sum(-1).mean() > 0.005)
    return weights if fits else right


def expect_no_finite_score(given, mask, value):
    """Refuse a context in which the hidden keys share all weight, or all weight is lost with them.

    given: from equal scores, all far below 0, under the mask (queries, keys); value: (keys, d_v).
    """
    hidden = masked_softmax(torch.zeros(mask.shape), ~mask)
    if any(close(given, weights @ value) for weights in (hidden, torch.zeros_like(hidden))):
        finite = "a hidden key has a finite score, and all others here are lower still: use -inf"
        raise Mistake(finite, known=[finite, EVEN])


PARTS = {"queries": "W_query", "keys": "W_key", "values": "W_value"}  # and the layer that makes each
HOW = "make it an nn.Linear or an nn.Parameter in __init__, after super().__init__()"


def expect_trained(module, names, inputs):
    """Refuse parameters of a `Made` that its results depend on, and that training would leave as they are."""
    with contextlib.suppress(Stopped, NotImplementedError):  # charged by the checks of what it gives
        given, trained, values = module(inputs), module.trained(inputs), module.values()
        lost = {name: values[name] + 1 for name in names if name not in trained}
        module.load(lost)
        why = "a buffer is not trained, nor is what forward uses under no_grad, detached, frozen, or as numbers"
        message = f"training would not change {', '.join(lost)}: {why}"
        expect(not lost or agree(given, module(inputs)), message)


def make_module(student, name, *sizes):
    """Make an object of a student's module. Raises Mistake where a layer comes before super().__init__()."""
    try:
        return student.make(name, *sizes)
    except Stopped as error:
        unready = "Module.__init__() call" in error.message  # PyTorch's words
        expect(not unready, "__init__ must begin with super().__init__(), with both pairs of parentheses")
        raise


def expect_own_numbers(values, others, places):
    """Refuse matrices that begin with equal numbers: two of one module's values, or of another module's."""
    matrices = [module[place] for module in (values, others) for place in places]
    twins = any(close(*pair) for pair in itertools.combinations(matrices, 2))
    seed = "use random ones, and no seed inside __init__: it belongs at the top of a notebook"
    expect(not twins, f"two matrices, of one module or of two, begin with equal numbers: {seed}")


def mixed_up(*parts):
    """Return {message: the layer that makes each of these parts, "" for none} for all choices with a wrong one."""
    found = {}
    for layers in itertools.product([*PARTS.values(), ""], repeat=len(parts)):
        wrong = [(part, layer) for part, layer in zip(parts, layers) if layer != PARTS[part]]
        said = (f"the {part} are made by {layer or 'no layer'}; {PARTS[part]} makes them" for part, layer in wrong)
        found["; ".join(said)] = layers
    return {message: layers for message, layers in found.items() if message}


def load_projections(module, draw, sizes):
    """Put fresh weights into a student's module and return them: {name: (matrix, bias)}.

    module: a `Made`; sizes: {name: (d_in, d_out)}. Each name may be an nn.Linear, with a bias or without, or a bare
    parameter (d_in, d_out). Each matrix is returned as (d_in, d_out) for X @ W, a missing bias as zeros.
    Raises Mistake for a name that is missing or has another shape.
    """
    there, fresh, matrices = module.values(), {}, {}
    for name, (d_in, d_out) in sizes.items():
        matrix, bias = draw.normal(d_in, d_out) / d_in**0.5, torch.zeros(d_out)
        linear = f"{name}.weight" in there
        expect(linear or name in there, f"the module has no parameter named {name}: {HOW}")
        place, wanted = (f"{name}.weight", matrix.T) if linear else (name, matrix)
        shape = tuple(there[place].shape)
        expect(shape == tuple(wanted.shape), f"{place} has shape {shape}, but {tuple(wanted.shape)} was expected")
        fresh[place] = wanted
        if f"{name}.bias" in there:
            fresh[f"{name}.bias"] = bias = draw.normal(d_out)
        matrices[name] = matrix, bias
    module.load(fresh)
    return matrices
