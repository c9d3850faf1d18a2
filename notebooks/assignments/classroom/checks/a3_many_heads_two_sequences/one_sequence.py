"""Checks of the assignment a3_many_heads_two_sequences: the heads, joined again, and one sequence that reads itself."""

import torch

from classroom.checks.graded import Inputs, Student, graded
from classroom.checks.shared import expect_own_numbers, expect_trained, make_module
from companion.checks.feedback import expect, expect_tensor, is_close
from companion.mistakes import JOINED, SPLIT, given_by
from utils.attention import merge_heads, split_heads

from .known_module import ADDED, BIASES, HEADS, MODULE, ROWS, WEIGHTS, KnownModule, make_classes, make_steps


@graded(of="split_heads", mistakes=SPLIT)
def check_split_heads(student: Student, fresh: Inputs):
    """each head has its own features of every token."""
    batch, tokens, num_heads, head_dim = fresh.sizes(4, low=2, high=7)
    inputs = fresh.normal(batch, tokens, num_heads * head_dim), num_heads
    doing = f"split_heads of {tuple(inputs[0].shape)} into {num_heads} heads"
    expect_tensor(student.call("split_heads", *inputs), split_heads(*inputs), doing, given_by(SPLIT, *inputs))


@graded(of="merge_heads", mistakes=JOINED)
def check_merge_heads(student: Student, fresh: Inputs):
    """the heads lie side by side again, token by token."""
    context = fresh.normal(*fresh.sizes(4, low=2, high=7))
    doing = f"merge_heads of {tuple(context.shape)}"
    expect_tensor(student.call("merge_heads", context), merge_heads(context), doing, given_by(JOINED, context))


@graded
def check_parameters(student: Student, fresh: Inputs):
    """four layers with a bias each, and every head starts from its own numbers."""
    num_heads, head_dim = fresh.sample(range(2, 6), 2)
    size = num_heads * head_dim
    module, twin = (make_module(student, MODULE, size, num_heads) for _ in range(2))
    values, twin_values = module.values(), twin.values()
    for parameter in (*WEIGHTS, *BIASES):
        name, kind = parameter.split(".")
        expect(parameter in values, f"the module has no {parameter}; make {name} = nn.Linear(d_model, d_model)")
        shape, expected = tuple(values[parameter].shape), (size, size) if kind == "weight" else (size,)
        expect(shape == expected, f"{parameter} has shape {shape}, but {expected} was expected")
    for parameter in WEIGHTS:
        heads, name = values[parameter].reshape(num_heads, head_dim, size), parameter.split(".")[0]
        expect(
            not is_close(heads[0], heads[1]), f"two heads of {name} start from the same numbers: set no seed for each"
        )
    expect_own_numbers(values, twin_values, WEIGHTS)
    expect_trained(module, [*WEIGHTS, *BIASES], fresh.normal(2, 4, size))


def _check_weights(student: Student, fresh: Inputs, part: str):
    num_heads, head_dim, tokens = fresh.sizes(3, low=2, high=7)
    module = KnownModule(student, fresh, num_heads, head_dim, any_order=part != "rows")
    inputs = fresh.normal(tokens, tokens, module.d_model)  # as many sentences as tokens, so that exchanged axes fit
    _, weights = module(inputs)
    module.expect_weights(weights, inputs, inputs, part)


@graded(of=MODULE, mistakes=make_classes(ROWS), right=HEADS)
def check_weights_rows(student: Student, fresh: Inputs):
    """each head's queries share their own attention among the keys, whatever the scale."""
    _check_weights(student, fresh, "rows")


@graded(right=HEADS)
def check_weights_scale(student: Student, fresh: Inputs):
    """each head's scores are divided by the square root of head_dim."""
    _check_weights(student, fresh, "scale")


@graded(of=MODULE, mistakes=make_classes(make_steps("join", JOINED)), right=HEADS)
def check_context(student: Student, fresh: Inputs):
    """each head mixes its own values, and the heads are joined in order."""
    num_heads, head_dim, batch, tokens = fresh.sizes(4, low=2, high=7)
    module = KnownModule(student, fresh, num_heads, head_dim, plain_output=True)
    module.expect_values(fresh.normal(batch, tokens, module.d_model))


@graded(right=HEADS)
def check_output_projection(student: Student, fresh: Inputs):
    """W_output comes last, once, and with its bias."""
    num_heads, head_dim, batch, tokens = fresh.sizes(4, low=2, high=7)
    module = KnownModule(student, fresh, num_heads, head_dim)
    inputs = fresh.normal(batch, tokens, module.d_model)
    output, _ = module(inputs)
    weight_and_bias = module.layers["W_output"]
    module.hand_on("W_output")
    joined, _ = module(inputs)  # what is wrong with these is charged by other checks
    module.layers["W_output"] = weight_and_bias
    if not isinstance(joined, torch.Tensor) or joined.shape != inputs.shape:
        return

    def mistakes():
        wrong_outputs = module.wrong_features("W_output", joined)
        return {
            "W_output is missing: the joined heads go through it": joined,
            ADDED: module.project("W_output", joined - inputs) + inputs,
            **{f"W_output: {fault}": wrong for fault, wrong in wrong_outputs.items()},
            **wrong_outputs,
        }

    doing = f"the output of {tokens} tokens with {num_heads} heads"
    expect_tensor(output, module.project("W_output", joined), doing, mistakes)
