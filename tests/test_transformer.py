from functools import partial

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from random_cases import EACH_PRECISION, SEEDS, assert_close, tries
from utils.attention import causal_mask, padding_mask
from utils.positions import rotate
from utils.pytorch import pytorchs_names
from utils.transformer import DecoderBlock, EncoderBlock, TodaysBlock

SIZES = st.integers(1, 6)
HEADS = st.sampled_from([(6, 1), (8, 2), (12, 3)])  # d_model, num_heads: a LayerNorm of two features is a step
each_order = pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])


def pytorchs_block_names(own):
    """Return a block's parameters, or their gradients, {name: tensor}, by the names of PyTorch's layer."""
    parameters = {name: numbers for name, numbers in own.items() if "attention" not in name}
    for ours, theirs in (("feed_forward.widen", "linear1"), ("feed_forward.narrow", "linear2")):
        parameters = {name.replace(ours, theirs): numbers for name, numbers in parameters.items()}
    for ours, theirs in (("attention.", "self_attn."), ("cross_attention.", "multihead_attn.")):
        if part := {name.removeprefix(ours): own[name] for name in own if name.startswith(ours)}:
            parameters |= {theirs + name: numbers for name, numbers in pytorchs_names(part).items()}
    return parameters


def assert_equal(block, pytorchs, sequences, ours, theirs):
    """Compare the outputs, and the gradients of the sequences and of all parameters, with the same parameters.

    sequences: what both read; ours, theirs: the masks that mean the same to each.
    """
    dtype = sequences[0].dtype
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(torch.randn_like(parameter) / 10)  # a LayerNorm begins with 1 and 0, which hide mistakes
    pytorchs.load_state_dict(pytorchs_block_names(block.state_dict()))
    outputs = block(*sequences, **ours), pytorchs(*sequences, **theirs)
    assert_close(*outputs, dtype, times=10)
    upstream = torch.randn_like(outputs[0])
    gradients, expected = (
        torch.autograd.grad(output, [*sequences, *module.parameters()], upstream)
        for output, module in zip(outputs, (block, pytorchs))
    )
    count = len(sequences)
    assert_close(gradients[:count], expected[:count], dtype, times=100)
    gradients = pytorchs_block_names(dict(zip(dict(block.named_parameters()), gradients[count:])))
    expected = dict(zip(dict(pytorchs.named_parameters()), expected[count:]))
    assert_close(gradients, expected, dtype, times=100)


@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
@EACH_PRECISION
@each_order
@pytest.mark.parametrize("activation", [F.relu, F.gelu], ids=["relu", "gelu"])
@tries(4)
@given(st.data(), SIZES, SIZES, HEADS, SEEDS)
def test_a_block_equals_pytorchs_layer(kind, dtype, norm_first, activation, data, tokens, keys, sizes, seed):
    torch.manual_seed(seed)
    (d_model, num_heads), options = sizes, {"norm_first": norm_first, "activation": activation}
    lengths = data.draw(st.lists(st.integers(1, tokens), min_size=1, max_size=3))
    memory_lengths = [data.draw(st.integers(1, keys)) for _ in lengths]
    padding, memory_padding = padding_mask(lengths, tokens), padding_mask(memory_lengths, keys)
    hidden, future = ~padding[:, 0], ~causal_mask(tokens)  # as PyTorch's layers take masks: their True hides
    if kind is EncoderBlock:
        theirs_is, counts = nn.TransformerEncoderLayer, [tokens]
        unmasked = {}, {}
        masked = {"mask": padding, "causal": True}, {"src_mask": future, "src_key_padding_mask": hidden}
    else:
        theirs_is, counts = nn.TransformerDecoderLayer, [tokens, keys]
        unmasked = {}, {"tgt_mask": future}
        theirs = {"tgt_key_padding_mask": hidden, "memory_key_padding_mask": ~memory_padding[:, 0]}
        masked = {"mask": padding, "memory_mask": memory_padding}, {"tgt_mask": future} | theirs
    for ours, theirs in (unmasked, masked):
        block = kind(d_model, num_heads, 7, **options).to(dtype)
        pytorchs = theirs_is(d_model, num_heads, 7, dropout=0.0, batch_first=True, dtype=dtype, **options)
        shapes = [(len(lengths), count, d_model) for count in counts]
        sequences = [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]
        assert_equal(block, pytorchs, sequences, ours, theirs)


@each_order
@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_dropout_drops_numbers_that_each_part_adds_and_never_the_stream(training, kind, norm_first):
    torch.manual_seed(0)
    block = kind(400, 1, 1, norm_first=norm_first, dropout=0.25).train(training)
    parts = [part for part in ("attention", "cross_attention", "feed_forward") if hasattr(block, part)]
    for power, part in enumerate(parts):
        number = 10.0**power * (0.75 if training else 1)  # so that what is kept is 1, 10 or 100
        getattr(block, part).forward = lambda read, *rest, number=number, **options: torch.full_like(read, number)
        setattr(block, f"norm{power + 1}", nn.Identity())
    inputs = torch.full((4, 400), 7.0)
    added = block(inputs) if kind is EncoderBlock else block(inputs, inputs)
    for power in range(len(parts)):
        digits = (added - 7).round() // 10**power % 10
        assert digits.unique().tolist() == ([0, 1] if training else [1])
        assert not training or 0.2 <= (digits == 0).float().mean() <= 0.3
    torch.testing.assert_close(added, added.round())


@each_order
@pytest.mark.parametrize("kind, part", [(EncoderBlock, "attention"), (DecoderBlock, "cross_attention")])
@pytest.mark.parametrize("mask", [None, padding_mask([5, 3], 5)], ids=["no mask", "mask"])
def test_weights_are_returned_if_asked_for_and_change_nothing(norm_first, kind, part, mask):
    block, answers = kind(12, 3, 20, norm_first=norm_first), []
    getattr(block, part).register_forward_hook(lambda module, read, answer: answers.append(answer))
    sequences = [torch.randn(2, 5, 12)] * (2 if kind is DecoderBlock else 1)
    output, weights = block(*sequences, mask=mask, need_weights=True)
    assert weights is answers[0][1]
    assert_close(output, block(*sequences, mask=mask), times=10)


def todays(block, inputs, base, eps, causal):
    """Return what a `TodaysBlock` should, by the formulas of its papers around PyTorch's own attention."""

    def normed(rows, norm):
        return rows / (rows.square().mean(dim=-1, keepdim=True) + eps).sqrt() * norm.weight

    part, feed, read = block.attention, block.feed_forward, normed(inputs, block.norm1)
    query, key, value = (
        (read @ layer.weight.T).unflatten(-1, (-1, part.head_dim)).transpose(1, 2)
        for layer in (part.W_query, part.W_key, part.W_value)
    )
    query, key = rotate(query, base=base), rotate(key, base=base)
    context = F.scaled_dot_product_attention(query, key, value, is_causal=causal, enable_gqa=True)
    stream = inputs + context.transpose(1, 2).flatten(-2) @ part.W_output.weight.T
    read = normed(stream, block.norm2)
    gate = read @ feed.gate.weight.T
    return stream + (gate / (1 + (-gate).exp()) * (read @ feed.widen.weight.T)) @ feed.narrow.weight.T


@EACH_PRECISION
@tries(15)
@given(SIZES, st.sampled_from([(1, 1), (2, 1), (4, 2)]), st.sampled_from([10_000, 500]), st.booleans(), SEEDS)
def test_todays_block_is_what_llama_says(dtype, tokens, heads, base, causal, seed):
    torch.manual_seed(seed)
    options = {} if base == 10_000 else {"positions": partial(rotate, base=base), "eps": 0.01}
    block = TodaysBlock(8, heads[0], 7, num_kv_heads=heads[1], **options).to(dtype).requires_grad_(False)
    for norm in (block.norm1, block.norm2):
        nn.init.normal_(norm.weight)
    inputs = torch.randn(2, tokens, 8, dtype=dtype)
    expected = todays(block, inputs, base, options.get("eps", 1e-5), causal)
    outputs, weights = block(inputs, need_weights=True, causal=causal)
    mask = causal_mask(tokens) if causal else None
    assert (
        weights.shape == (2, heads[0], tokens, tokens)
        and block.attention.W_key.out_features == 8 // heads[0] * heads[1]
    )
    for answer in (outputs, block(inputs, causal=causal), block(inputs, mask=mask)):
        assert_close(answer, expected, dtype, times=20)
    assert_close(block(inputs[0], causal=causal), expected[0], dtype, times=20)
