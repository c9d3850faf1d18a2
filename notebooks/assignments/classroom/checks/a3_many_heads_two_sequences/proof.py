"""Checks of the assignment a3_many_heads_two_sequences: copies into PyTorch's module, and the proof that both agree."""

import torch
from torch import nn

from classroom.checks.a3_many_heads_two_sequences.known_module import BIASES, LAYERS, MODULE, WEIGHTS, Right
from classroom.checks.graded import Inputs, Student, graded
from classroom.checks.shared import load_projections, make_module
from classroom.code_cells import note_uses
from companion.checks.feedback import Mistake, expect, expect_kind, expect_tensor, is_close

APART = "compare outputs and each head's own weights: ask theirs for average_attn_weights=False, take the larger number"


def _copy_weights(student: Student, fresh: Inputs):
    """Return ours as {layer: (matrix (in, out), bias)}, the values of PyTorch's before and after the copy, and the
    names of those that change when ours get others later."""
    num_heads, head_dim = fresh.sizes(2, low=2, high=5)
    size = num_heads * head_dim
    ours = make_module(student, MODULE, size, num_heads)
    layers = load_projections(ours, fresh, dict.fromkeys(LAYERS, (size, size)))
    theirs = student.make("torch.nn.MultiheadAttention", size, num_heads, batch_first=True)
    before = theirs.values()
    student.call("copy_weights_to_torch", ours, theirs)
    after = theirs.values()
    load_projections(ours, fresh, dict.fromkeys(LAYERS, (size, size)))
    shared = [name for name, value in theirs.values().items() if name in after and not is_close(value, after[name])]
    return layers, before, after, shared


def _expect_copied(before, after, shared, name, right, mistakes=None):
    not_copied = {f"{name} is unchanged: copy the numbers of ours into theirs": before[name]}
    expect_tensor(after.get(name), right, f"{name} after the copy", not_copied | (mistakes or {}))
    expect(name not in shared, f"theirs shares numbers with ours: copy them ({name})")


@graded
def check_copy_in(student: Student, fresh: Inputs):
    """query, key and value stand in in_proj_weight and in_proj_bias, in this order."""
    layers, *copied = _copy_weights(student, fresh)
    matrices, biases = zip(*(layers[name] for name in LAYERS[:3]))
    weights = [matrix.T for matrix in matrices]  # PyTorch's layers keep (out, in)
    turned = {"the weights are transposed; both modules keep (out, in)": torch.cat(matrices)}
    _expect_copied(*copied, "in_proj_weight", torch.cat(weights), turned)
    _expect_copied(*copied, "in_proj_bias", torch.cat(biases))


@graded
def check_copy_out(student: Student, fresh: Inputs):
    """W_output is out_proj."""
    layers, *copied = _copy_weights(student, fresh)
    matrix, bias = layers["W_output"]
    turned = {"out_proj.weight is transposed; both modules keep (out, in)": matrix}
    _expect_copied(*copied, "out_proj.weight", matrix.T, turned)
    _expect_copied(*copied, "out_proj.bias", bias)


def note_code(sources: list[str]) -> list[str]:
    """Note a module that is PyTorch's own: the proof compares with that one."""
    return note_uses(sources, [MODULE], r"\b(?:nn\.)?MultiheadAttention\b|\bmulti_head_attention_forward\b")


def _largest(*gaps):
    return max(gap.abs().max() for gap in gaps)


def _prove_by(compare=_largest, alone=False, masks=lambda mask: (mask, mask)):
    """Return a largest_difference that gives compare(gaps of the outputs, gaps of the weights). alone: whether it
    forgets the second sequence; masks: what ours and theirs get of the mask, in our meaning of True."""

    def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
        memory = query_input if alone or key_value_input is None else key_value_input
        our_mask, their_mask = masks(mask)
        hidden = None if their_mask is None else ~their_mask
        with torch.no_grad():
            output, weights = ours(query_input, memory, mask=our_mask)
            theirs = theirs(query_input, memory, memory, attn_mask=hidden, average_attn_weights=False)
        return compare(output - theirs[0], weights - theirs[1])

    return largest_difference


RIGHT = _prove_by()
COMPARISONS = {  # {fault: a wrong largest_difference}
    APART: _prove_by(lambda outputs, weights: _largest(outputs)),
    "the sign is left in: take .abs() before .max()": _prove_by(lambda *gaps: max(gap.max() for gap in gaps)),
    "the sign is left in, of theirs less ours: take .abs() before .max()": (
        _prove_by(lambda *gaps: max(-gap.min() for gap in gaps))
    ),
    "this is the average difference; take the largest": _prove_by(lambda *gaps: max(gap.abs().mean() for gap in gaps)),
}
FORGOTTEN = {"key_value_input is not used: hand it to ours, and twice to theirs": _prove_by(alone=True)}
CALLS = {
    "theirs got the mask as it is; there True means 'may not attend': hand over ~mask": (
        _prove_by(masks=lambda mask: (mask, mask if mask is None else ~mask))
    ),
    "only ours got the mask": _prove_by(masks=lambda mask: (mask, None)),
    "neither got the mask": _prove_by(masks=lambda mask: (None, None)),
}


def _make_pairs(fresh: Inputs):
    """Yield four times a right module of ours, PyTorch's with the same weights but what is spoilt, and two sequences.

    Spoilt are outputs alone, by some 10 or -10, or the order of the heads, and so their weights, but no output.
    """
    for spoil in fresh.sample([0, 10, -10, "heads"], 4):
        num_heads, head_dim, batch = fresh.sample(range(2, 5), 3)
        tokens, others = fresh.sample(range(5, 9), 2)  # under a mask, fewer would leave a query nothing to choose from
        size = num_heads * head_dim
        with torch.random.fork_rng(devices=[]):  # the student's own random numbers must not change
            ours, theirs = Right(size, num_heads), nn.MultiheadAttention(size, num_heads, batch_first=True)
        weights, biases = fresh.normal(4, size, size) / size**0.5, fresh.normal(4, size)
        ours.load_state_dict(dict(zip(WEIGHTS, weights)) | dict(zip(BIASES, biases)))
        if spoil == "heads":
            order = torch.arange(size).view(num_heads, head_dim).roll(1, 0).flatten()
            weights[:3], biases[:3], weights[3] = weights[:3, order], biases[:3, order], weights[3][:, order]
        elif spoil:
            weights[3] += fresh.normal(size, size) / 2
            biases[3] += spoil
        joined = {"in_proj_weight": weights[:3].flatten(0, 1), "in_proj_bias": biases[:3].flatten()}
        theirs.load_state_dict(joined | {"out_proj.weight": weights[3], "out_proj.bias": biases[3]})
        yield ours, theirs, fresh.normal(batch, tokens, size), fresh.normal(batch, others, size)


@graded(of="largest_difference", mistakes=COMPARISONS)
def check_difference(student: Student, fresh: Inputs):
    """what differs in the outputs shows, and so does what differs in one head's weights."""
    _expect_differences(student, [(*pair[:3], None, None) for pair in _make_pairs(fresh)], COMPARISONS)


@graded(of="largest_difference", mistakes=FORGOTTEN)
def check_difference_cross(student: Student, fresh: Inputs):
    """two sequences go the same way into both modules."""
    _expect_differences(student, [(*pair, None) for pair in _make_pairs(fresh)], FORGOTTEN, charged=COMPARISONS)


@graded(of="largest_difference", mistakes=CALLS)
def check_difference_mask(student: Student, fresh: Inputs):
    """one mask, and each module gets it in its own meaning of True."""
    trials = []
    for ours, theirs, inputs, _ in _make_pairs(fresh):
        # Of one length: an answer that forgets the other sequence sees no error.
        others, itself = fresh.normal(*inputs.shape) if len(trials) % 2 else None, torch.eye(inputs.shape[1]) == 1
        # Each query may see its own place and not the one before: the opposite mask has no empty row, either.
        mask = (itself | (fresh.normal(*itself.shape) > 0)) & ~itself.roll(1, 0)
        trials.append((ours, theirs, inputs, others, mask))
    _expect_differences(student, trials, CALLS, COMPARISONS | FORGOTTEN)


def _expect_differences(student: Student, trials: list[tuple], mistakes: dict, charged: dict | None = None):
    """Judge a number for each trial, the arguments of largest_difference. mistakes: {fault: function}; a fault must
    explain all numbers, as one alone may have several causes; charged: those that another check charges."""
    numbers = [_number(student.call("largest_difference", *trial)) for trial in trials]

    def misses(function):
        pairs = [(number, function(*trial)) for number, trial in zip(numbers, trials)]
        return [pair for pair in pairs if not is_close(*pair)]

    if not all(map(misses, [RIGHT, *(charged or {}).values()])):
        return
    for fault, function in mistakes.items():
        expect(misses(function), fault)
    number, right = misses(RIGHT)[0]
    pair = "agree" if right < 1e-5 else "differ"
    raise Mistake(f"largest_difference gives {number:.3g} for two modules that {pair}, but {right:.3g} was expected")


def _number(answer):
    """Return what largest_difference gives, as a tensor without axes."""
    expect_kind(answer, (int, float, torch.Tensor), "largest_difference", "one number")
    number = torch.as_tensor(answer, dtype=torch.float64)
    expect(number.ndim == 0, "largest_difference gives several numbers; return the largest of all differences")
    return number
