"""Checks of the assignment a3_many_heads_two_sequences: the heads, joined again, and one sequence that reads itself."""

import torch

from classroom.checks.a3_many_heads_two_sequences.known_module import LAYERS, MODULE, Module
from classroom.checks.graded import expect_trained, graded, make_module, own_weights
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import JOINED, LOST, SPLIT, given_by
from utils.attention import merge_heads, split_heads


@graded
def check_split_heads(student, draw):
    """each head has its own features of every token."""
    batch, tokens, num_heads, head_dim = draw.sizes(4, low=2, high=7)
    for sentences in (tokens, batch):  # first as many sentences as tokens, so that exchanged axes fit, too
        features = draw.normal(sentences, tokens, num_heads * head_dim)
        given = student.call("split_heads", features, num_heads)
        right = split_heads(features, num_heads)
        mistakes = given_by(SPLIT, features, num_heads) | {
            "the heads must stand before the tokens: transpose axes 1 and 2": right.transpose(1, 2),
            "head_dim stands before the tokens; it is the last axis": right.transpose(2, 3),
            "batch and tokens are exchanged: axis 0 is the batch, and stays in front": split_heads(
                features.transpose(0, 1), num_heads
            ),
        }
        doing = f"split_heads of {tuple(features.shape)} into {num_heads} heads"
        expect_tensor(given, right, doing, mistakes)


@graded
def check_merge_heads(student, draw):
    """the heads lie side by side again, token by token."""
    sizes = draw.sizes(4, low=2, high=7)
    for heads in (sizes[2], sizes[1]):  # then as many heads as tokens
        context = draw.normal(sizes[0], heads, sizes[2], sizes[3])
        right = merge_heads(context)
        mistakes = given_by(JOINED, context) | {
            "the heads are added up; they are laid side by side": context.sum(1),
            "the heads are averaged; they are laid side by side": context.mean(1),
        }
        doing = f"merge_heads of {tuple(context.shape)}"
        expect_tensor(student.call("merge_heads", context), right, doing, mistakes)


@graded
def check_parameters(student, draw):
    """four layers with a bias each, and every head starts from its own numbers."""
    num_heads, head_dim = draw.sizes(2, low=2, high=5)
    size = num_heads * head_dim
    made, other = (make_module(student, MODULE, size, num_heads) for _ in range(2))
    first, second = made.values(), other.values()
    for name in LAYERS:
        for place, wanted in ((f"{name}.weight", (size, size)), (f"{name}.bias", (size,))):
            expect(place in first, f"the module has no {place}; make {name} = nn.Linear(d_model, d_model)")
            shape = tuple(first[place].shape)
            expect(shape == wanted, f"{place} has shape {shape}, but {wanted} was expected")
        weight = first[f"{name}.weight"]
        twins = not close(weight, second[f"{name}.weight"])
        expect(twins, "two modules start from the same numbers: set no seed inside __init__")
        heads = weight.reshape(num_heads, head_dim, size)
        expect(not close(heads[0], heads[1]), f"two heads of {name} start from the same numbers: set no seed for each")
    expect_trained(made, [f"{name}.{part}" for name in LAYERS for part in ("weight", "bias")], draw.normal(2, 4, size))
    weights = [first[f"{name}.weight"] for name in LAYERS]
    equal = any(close(weights[i], weights[j]) for i in range(4) for j in range(i))
    expect(not equal, "two of the layers start from the same numbers: make each anew, and set no seed")


def _check_weights(student, draw, of):
    num_heads, head_dim, batch, tokens = draw.sizes(4, low=2, high=7)
    for sentences in (tokens, batch):  # first as many sentences as tokens, so that exchanged axes fit, too
        module = Module(student, draw, num_heads, head_dim)
        inputs = draw.normal(sentences, tokens, module.d_model)
        _, given = module(inputs)
        module.expect_weights(given, inputs, inputs, of)


@graded
def check_weights_rows(student, draw):
    """each head's queries share their own attention among the keys, whatever the scale."""
    _check_weights(student, draw, "rows")


@graded
def check_weights_scale(student, draw):
    """each head's scores are divided by the square root of head_dim."""
    _check_weights(student, draw, "scale")


@graded
def check_context(student, draw):
    """each head mixes its own values, and the heads are joined in order."""
    num_heads, head_dim, batch, tokens = draw.sizes(4, low=2, high=7)
    module = Module(student, draw, num_heads, head_dim, plain_output=True)
    inputs = draw.normal(batch, tokens, module.d_model)
    output, weights = module(inputs)

    def mistakes(weights):
        value, others = module.project("W_value", inputs), module.slips("W_value", inputs)
        others["the keys are mixed; the weights must mix the values"] = module.project("W_key", inputs)
        others["the queries are mixed; the weights must mix the values"] = module.project("W_query", inputs)
        others["the inputs are mixed; project them with W_value first"] = inputs
        parts = {fault: split_heads(features, num_heads) for fault, features in others.items()}
        parts |= given_by(SPLIT, value, num_heads)
        joined = {fault: merge_heads(weights @ each) for fault, each in parts.items()}
        value = split_heads(value, num_heads)
        joined |= {fault: merge_heads(wrong @ value) for fault, wrong in given_by(LOST, weights.log()).items()}
        return joined | given_by(JOINED, weights @ value)

    weights = own_weights(weights, module.weights(inputs, inputs))
    doing = f"the output with {num_heads} heads, when W_output changes nothing,"
    module.expect_output(output, weights, inputs, doing, mistakes)


@graded
def check_output_projection(student, draw):
    """W_output comes last, once, and with its bias."""
    num_heads, head_dim, batch = draw.sizes(3, low=2, high=7)
    module = Module(student, draw, num_heads, head_dim)
    inputs = draw.normal(batch, 1, module.d_model)  # one token reads itself: nothing else can go wrong
    output, weights = module(inputs)

    def mistakes(weights):
        joined = next(module.contexts(weights, inputs))
        once = module.project("W_output", joined)
        return {
            "W_output is missing: the joined heads go through it": joined,
            "W_output is applied twice": module.project("W_output", once),
            "the inputs are added; that comes around attention, not in it": once + inputs,
        } | {f"W_output: {fault}": wrong for fault, wrong in module.slips("W_output", joined).items()}

    weights = own_weights(weights, module.weights(inputs, inputs))
    module.expect_output(output, weights, inputs, "the output of one token", mistakes)
    _expect_projected_last(student, draw, num_heads, head_dim, batch)


def _expect_projected_last(student, draw, num_heads, head_dim, batch):
    """Judge W_output among several tokens by what the same module gives when W_output changes nothing."""
    module = Module(student, draw, num_heads, head_dim)
    tokens = draw.randint(3, 6)
    inputs = draw.normal(batch, tokens, module.d_model)
    output, weights = module(inputs)
    early = module.project("W_output", module.project("W_value", inputs))
    matrix, bias = module.layers["W_output"]
    module.hand_on("W_output")
    joined, _ = module(inputs)
    if not isinstance(joined, torch.Tensor) or joined.shape != inputs.shape:  # charged by check_context
        return
    right = joined.to(matrix.dtype) @ matrix + bias
    if not close(output, right):
        weights = own_weights(weights, module.weights(inputs, inputs))
        early = any(close(output, context) for context in module.mixed(weights, early))
        expect(not early, "W_output comes after the heads are mixed and joined, not on the values")
        expect_tensor(output, right, f"the output of {tokens} tokens with {num_heads} heads")
