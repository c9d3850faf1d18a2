"""Checks of the exercises in notebook 09 (multi-head attention)."""

import functools

import torch
from torch import nn

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_kind, explained
from companion.checks.modules import expect_linear, expect_module, expect_trainable, made_module
from companion.course_answers import head_removed
from companion.slips import slips
from companion.worlds.which_minute import two_questions
from utils.attention import causal_mask, masked_softmax, merge_heads, padding_mask, scores, split_heads

AXES = "the number of axes is fixed, but there may be none or several in front of these: count from the end. {error}"
FROM_THE_END = dict.fromkeys(("to unpack", "number of dimensions", "Dimension out of range"), AXES)
ONE_SIZE = "these sizes fit one example only, and view alone would mix the tokens: "
SPLIT_STOPS = {
    "float": "d_model / num_heads gives a float, and sizes are whole numbers: write // in place of /",
    **FROM_THE_END,
    "don't multiply up": "{error}: num_heads times head_dim is d_model; -1 in place of a size finds it",
    "is invalid for input": f"{ONE_SIZE}cut the last axis in two, then exchange tokens and heads. {{error}}",
}
MERGE_STOPS = FROM_THE_END | {
    "is invalid for input": f"{ONE_SIZE}exchange heads and tokens, then join the last two axes. {{error}}",
    "view size": "after transpose the numbers lie in another order, which view refuses: flatten or reshape copies them",
}
FRONT = "counts from the front, which does not fit every batch: count from the end, -3 and -2"
SPLITS = {  # {message: what a wrong split_heads has instead}
    **known.SPLIT,
    "the axes are (..., tokens, heads, head_dim) still: exchange tokens and heads": {".transpose(-3, -2)": ""},
    f"transpose(0, 1) {FRONT}": {"-3, -2": "0, 1"},
    f"transpose(1, 2) {FRONT}": {"-3, -2": "1, 2"},
    "num_heads and head_dim are exchanged: there are num_heads heads": {"(num_heads, -1)": "(-1, num_heads)"},
}


@compared_with(split_heads, SPLITS, SPLIT_STOPS)
def check_split_heads(split_heads):
    """each head has its own features of every token."""
    for shape, num_heads in (((2, 1, 3, 6), 2), ((5, 12), 3)):  # first a batch, which parts 1, 2 and -2, -1
        yield f"split_heads of {shape} into {num_heads} heads", (torch.randn(shape), num_heads)


MERGES = {  # {message: what a wrong merge_heads has instead}
    **known.JOINED,
    "the last two axes are joined, but tokens and heads must change places first": {".transpose(-3, -2)": ""},
    f"transpose(0, 1) {FRONT}": {"-3, -2": "0, 1"},
    f"transpose(1, 2) {FRONT}": {"-3, -2": "1, 2"},
}


@compared_with(merge_heads, MERGES, MERGE_STOPS)
def check_merge_heads(merge_heads):
    """every token has its features back, in their order."""
    for shape in ((2, 1, 2, 3, 6), (3, 5, 4)):  # first a batch, which parts 1, 2 and -2, -1
        yield f"merge_heads of {shape}", (torch.randn(shape),)


class RightHeads(two_questions.ManyHeads):
    """Multi-head attention in short."""

    def forward(self, inputs, mask=None):
        """Return output (..., tokens, d_model) and weights (..., heads, tokens, tokens)."""
        layers = self.W_query, self.W_key, self.W_value
        query, key, value = (split_heads(layer(inputs), self.num_heads) for layer in layers)
        weights = masked_softmax(scores(query, key), mask)
        return self.W_output(merge_heads(weights @ value)), weights


HEAD_SLIPS = {  # {message: what a wrong reading of several heads has instead}
    **{message: {"split_heads": wrong} for message, wrong in known.SPLIT.items()},
    **{message: {"scores": wrong} for message, wrong in known.SCALED.items()},
    "divided by the root of d_model: each head has head_dim features": {
        "(query, key)": "(query / query.shape[-3] ** 0.5, key)"
    },
    "query and key are exchanged; the query comes first": {"(query, key)": "(key, query)"},
    "key and value are exchanged; the value comes last": {"query, key, value =": "query, value, key ="},
}
WHOLE_VALUE = "the value is not split: query, key and value are all cut into heads"
NO_HEADS = "merge got a context without an axis of heads: is `split` used on query, key and value?"
UNCUT = "the weights have no axis of heads: `split` query, key and value, and `merge` the contexts"
AS_IT_IS = "hand the mask on as it is, None included: it broadcasts over the heads, without unsqueeze. {error}"
MANY_STOPS = {
    **dict.fromkeys(("needs at least 3 axes", "(expected at least 3, got 2)"), NO_HEADS),
    "but value has": WHOLE_VALUE,
    **dict.fromkeys(("mask has", "'NoneType' object", "size of tensor a"), AS_IT_IS),
}
MANY_SLIPS = {  # {message: what a wrong ManyHeads has instead}
    known.IGNORED: {", mask)": ")"},
    known.INVERTED: {", mask)": ", mask if mask is None else ~mask)"},
    NO_HEADS: {"split_heads(layer(inputs), self.num_heads)": "layer(inputs)"},
    UNCUT: {"split_heads(layer(inputs), self.num_heads)": "layer(inputs)", "merge_heads": ""},
    "the heads of a token attend to each other: exchange tokens and heads": {
        "split_heads(layer(inputs), self.num_heads)": "layer(inputs).unflatten(-1, (self.num_heads, -1))",
        "merge_heads(weights @ value)": "(weights @ value).flatten(-2)",
    },
    **HEAD_SLIPS,
    **{f"after attention, {message}": {"merge_heads": wrong} for message, wrong in known.JOINED.items()},
    "W_output is made, but not used: hand the merged contexts to it": {"self.W_output": ""},
}
MANY = slips(RightHeads, MANY_SLIPS)


@exercise(mistakes=MANY)
def check_many_heads(ManyHeads):
    """each head attends in its own features, and W_output mixes what they found."""
    layers = dict.fromkeys(("W_query", "W_key", "W_value", "W_output"), ("d_model", "d_model"))
    for d_model, num_heads in ((12, 3), (6, 2)):
        module = made_module(ManyHeads, "ManyHeads", d_model, num_heads)
        expect_linear(module, layers, {"d_model": d_model}, bias=True)
        for name in layers:
            getattr(module, name).register_forward_pre_hook(functools.partial(_expect_whole, name))
        sentence, batch = torch.randn(7, d_model), torch.randn(2, 7, d_model)
        doing = f"ManyHeads{d_model, num_heads} of"
        cases = {
            f"{doing} a sentence": (sentence,),
            f"{doing} a sentence and a causal mask": (sentence, causal_mask(7)),
            f"{doing} a batch and padding, a mask (2, 1, 1, 7)": (batch, padding_mask([7, 3], 7)[:, None]),
        }
        with explained(MANY_STOPS):
            expect_module(module, two_questions.ManyHeads, (d_model, num_heads), cases, MANY, ("output", "weights"))
    expect_trainable(module, module(sentence)[0])


def _expect_whole(name, layer, inputs):
    """Say what is missing before a layer that got the features of one head."""
    size, merged = inputs[0].shape[-1], "merge the contexts before it, not after it"
    advice = merged if name == "W_output" else "split what it gives, not what it reads"
    expect(size == layer.in_features, f"{name} reads {layer.in_features} features and got {size}: {advice}")


SILENCED = {  # {message: what a wrong without_head has instead}
    "nothing has changed: return the changed copy": {".zero_()": ""},
    "these are rows of W_output.weight, (out, in): what it reads from the head are columns, [:, ...]": {
        "narrow(1,": "narrow(0,"
    },
    "W_value has a bias, too, which the head still adds: change W_output": {
        "module.W_output.weight.narrow(1,": "module.W_value.weight.narrow(0,"
    },
}
SILENCED_STOPS = {
    "leaf Variable": "change the numbers of a layer inside `with torch.no_grad():`",
    "no attribute 'head_dim'": "your module keeps num_heads only: a head has d_model // num_heads columns",
}


def _output(without_head, module, head, inputs):
    return without_head(module, head)(inputs)[0]


@compared_with(head_removed, SILENCED, SILENCED_STOPS, measure=_output)
def check_without_head(without_head):
    """this head adds nothing, the others add what they did, and the module that was given is as it was."""
    module, inputs = two_questions.ManyHeads(12, 3), torch.randn(2, 5, 12)
    del module.head_dim  # which the reader's own has not
    before = nn.utils.parameters_to_vector(module.parameters()).detach().clone()
    for head in (1, 2):
        doing = f"without_head(module, {head})"
        expect_kind(without_head(module, head), nn.Module, doing, "a module, a changed copy,")
        same = torch.equal(nn.utils.parameters_to_vector(module.parameters()), before)
        expect(same, "the module that was given has changed: change a copy of it, copy.deepcopy(module)")
        yield f"the output of {doing}", (module, head, inputs)
