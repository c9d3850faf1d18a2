"""Checks of the exercises in notebook 08 (multi-head attention)."""

import functools

import torch
from torch import nn

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_like, explained
from companion.which_minute import two_questions
from utils import attention as course

AXES = "the number of axes is fixed, but there may be none or several in front of these: count from the end. {error}"
FROM_THE_END = dict.fromkeys(("to unpack", "number of dimensions", "Dimension out of range"), AXES)
FLOAT = "d_model / num_heads gives a float, and sizes are whole numbers: write // in place of /"
ONE_SIZE = "these sizes fit one example only, and view alone would mix the tokens: "
LAST_TWO = "transpose(-2, -1) exchanges the last two axes"
IN_SPLIT = {"got float": FLOAT, "'float'": FLOAT} | FROM_THE_END
IN_SPLIT["don't multiply up"] = "{error}: num_heads times head_dim is d_model; -1 in place of a size finds it"
IN_SPLIT["is invalid for input"] = f"{ONE_SIZE}cut the last axis in two, then exchange tokens and heads. {{error}}"
IN_MERGE = FROM_THE_END | {
    "is invalid for input": f"{ONE_SIZE}exchange heads and tokens, then join the last two axes. {{error}}",
    "view size": "after transpose the numbers lie in another order, which view refuses: flatten or reshape copies them",
}

WHOLE_VALUE = "the value is not split: query, key and value are all cut into heads"
NO_HEADS = "merge got a context without an axis of heads: is `split` used on query, key and value?"
AS_IT_IS = "hand the mask on as it is, None included: it broadcasts over the heads, without unsqueeze. {error}"
IN_MANY = {
    "but got -3": NO_HEADS,
    "not enough values to unpack (expected at least 3, got 2)": NO_HEADS,
    "but value has": WHOLE_VALUE,
    "mask has": AS_IT_IS,
    "'NoneType' object has no attribute 'unsqueeze'": AS_IT_IS,
    "'NoneType' object is not subscriptable": AS_IT_IS,
    "doesn't match the broadcast shape": AS_IT_IS,
    "size of tensor a (3) must match the size of tensor b (7)": AS_IT_IS,  # heads and queries
    "size of tensor a (7) must match the size of tensor b (3)": AS_IT_IS,
}


def _cut(features, num_heads):
    return features.unflatten(-1, (num_heads, -1))  # (..., tokens, heads, head_dim)


@exercise(
    mistakes={
        **known.SPLIT,
        "the features are cut, but the axes are (..., tokens, heads, head_dim): exchange tokens and heads": _cut,
        "transpose(0, 1) counts from the front, which fits no batch: count from the end, -3 and -2": (
            lambda features, num_heads: _cut(features, num_heads).transpose(0, 1)
        ),
        "transpose(1, 2) counts from the front, which fits one batch axis only: count from the end, -3 and -2": (
            lambda features, num_heads: _cut(features, num_heads).transpose(1, 2)
        ),
        f"{LAST_TWO}, and tokens and heads, which must change places, stand at -3 and -2 by then": (
            lambda features, num_heads: _cut(features, num_heads).transpose(-2, -1)
        ),
        "the tokens are counted from the front, which takes a batch for tokens: cut the last axis only": (
            lambda features, num_heads: features.reshape(len(features), num_heads, -1).transpose(0, 1)
        ),
        "view mixes tokens, and sentences, too: cut the last axis alone, then transpose tokens and heads": (
            lambda features, num_heads: features.view(num_heads, features.shape[-2], -1)
        ),
        "the heads are stacked in front of the batch: the axis of the heads is -3": (
            lambda features, num_heads: torch.stack(features.chunk(num_heads, -1))
        ),
        "num_heads and head_dim are exchanged: there are num_heads heads": (
            lambda features, num_heads: course.split_heads(features, features.shape[-1] // num_heads)
        ),
        "the last two axes are exchanged, too: head_dim comes last": (
            lambda features, num_heads: course.split_heads(features, num_heads).mT
        ),
    }
)
def check_split_heads(split_heads):
    """each head has its own features of every token."""
    for shape, num_heads in (((2, 5, 12), 3), ((5, 12), 3), ((2, 1, 3, 6), 2)):  # a batch parts 1, 2 and -2, -1
        doing = f"split_heads of {shape} into {num_heads} heads"
        with explained(IN_SPLIT):
            given = torch.randn(shape), num_heads
            expect_like(split_heads, course.split_heads, given, doing, check_split_heads.mistakes)


@exercise(
    mistakes={
        **known.JOINED,
        "the heads are added: lay them side by side": lambda context: context.sum(-3),
        "the heads are averaged: lay them side by side": lambda context: context.mean(-3),
        "the heads stand one below the other: lay them side by side": lambda context: context.flatten(-3, -2),
        "the axes are exchanged, but not joined: flatten the last two": lambda context: context.transpose(-3, -2),
        "the last two axes are joined, but tokens and heads must change places first": lambda context: context.flatten(
            -2
        ),
        "transpose(0, 1) counts from the front, which fits no batch: count from the end, -3 and -2": (
            lambda context: context.transpose(0, 1).flatten(-2)
        ),
        "transpose(0, 1) and flatten(1) count from the front, which fits no batch: count from the end": (
            lambda context: context.transpose(0, 1).flatten(1)
        ),
        "flatten(1) counts from the front, which fits no batch: count from the end": (
            lambda context: context.transpose(-3, -2).flatten(1)
        ),
        "transpose(1, 2) counts from the front, which fits one batch axis only: count from the end, -3 and -2": (
            lambda context: context.transpose(1, 2).flatten(-2)
        ),
        "transpose(1, 2) and flatten(2) count from the front, which fits one batch axis only: count from the end": (
            lambda context: context.transpose(1, 2).flatten(2)
        ),
        f"{LAST_TWO}, and heads and tokens, which must change places, stand at -3 and -2": (
            lambda context: context.transpose(-2, -1).flatten(-2)
        ),
        "the sentences of a batch are joined, too: join the last two axes only": (
            lambda context: context.transpose(-3, -2).reshape(context.shape[-2], -1)
        ),
        "a list of a batch holds its sentences, and these were joined: take the heads, context.unbind(-3)": (
            lambda context: torch.cat(list(context), -1)
        ),
    }
)
def check_merge_heads(merge_heads):
    """every token has its features back, in their order."""
    for shape in ((2, 3, 5, 4), (3, 5, 4), (2, 1, 2, 3, 6)):  # a batch parts 1, 2 and -2, -1
        with explained(IN_MERGE):
            given, doing = (torch.randn(shape),), f"merge_heads of {shape}"
            expect_like(merge_heads, course.merge_heads, given, doing, check_merge_heads.mistakes)


def _many(
    attend=course.attention,
    split=course.split_heads,
    merge=course.merge_heads,
    finish=lambda module, output, weights: (module.W_output(output), weights),
    layers=("W_query", "W_key", "W_value"),
):
    """Make a multi-head attention of these steps, any of which may be a wrong one."""

    class ManyHeads(course.MultiHeadAttention):
        def forward(self, inputs, mask=None):
            made = (getattr(self, name)(inputs) if name else inputs for name in layers)
            query, key, value = (split(features, self.num_heads) for features in made)
            context, weights = attend(query, key, value, mask)
            return finish(self, merge(context), weights)

    return ManyHeads


def _scaled(number):
    """Attend with another number under the root than head_dim."""
    return lambda query, key, value, mask: course.attention(
        query * (query.shape[-1] / number(query)) ** 0.5, key, value, mask
    )


def _one_head(features, num_heads):
    return features.unsqueeze(-3)


@exercise(
    mistakes={
        "output and weights are exchanged: return output, weights": _many(
            finish=lambda module, output, weights: (weights, module.W_output(output))
        ),
        "the mask has no effect: hand it on to attention": _many(lambda *given: course.attention(*given[:3])),
        "the mask is turned round: hand it on as it is, True = may attend": _many(
            lambda *given: course.attention(*given[:3], None if given[3] is None else ~given[3])
        ),
        "query and key are exchanged: attention takes query, key, value, mask": _many(
            lambda query, key, value, mask: course.attention(key, query, value, mask)
        ),
        "key and value are exchanged: attention takes query, key, value, mask": _many(
            lambda query, key, value, mask: course.attention(query, value, key, mask)
        ),
        "query and key come from the same layer: each has its own": _many(layers=("W_query", "W_query", "W_value")),
        "the keys serve as values, too: values have their own layer, and attention takes query, key, value, mask": (
            _many(layers=("W_query", "W_key", "W_key"))
        ),
        "the inputs are cut as they are: each of query, key and value needs its layer first": _many(
            layers=("", "", "")
        ),
        NO_HEADS: _many(split=lambda features, num_heads: features),
        "one big head attends: split query, key and value into heads before attention": _many(
            split=_one_head, merge=lambda context: context.squeeze(-3)
        ),
        "the heads of one token attend to each other: exchange tokens and heads when you split, and when you merge": (
            _many(split=_cut, merge=lambda context: context.flatten(-2))
        ),
        "there are num_heads tables of weights: `split` takes the number of heads, not the width of one": _many(
            split=lambda features, num_heads: course.split_heads(features, features.shape[-1] // num_heads)
        ),
        **{message: _many(split=wrong) for message, wrong in known.SPLIT.items()},
        **{f"after attention, {message}": _many(merge=wrong) for message, wrong in known.JOINED.items()},
        "the scale is missing: divide the scores by the root of head_dim": _many(_scaled(lambda query: 1)),
        "divided by the root of d_model: each head has head_dim features, and its scores as many terms": _many(
            _scaled(lambda query: query.shape[-1] * query.shape[-3])
        ),
        "W_output is made, but not used: hand the merged contexts to it": _many(
            finish=lambda module, output, weights: (output, weights)
        ),
        "the weights are averaged over the heads: return those of each head": _many(
            finish=lambda module, output, weights: (module.W_output(output), weights.mean(-3))
        ),
    }
)
def check_many_heads(ManyHeads):
    """each head attends in its own features, and W_output mixes what they found."""
    for d_model, num_heads in ((12, 3), (6, 2)):
        module, right = _made(ManyHeads, d_model, num_heads), two_questions.ManyHeads(d_model, num_heads)
        right.load_state_dict(module.state_dict())
        wrong = {message: _with(right, kind) for message, kind in check_many_heads.mistakes.items()}
        one, batch = torch.randn(7, d_model), torch.randn(2, 7, d_model)
        cases = {
            "a sentence": (one,),
            "a sentence and a causal mask": (one, course.causal_mask(7)),
            "a batch": (batch,),
            "a batch and padding, a mask (2, 1, 1, 7)": (batch, course.padding_mask([7, 3], 7)[:, None]),
        }
        for case, given in cases.items():
            doing = f"ManyHeads({d_model}, {num_heads}) of {case}"
            with explained(IN_MANY):
                expect_like(module, right, given, doing, wrong, parts=("output", "weights"))
    module(one)[0].square().sum().backward()
    for name, weight in module.named_parameters():
        expect(weight.grad is not None, f"training cannot reach {name}: .data, .detach() or no_grad() cuts it off")


def _made(ManyHeads, d_model, num_heads):
    """Return a module that has the four layers, and nothing else to train."""
    doing = f"ManyHeads({d_model}, {num_heads})"
    early = "nothing can be registered yet: call super().__init__() first, with its parentheses"
    with explained({"Module.__init__": early}):
        module = ManyHeads(d_model, num_heads)
    expect(module is not None, f"{doing} gives None; did you forget `return`?")
    expect(isinstance(module, nn.Module), f"{doing} gives a {type(module).__name__}, but an nn.Module was expected")
    names = ["W_query", "W_key", "W_value", "W_output"]
    for name in names:
        layer = getattr(module, name, None)
        expect(layer is not None, f"there is no {name}: give self.{name} a layer")
        expect(isinstance(layer, nn.Linear), f"{name} is a {type(layer).__name__}; make it an nn.Linear")
        size = layer.in_features, layer.out_features
        wide = f"{doing}.{name} goes from {size[0]} to {size[1]} features; it is nn.Linear(d_model, d_model)"
        expect(size == (d_model, d_model), f"{wide}, wide enough for all heads together")
    expect(len({id(getattr(module, name)) for name in names}) == 4, "two of the four share one layer; each has its own")
    wanted = {f"{name}.{part}" for name in names for part in ("weight", "bias")}
    for name in names:
        getattr(module, name).register_forward_pre_hook(functools.partial(_expect_whole, name))
    others = sorted(set(module.state_dict()) ^ wanted)
    expect(not others, f"four layers with a bias, and nothing else to train; look at {', '.join(others)}")
    return module


def _expect_whole(name, layer, given):
    """Say what is missing before a layer that got one head's features."""
    size, merged = given[0].shape[-1], "merge the contexts before it, not after it"
    merged = WHOLE_VALUE if size > layer.in_features else merged
    advice = merged if name == "W_output" else "split what it gives, not what it reads"
    expect(size == layer.in_features, f"{name} reads {layer.in_features} features and got {size}: {advice}")


def _with(right, kind):
    """Return a wrong module that holds the same matrices."""
    module = kind(right.d_model, right.num_heads)
    module.load_state_dict(right.state_dict())
    return module


def _contributions(rows=lambda W_output, num_heads: W_output.unflatten(0, (num_heads, -1)), **steps):
    """Return head_contributions made of these steps, any of which may be a wrong one."""
    split, attend = steps.get("split", course.split_heads), steps.get("attend", course.attention)
    turned = steps.get("turned", lambda matrix: matrix)

    def answer(inputs, W_query, W_key, W_value, W_output, num_heads):
        query, key, value = (split(inputs @ turned(matrix), num_heads) for matrix in (W_query, W_key, W_value))
        return attend(query, key, value, None)[0] @ rows(W_output, num_heads)

    return answer


_adds = _contributions()
ROWS = (
    "a product does not fit: {error}. If it is the last one: the context of a head, (tokens, head_dim), meets "
    "head_dim rows of W_output, (head_dim, d_model)"
)


@exercise(
    mistakes={
        "this is the whole output already; keep the heads apart": lambda *given: _adds(*given).sum(0),
        "these are the contexts; each still has to meet its rows of W_output": _contributions(
            lambda W_output, num_heads: torch.eye(len(W_output) // num_heads)
        ),
        "the columns of W_output are cut; the heads meet its rows": _contributions(
            lambda W_output, num_heads: W_output.T.unflatten(0, (num_heads, -1))
        ),
        "every head meets the first rows of W_output; head h meets its own": _contributions(
            lambda W_output, num_heads: W_output[: len(W_output) // num_heads]
        ),
        "the rows of W_output are dealt out in turn; the rows of one head stand together": _contributions(
            lambda W_output, num_heads: W_output.unflatten(0, (-1, num_heads)).transpose(0, 1)
        ),
        "the axes are (tokens, heads, d_model); the heads come first": lambda *given: _adds(*given).transpose(0, 1),
        "one big head attends, and is split afterwards: split query, key and value before attention": (
            lambda inputs, W_query, W_key, W_value, W_output, num_heads: (
                course.split_heads(course.attention(inputs @ W_query, inputs @ W_key, inputs @ W_value)[0], num_heads)
                @ W_output.unflatten(0, (num_heads, -1))
            )
        ),
        "W_query, W_key and W_value are turned round; they are used as inputs @ W_query": _contributions(
            turned=lambda matrix: matrix.T
        ),
        **{message: _contributions(split=wrong) for message, wrong in known.SPLIT.items()},
        "the scale is missing: divide by the root of head_dim": _contributions(attend=_scaled(lambda query: 1)),
        "divided by the root of d_model: take head_dim": _contributions(
            attend=_scaled(lambda query: query.shape[-1] * query.shape[-3])
        ),
        "query and key are exchanged": _contributions(
            attend=lambda query, key, value, mask: course.attention(key, query, value)
        ),
        "key and value are exchanged": _contributions(
            attend=lambda query, key, value, mask: course.attention(query, value, key)
        ),
    }
)
def check_head_contributions(head_contributions):
    """multi-head attention without merging: one product per head, and their sum is the output."""
    for num_heads, head_dim in ((3, 4), (2, 3)):
        inputs, *matrices = torch.randn(5, num_heads * head_dim), *torch.randn(4, *[num_heads * head_dim] * 2) / 3
        doing = f"head_contributions with {num_heads} heads of size {head_dim}"
        given = inputs, *matrices, num_heads
        with explained({"mat1 and mat2": ROWS, "batch2 tensor": ROWS, "The size of tensor a": ROWS}):
            expect_like(head_contributions, _adds, given, doing, check_head_contributions.mistakes)
