"""What checks of several assignments do with a student's module: make it, set its weights, see whether it trains."""

import contextlib
import itertools

import torch

from classroom.student import Stopped, agree
from companion.checks.feedback import close, expect

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
    begin = "begin with equal numbers: use random ones, and no seed inside __init__"
    for first, second in itertools.combinations(places, 2):
        expect(not close(values[first], values[second]), f"the matrices of a module {begin}")
    twins = any(close(values[place], others[place]) for place in places)
    expect(not twins, f"two modules {begin}; a seed belongs at the top of a notebook")


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
