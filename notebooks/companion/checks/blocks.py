"""What the checks of a Transformer's blocks share: make one of known sizes, and compare it with the right one."""

import torch
from torch import nn

from companion.checks import modules
from companion.checks.feedback import expect, expect_like, explained, on_copies

SIZES = D_MODEL, NUM_HEADS, D_HIDDEN = 12, 3, 20
IN_FORWARD = {"memory is a boolean": "the mask is handed over as the memory: attention(..., mask=mask)"}


def built_block(kind, doing, parts):
    """Make the block, look at its parts, and give all its parameters numbers that tell one mistake from another."""
    block = modules.built(kind, doing, *SIZES)
    for name, wanted in parts.items():
        part = getattr(block, name, None)
        expect(part is not None, f"{doing} has no `{name}`: assign it to self.{name} in __init__")
        expect(isinstance(part, wanted), f"{name} is a {type(part).__name__}, but a {wanted.__name__} was expected")
    own = [part for part in block.children() if type(part) in set(parts.values())]
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


def expect_block(block, right, cases, parts, mistakes):
    """Compare a block with the right one, and with each wrong one, all with the parts of this block."""

    def with_its_parts(kind):
        module = kind(*SIZES)
        for name in parts:
            setattr(module, name, getattr(block, name))
        return module

    wrong = {message: with_its_parts(kind) for message, kind in mistakes.items()}
    for doing, given in cases.items():
        with explained(IN_FORWARD):
            expect_like(on_copies(block), with_its_parts(right), given, doing, wrong, atol=1e-4)
