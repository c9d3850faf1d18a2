"""Checks of the exercises in notebook 09 (cross-attention)."""

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention import attention, padding_mask, project, scores
from utils.checks.exercise import exercise
from utils.checks.feedback import Mistake, expect, expect_parts, expect_tensor
from utils.checks.mistakes import COLUMNS, IGNORED, INVERTED, MASKED, NO_SOFTMAX, given_by, readings


@exercise
def check_read_memory(read_memory):
    """the inputs ask, the memory answers, and nobody reads the padding."""
    inputs, memory, lengths = torch.randn(3, 5, 6), torch.randn(3, 5, 6), torch.tensor([5, 2, 3])
    matrices = torch.randn(3, 6, 6) / 2
    mask = padding_mask(lengths, 5)
    query, key, value = (each @ matrix for each, matrix in zip((inputs, memory, memory), matrices))
    right, raw = attention(query, key, value, mask)[0], scores(query, key)
    of_inputs, of_memory = project(inputs, *matrices), project(memory, *matrices)
    contexts = {
        "the padding is read: hide it with a mask": (query, key, value),
        INVERTED: (query, key, value, ~mask),
        "the mask is on the axis of the queries; the padding is among the keys": (query, key, value, mask.mT),
        "the values come from the inputs; what is handed over is in the memory": (query, key, of_inputs[2], mask),
        "the keys come from the inputs; what is found is in the memory": (query, of_inputs[1], value, mask),
        "the sequences are exchanged: the inputs ask, the memory answers": (of_memory[0], *of_inputs[1:], mask),
        "the inputs read themselves; the memory is not used": (*of_inputs, mask),
        "the inputs read themselves; memory and lengths are not used": of_inputs,
        "the memory reads itself; the inputs must ask": (*of_memory, mask),
        "one token of padding is read: places count from 0, so the real ones are below the length": (
            *(query, key, value),
            padding_mask((lengths + 1).clamp(max=5), 5),
        ),
        **{message: (*reading, mask) for message, reading in readings(query, key, value).items()},
    }
    mistakes = {message: attention(*inputs)[0] for message, inputs in contexts.items()}
    mistakes |= {message: weights @ value for message, weights in given_by(MASKED, raw, mask).items()}
    given = read_memory(inputs, memory, *matrices, lengths)
    expect_tensor(given, right, "read_memory with 5 queries and 5 keys", mistakes)
    inputs, memory, lengths = torch.randn(2, 3, 6), torch.randn(2, 7, 4), torch.tensor([7, 1])
    W_query, W_key, W_value = torch.randn(6, 5), torch.randn(4, 5), torch.randn(4, 8)
    wanted = attention(inputs @ W_query, memory @ W_key, memory @ W_value, padding_mask(lengths, 7))[0]
    given = read_memory(inputs, memory, W_query, W_key, W_value, lengths)
    expect_tensor(given, wanted, "read_memory with 3 queries and 7 keys of another size")


LAYERS = {"W_query": "d_model", "W_key": "d_memory", "W_value": "d_memory"}  # and whose features each one reads


@exercise
def check_cross_attention(CrossAttention):
    """the inputs ask, the memory answers, each with features of its own, and all three layers can learn."""
    uneven, layer = (_built(CrossAttention, d_model=6, d_memory=size, d_out=7) for size in (4, 6))
    inputs, memory = torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    _compare(_called(layer, inputs, memory), layer, inputs, memory, None, "with 5 queries and 5 keys")
    mask = (torch.rand(2, 5, 5) < 0.5) | torch.eye(5, dtype=torch.bool).roll(1, dims=0)  # nobody is left with nothing
    _compare(layer(inputs, memory, mask), layer, inputs, memory, mask, "with a mask")
    inputs, memory = torch.randn(3, 6), torch.randn(8, 4)
    given, doing = uneven(inputs, memory), "with 3 queries of 6 features and 8 keys of 4, and no batch"
    _compare(given, uneven, inputs, memory, None, doing)
    context = given[0]
    expect(context.requires_grad, "the context has no gradient, so nothing can learn: leave out detach and no_grad")
    context.square().sum().backward()
    for name in LAYERS:
        grad = getattr(uneven, name).weight.grad
        expect(grad is not None, f"{name} gets no gradient, so it cannot learn: leave out detach, no_grad and .data")


def _built(kind, **sizes):
    """Make the module, look at its layers, and give them numbers that tell one mistake from another."""
    d_model, d_memory, d_out = sizes.values()
    doing = f"CrossAttention({d_model}, {d_memory}, {d_out})"
    try:
        layer = kind(d_model, d_memory, d_out)
    except AttributeError as error:
        expect("before Module.__init__() call" not in str(error), "begin __init__ with super().__init__()")
        raise
    expect(layer is not None, f"{doing} gives None; did you forget `return`?")
    given = type(layer).__name__
    expect(isinstance(layer, nn.Module), f"{doing} gives a {given}, but a module was expected: class ...(nn.Module)")
    for name, reads in LAYERS.items():
        found = getattr(layer, name, None)
        expect(found is not None, f"there is no layer self.{name}; make the three layers in __init__")
        is_layer = isinstance(found, nn.Linear)
        expect(is_layer, f"{name} is a {type(found).__name__}; make it an nn.Linear, whose weight an optimizer finds")
        expect(found.bias is None, f"{name} has a bias; write bias=False")
        shape = found.in_features, found.out_features
        whose = "reads the inputs" if reads == "d_model" else "reads the memory"
        expect(
            shape == (sizes[reads], d_out),
            f"{name} {whose}, so it is nn.Linear({reads}, d_out): ({sizes[reads]}, {d_out}) here, but it is {shape}",
        )
        nn.init.normal_(found.weight, std=0.4)
    return layer


def _called(layer, *given):
    try:
        return layer(*given)
    except NotImplementedError as error:
        unwritten = "now write the method forward(self, inputs, memory, mask=None)"
        raise Mistake(f"the layers are right; {unwritten}") from error


def _compare(given, layer, inputs, memory, mask, doing):
    """Compare what forward gives with PyTorch's own attention, and name what went wrong."""
    context, weights = expect_parts(given, ("context", "weights"), f"forward {doing}")
    query, key, value = layer.W_query(inputs), layer.W_key(memory), layer.W_value(memory)
    right, raw = F.scaled_dot_product_attention(query, key, value, mask), scores(query, key)
    right_weights = attention(query, key, value, mask)[1]
    if isinstance(context, torch.Tensor) and isinstance(weights, torch.Tensor):
        turned = context.shape == right_weights.shape and weights.shape == right.shape
        expect(not turned or context.shape == weights.shape, "the order is: context first, then the weights")
    inputs_wrong = {
        message: (*reading, mask) for message, reading in readings(query, key, value, inputs.shape[-1]).items()
    }
    if mask is not None:
        inputs_wrong |= {IGNORED: (query, key, value), INVERTED: (query, key, value, ~mask)}
        inputs_wrong["the mask lies on its side: rows are queries, columns are keys"] = query, key, value, mask.mT
    if inputs.shape == memory.shape:
        of_memory, keys, values = layer.W_query(memory), layer.W_key(inputs), layer.W_value(inputs)
        inputs_wrong |= {
            "the keys come from the inputs; what is found is in the memory": (query, keys, value, mask),
            "the values come from the inputs; what is handed over is in the memory": (query, key, values, mask),
            "the sequences are exchanged: the inputs ask, the memory answers": (of_memory, keys, values, mask),
            "the inputs read themselves; the memory is not used": (query, keys, values, mask),
            "the memory reads itself; the inputs must ask": (of_memory, key, value, mask),
        }
    both = {message: attention(*wrong) for message, wrong in inputs_wrong.items()}
    wrong_weights = {COLUMNS: torch.softmax(raw, -2)}
    wrong_weights |= given_by(MASKED, raw, mask) if mask is not None else {}
    both |= {message: (wrong @ value, wrong) for message, wrong in wrong_weights.items()}
    expect_tensor(context, right, f"the context of forward {doing}", {why: wrong for why, (wrong, _) in both.items()})
    mistakes = {NO_SOFTMAX: raw} | {why: wrong for why, (_, wrong) in both.items()}
    expect_tensor(weights, right_weights, f"the weights of forward {doing}", mistakes)
