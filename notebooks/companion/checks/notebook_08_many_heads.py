"""Check of the first exercise in notebook 08 (multi-head attention): many heads in a list."""

import torch
from torch import nn

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, close, expect, expect_tensor, explained
from companion.checks.mistakes import INVERTED, JOINED
from utils.attention import causal_mask

IN_INIT = {  # {what PyTorch's error says: its cause}
    " float": "d_model / num_heads gives a float, and sizes are whole numbers: write d_model // num_heads",
    "before Module.__init__": "__init__ makes a part before nn.Module is ready: begin it with super().__init__()",
}
IN_FORWARD = {"got tuple": "a head returns context and weights, a tuple; take the context, head(inputs, mask)[0]"}


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
    with explained(IN_FORWARD):
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
    with explained(IN_INIT):
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
