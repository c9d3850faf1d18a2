"""What the checks of the reader's modules share: make one, look at its parts, compare it, and train it."""

import torch
from torch import nn

from companion.checks.feedback import expect, expect_kind, expect_like, explained, on_copies, with_article

EARLY = "nothing can be registered yet: begin __init__ with super().__init__(), with its parentheses"
SIZES = D_MODEL, NUM_HEADS, D_HIDDEN = 12, 3, 20  # of a Transformer's block
FORWARD_STOPS = {"memory is a boolean": "the mask is handed over as the memory: attention(..., mask=mask)"}


def made_module(kind, name, *sizes):
    """Return the module kind(*sizes), which the messages call by this name."""
    with explained({"Module.__init__": EARLY}):
        module = kind(*sizes)
    expect_kind(module, nn.Module, f"{name}{sizes}", "an nn.Module")
    return module


def made_block(kind, doing, parts):
    """Make a block, look at its parts, and give all its parameters numbers that tell one mistake from another."""
    block = made_module(kind, doing, *SIZES)
    for name, wanted in parts.items():
        part = getattr(block, name, None)
        expect(part is not None, f"{doing} has no `{name}`: assign it to self.{name} in __init__")
        expect(
            isinstance(part, wanted),
            f"{name} is {with_article(type(part).__name__)}, but a {wanted.__name__} was expected",
        )
    own = [part for part in block.children() if type(part) in parts.values()]
    expect(len(own) == len(parts), "one part serves twice: make two, so that each learns numbers of its own")
    hidden = block.feed_forward.widen.out_features
    expect(hidden == D_HIDDEN, f"feed_forward has {hidden} hidden features, but {D_HIDDEN} was expected")
    for part in block.modules():
        heads, sizes = getattr(part, "num_heads", NUM_HEADS), getattr(part, "normalized_shape", (D_MODEL,))
        expect(heads == NUM_HEADS, f"an attention has {heads} heads, but {NUM_HEADS} was expected")
        expect(sizes == (D_MODEL,), f"a LayerNorm runs over {sizes}: it is made of d_model, for each token's features")
    missing = type(block).forward is nn.Module.forward
    expect(not missing, f"{doing} has no `forward`: write it at the depth of __init__")
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    return block


def expect_linear(module, layers, sizes, bias):
    """Refuse a module unless it has linear layers and nothing else to train.

    layers: {name: (in, out)}, by the names of sizes; sizes: {name: number}, those of this module.
    """
    for name, axes in layers.items():
        layer = getattr(module, name, None)
        expect(layer is not None, f"there is no {name}: give self.{name} a layer in __init__")
        kind = f"{name} is {with_article(type(layer).__name__)}; make it an nn.Linear, whose weight an optimizer finds"
        expect(isinstance(layer, nn.Linear), kind)
        sizes_made, wanted = (layer.in_features, layer.out_features), tuple(sizes[axis] for axis in axes)
        wanted_layer = f"nn.Linear({', '.join(axes)}), here nn.Linear{wanted}"
        expect(sizes_made == wanted, f"{name} is nn.Linear{sizes_made}, but {wanted_layer}, was expected")
        expect(bias or layer.bias is None, f"{name} has a bias; write bias=False")
        expect(not bias or layer.bias is not None, f"{name} has no bias; leave out bias=False")
    expect(len({id(getattr(module, name)) for name in layers}) == len(layers), "two layers are one and the same")
    wanted = {f"{name}.{part}" for name in layers for part in ("weight", "bias")[: 1 + bias]}
    extra = sorted(set(module.state_dict()) ^ wanted)
    expect(not extra, f"the module has these layers and nothing else to train; look at {', '.join(extra)}")


def expect_trainable(module, output):
    """Refuse a module if training cannot go back from its output to each of its layers."""
    expect(output.requires_grad, "the output has no gradient, so nothing can learn: leave out detach and no_grad")
    output.square().sum().backward()
    for name, weight in module.named_parameters():
        expect(weight.grad is not None, f"training cannot reach {name}: leave out .data, .detach() and no_grad")


def expect_module(module, right, sizes, cases, mistakes, parts=(), atol=1e-5):
    """Compare a module with the right one and with wrong ones, all with the parts of this module.

    right: a class; sizes: what each is made of; cases: {what is done: the inputs}; mistakes: {message: class}.
    """

    def twin(kind):
        made = kind(*sizes)
        for name, part in module.named_children():
            setattr(made, name, part)
        return made

    wrong = {message: twin(kind) for message, kind in mistakes.items()}
    for doing, inputs in cases.items():
        expect_like(on_copies(module), twin(right), inputs, doing, wrong, parts, atol)
