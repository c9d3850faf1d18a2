"""Checks of the exercises in notebook 08 (multi-head attention)."""

from contextlib import contextmanager

import torch
from torch import nn

from utils.attention import attention, causal_mask, merge_heads, split_heads
from utils.checks.exercise import exercise
from utils.checks.feedback import Mistake, close, expect, expect_tensor
from utils.checks.mistakes import INVERTED, JOINED, SPLIT, given_by, readings

BATCH = "the first two axes are swapped, which are not heads and tokens once there is a batch: count from the end"
IN_INIT = {  # {what PyTorch's error says: its cause}
    " float": "d_model / num_heads gives a float, and sizes are whole numbers: write d_model // num_heads",
    "before Module.__init__": "__init__ makes a part before nn.Module is ready: begin it with super().__init__()",
}
AXES = "the number of axes is fixed, but there may be none or several before these: count from the end. {error}"
IN_SPLIT = {
    "got float": "d_model / num_heads gives a float, and sizes are whole numbers: write // in place of /",
    **dict.fromkeys(("to unpack", "number of dimensions", "Dimension out of range"), AXES),
}
IN_FORWARD = {"got tuple": "a head returns context and weights, a tuple; take the context, head(inputs, mask)[0]"}
IN_MERGE = IN_SPLIT | {
    "view size": "after transpose the numbers lie in another order, which view refuses: flatten or reshape copies"
}
ROWS = (
    "a product does not fit: {error}. If it is the last one: the context of a head, (tokens, head_dim), meets "
    "head_dim rows of W_output, (head_dim, d_model)"
)
IN_PRODUCT = dict.fromkeys(("mat1 and mat2", "batch2 tensor", "The size of tensor a"), ROWS) | {
    "out of bounds": "there are num_heads heads, and one more was asked for: {error}",
    "'tuple'": "`attention` returns context and weights, a tuple: unpack both",
}
FIXED = "heads of size 4 are right, but heads of size 3 stop: {error}. Is a 4 fixed? head_dim is d_model // num_heads"


@contextmanager
def _explained(causes):
    """Say in words what an error means whose text holds one of these signs."""
    try:
        yield
    except (TypeError, AttributeError, RuntimeError, IndexError, ValueError) as error:
        for sign, cause in causes.items():
            expect(sign not in str(error), cause.format(error=str(error).rstrip(".")))
        raise


@exercise
def check_ManyHeads(ManyHeads):
    """registered, narrow, joined and mixed: from your weights, PyTorch's own module gives the same."""
    module = _built(ManyHeads, 12, 3)
    inputs, mask = torch.randn(2, 5, 12), causal_mask(5)
    contexts, weights = zip(*(head(inputs) for head in module.heads))
    module.W_output.register_forward_pre_hook(lambda layer, given: _expect_joined(given[0], contexts, weights))
    joined, finish = torch.cat(contexts, -1), module.W_output.forward  # forward alone calls no hook
    mistakes = {
        "W_output is made, but not used: hand the joined contexts to it": joined,
        "every part comes from head 0: call each head": finish(torch.cat([contexts[0]] * 3, -1)),
        "every part comes from the last head: keep each head's context": finish(torch.cat([contexts[-1]] * 3, -1)),
        "view alone mixes the tokens: join the contexts along the last axis": finish(
            torch.stack(contexts).reshape(inputs.shape)
        ),
        **{message: finish(join(torch.stack(contexts, -3))) for message, join in JOINED.items()},
    }
    with _explained(IN_FORWARD):
        output = module(inputs)
    expect_tensor(output, _by_pytorch(module, inputs), "the output for a batch", mistakes)
    only_first = [head(inputs, mask if head is module.heads[0] else None)[0] for head in module.heads]
    inverted = [head(inputs, ~mask)[0] for head in module.heads]
    mistakes = {
        INVERTED: finish(torch.cat(inverted, -1)),
        "the mask has no effect: hand it on to each head": finish(joined),
        "the mask reaches head 0 alone: hand it on to each head": finish(torch.cat(only_first, -1)),
    }
    doing = "the output with a causal mask"
    expect_tensor(module(inputs, mask), _by_pytorch(module, inputs, mask), doing, mistakes)
    module, inputs = _built(ManyHeads, 6, 2), torch.randn(4, 6)
    expect_tensor(module(inputs), _by_pytorch(module, inputs), "the output for one sentence, of ManyHeads(6, 2)")


def _built(ManyHeads, d_model, num_heads):
    """Return a module whose parts are those that were asked for."""
    doing = f"ManyHeads({d_model}, {num_heads})"
    with _explained(IN_INIT):
        module = ManyHeads(d_model, num_heads)
    expect(module is not None, f"{doing} gives None; did you forget `return`?")
    expect(isinstance(module, nn.Module), f"{doing} gives a {type(module).__name__}, but a module was expected")
    for name in ("heads", "W_output"):
        expect(hasattr(module, name), f"{doing} has no `{name}`: assign it to self.{name} in __init__")
    missing = type(module).forward is nn.Module.forward
    expect(not missing, f"{doing} has no `forward`: write forward(self, inputs, mask=None), at the depth of __init__")
    heads, head_dim = module.heads, d_model // num_heads
    expect(
        not isinstance(heads, list | tuple),
        "heads is a plain list, so its parameters are not registered and no training finds them: use nn.ModuleList",
    )
    kind = type(heads).__name__
    expect(isinstance(heads, nn.ModuleList | nn.Sequential), f"heads is a {kind}, but an nn.ModuleList was expected")
    expect(len(heads) == num_heads, f"{doing} holds {len(heads)} of {num_heads} heads")
    expect(len(set(heads)) == num_heads, "the heads are one and the same module: make a new one for each place")
    for head in heads:
        fits = all(hasattr(head, name) for name in ("W_query", "W_key", "W_value"))
        expect(fits, f"a head is a {type(head).__name__}; make each with SelfAttention(d_model, head_dim)")
        shape = tuple(head.W_query.weight.shape)
        full = f"each head is full-size, {d_model} features wide; its share is {d_model} // {num_heads} = {head_dim}"
        expect(shape != (d_model, d_model), full)
        others = f"a head leads from {shape[1]} features to {shape[0]}, but from {d_model} to {head_dim} was expected"
        expect(shape == (head_dim, d_model), others)
    twins = heads[0].W_query.weight.equal(heads[1].W_query.weight)
    expect(not twins, "the heads start from the same numbers: make each one anew, and set no seed in between")
    kind = type(module.W_output).__name__
    expect(isinstance(module.W_output, nn.Linear), f"W_output is a {kind}, but an nn.Linear was expected")
    shape = module.W_output.in_features, module.W_output.out_features
    expect(shape == (d_model, d_model), f"W_output leads from {shape[0]} to {shape[1]} features; both are d_model")
    return module


def _expect_joined(given, contexts, weights):
    """Say what W_output was handed in place of all contexts side by side."""
    shape = torch.cat(contexts, -1).shape
    kind = type(given).__name__
    expect(isinstance(given, torch.Tensor), f"W_output gets a {kind}; lay its parts side by side with torch.cat first")
    if given.shape == shape:
        return
    swapped = close(given, torch.cat(weights, -1))
    expect(not swapped, "the weights are joined; a head returns context and weights, in this order")
    join = "lay all contexts side by side with torch.cat(contexts, dim=-1), then call it once"
    expect(not close(given, sum(contexts)), f"the contexts are added, and W_output gets their sum: {join}")
    expect(not close(given, sum(contexts) / 3), f"the contexts are averaged, and W_output gets the average: {join}")
    alone = any(close(given, context) for context in contexts)
    expect(not alone, f"W_output gets the context of a single head: {join}")
    expect(given.ndim == len(shape), f"the contexts are stacked along a new axis, not joined: {join}")
    below = close(given, torch.cat(contexts, -2))
    expect(not below, f"the contexts are joined along the tokens, which gives {given.shape[-2]} of them: {join}")
    raise Mistake(f"W_output gets shape {tuple(given.shape)}, but {tuple(shape)} was expected: {join}")


def _by_pytorch(module, inputs, mask=None):
    """Let PyTorch's module calculate with a copy of these weights."""
    theirs = nn.MultiheadAttention(inputs.shape[-1], len(module.heads), batch_first=True)  # its biases start as 0
    layers = [getattr(head, name) for name in ("W_query", "W_key", "W_value") for head in module.heads]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.out_proj.load_state_dict(module.W_output.state_dict(), strict=False)
    return theirs(inputs, inputs, inputs, attn_mask=None if mask is None else ~mask)[0]


@exercise
def check_split(split):
    """each head has its own features of every token."""
    features = torch.randn(5, 12)
    apart = features.unflatten(-1, (3, 4))
    mistakes = {
        "the features are cut, but the axes are (tokens, heads, head_dim): swap the first two of these": apart,
        "transpose(1, 2) counts from the front, which fits one batch axis only: count from the end, -3 and -2": (
            apart.transpose(1, 2)
        ),
        "num_heads and head_dim are exchanged: there are num_heads heads": split_heads(features, 4),
        "the last two axes are swapped, too: head_dim comes last": split_heads(features, 3).mT,
        **given_by(SPLIT, features, 3),
    }
    with _explained(IN_SPLIT):
        given = split(features, 3)
    expect_tensor(given, split_heads(features, 3), "split of (5, 12) into 3 heads", mistakes)
    features = torch.randn(2, 5, 12)
    mistakes = {BATCH: features.unflatten(-1, (3, 4)).transpose(0, 1), **given_by(SPLIT, features, 3)}
    with _explained(IN_SPLIT):
        given = split(features, 3)
    expect_tensor(given, split_heads(features, 3), "split of a batch (2, 5, 12) into 3 heads", mistakes)
    features = torch.randn(2, 1, 3, 6)
    with _explained(IN_SPLIT):
        given = split(features, 2)
    expect_tensor(given, split_heads(features, 2), "split of (2, 1, 3, 6) into 2 heads")


@exercise
def check_merge(merge):
    """every token has its features back, in their order."""
    context = torch.randn(3, 5, 4)
    mistakes = {
        "the heads are added; lay them side by side": context.sum(0),
        "the heads are averaged; lay them side by side": context.mean(0),
        "the heads stand one below the other; lay them side by side": context.flatten(0, 1),
        "the axes are swapped back, but not joined: flatten the last two": context.transpose(0, 1),
        "the last two axes are joined, but first heads and tokens must be swapped back": context.flatten(-2),
        **given_by(JOINED, context),
    }
    with _explained(IN_MERGE):
        merged = merge(context)
    expect_tensor(merged, merge_heads(context), "merge of 3 heads, (3, 5, 4)", mistakes)
    context = torch.randn(2, 3, 5, 4)
    mistakes = {
        BATCH: context.transpose(0, 1).flatten(-2),
        "a list of a batch holds its sentences, and these were joined: take the heads, context.unbind(-3)": (
            torch.cat(list(context), -1)
        ),
        **given_by(JOINED, context),
    }
    with _explained(IN_MERGE):
        merged = merge(context)
    expect_tensor(merged, merge_heads(context), "merge of a batch (2, 3, 5, 4)", mistakes)
    context = torch.randn(2, 1, 2, 3, 6)
    with _explained(IN_MERGE):
        merged = merge(context)
    expect_tensor(merged, merge_heads(context), "merge of (2, 1, 2, 3, 6)")


@exercise
def check_head_contributions(head_contributions):
    """multi-head attention without joining: one product per head, and their sum is the output."""
    inputs, W_output = torch.randn(5, 12), torch.randn(12, 12)
    matrices = [torch.randn(12, 12) / 4 for _ in range(3)]
    features = [inputs @ matrix for matrix in matrices]
    context, right = _contributions(*(split_heads(each, 3) for each in features), W_output)
    mistakes = {
        "this is the whole output already; keep the heads apart": right.sum(0),
        "these are the contexts; each still has to meet its rows of W_output": context,
        "the columns of W_output are cut; the heads meet its rows": context @ W_output.mT.unflatten(0, (3, 4)),
        "every head meets the first rows of W_output; head h meets its own": context @ W_output[:4],
        "the rows of W_output are dealt out in turn; the rows of one head stand together": (
            context @ W_output.unflatten(0, (4, 3)).transpose(0, 1)
        ),
        "the heads come in reverse order": right.flip(0),
        "the axes are (tokens, heads, d_model); the heads come first": right.transpose(0, 1),
    }
    turned = [split_heads(inputs @ matrix.T, 3) for matrix in matrices]
    transposed = "W_query, W_key and W_value are transposed; they are used as inputs @ W_query"
    mistakes[transposed] = _contributions(*turned, W_output)[1]
    mistakes["all matrices are transposed; none has to be, as they are no nn.Linear"] = _contributions(
        *turned, W_output.T
    )[1]
    uncut, _ = attention(*features)
    mistakes["one big head attends, and is cut afterwards: cut query, key and value before `attention`"] = split_heads(
        uncut, 3
    ) @ W_output.unflatten(0, (3, 4))
    for message, split in SPLIT.items():
        mistakes[message] = _contributions(*(split(each, 3) for each in features), W_output)[1]
    for message, read in readings(*(split_heads(each, 3) for each in features), d_model=12).items():
        mistakes[message] = _contributions(*read, W_output)[1]
    doing = "head_contributions with 3 heads of size 4"
    with _explained(IN_PRODUCT):
        given = head_contributions(inputs, *matrices, W_output, 3)
    expect_tensor(given, right, doing, mistakes)
    inputs, W_output = torch.randn(7, 6), torch.randn(6, 6)
    matrices = [torch.randn(6, 6) for _ in range(3)]
    _, right = _contributions(*(split_heads(inputs @ matrix, 2) for matrix in matrices), W_output)
    doing = "head_contributions with 2 heads of size 3"
    with _explained({"": FIXED}):
        given = head_contributions(inputs, *matrices, W_output, 2)
    expect_tensor(given, right, doing)


def _contributions(query, key, value, W_output):
    """Return the heads' contexts, and what each adds to the output."""
    context, _ = attention(query, key, value)
    return context, context @ W_output.unflatten(0, (len(context), -1))
