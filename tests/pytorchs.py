"""A Transformer block's parameters by the names that PyTorch's own layers give them."""

from companion.worlds.which_minute.two_questions import pytorchs_names

ATTENTIONS = {"attention": "self_attn", "cross_attention": "multihead_attn"}


def pytorchs_block_names(own):
    """Return the parameters of a block of the course, or their gradients, {name: tensor}, by the names of
    `nn.TransformerEncoderLayer` or, with cross-attention, of its decoder's.
    """
    layers = {"feed_forward.widen": "linear1", "feed_forward.narrow": "linear2"}
    layers |= {norm: norm for norm in ("norm1", "norm2", "norm3") if f"{norm}.weight" in own}
    parameters = {
        f"{theirs}.{kind}": own[f"{ours}.{kind}"] for ours, theirs in layers.items() for kind in ("weight", "bias")
    }
    for ours, theirs in ATTENTIONS.items():
        part = {name.removeprefix(f"{ours}."): own[name] for name in own if name.startswith(f"{ours}.")}
        if part:
            parameters |= {f"{theirs}.{name}": numbers for name, numbers in pytorchs_names(part).items()}
    return parameters
