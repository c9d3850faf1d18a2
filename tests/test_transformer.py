import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from drawing import EACH_PRECISION, SEEDS, WITHIN, tries
from pytorchs import pytorchs_names
from utils.attention import causal_mask, padding_mask
from utils.transformer import DecoderBlock, EncoderBlock, Residual

SIZES = st.integers(1, 6)
HEADS = st.sampled_from([(6, 1), (8, 2), (12, 3)])  # d_model, num_heads: a LayerNorm of two features is a step
each_order = pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
each_activation = pytest.mark.parametrize("activation", [F.relu, F.gelu], ids=["relu", "gelu"])


def assert_equal(block, pytorchs, sequences, ours, theirs):
    """Compare the outputs, and the gradients of the sequences and of all parameters, with the same parameters.

    sequences: what both read; ours, theirs: the masks that mean the same to each.
    """
    within = 10 * WITHIN[sequences[0].dtype]
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(torch.randn_like(parameter) / 10)  # a LayerNorm begins with 1 and 0, which hide mistakes
    pytorchs.load_state_dict(pytorchs_names(block.state_dict()))
    outputs = block(*sequences, **ours), pytorchs(*sequences, **theirs)
    torch.testing.assert_close(*outputs, atol=within, rtol=0)
    upstream = torch.randn_like(outputs[0])
    found, expected = (
        torch.autograd.grad(output, [*sequences, *module.parameters()], upstream)
        for output, module in zip(outputs, (block, pytorchs))
    )
    count = len(sequences)
    torch.testing.assert_close(found[:count], expected[:count], atol=10 * within, rtol=10 * within)
    found = pytorchs_names(dict(zip(dict(block.named_parameters()), found[count:])))
    expected = dict(zip(dict(pytorchs.named_parameters()), expected[count:]))
    torch.testing.assert_close(found, expected, atol=10 * within, rtol=10 * within)


def encoder_masks(lengths, tokens):
    """Return each kind of mask twice: as our block takes it, and as PyTorch's layer does, whose True hides."""
    padding, future = padding_mask(lengths, tokens), ~causal_mask(tokens)
    hidden = ~padding[:, 0]
    return [
        ({}, {}),
        ({"mask": padding}, {"src_key_padding_mask": hidden}),
        ({"causal": True}, {"src_mask": future}),
        ({"mask": ~future}, {"src_mask": future}),
        ({"mask": padding, "causal": True}, {"src_mask": future, "src_key_padding_mask": hidden}),
    ]


def decoder_masks(lengths, tokens, memory_lengths, keys):
    padding, memory_padding = padding_mask(lengths, tokens), padding_mask(memory_lengths, keys)
    causal = {"tgt_mask": ~causal_mask(tokens)}
    own, read = {"tgt_key_padding_mask": ~padding[:, 0]}, {"memory_key_padding_mask": ~memory_padding[:, 0]}
    return [
        ({}, causal),
        ({"mask": padding}, causal | own),
        ({"memory_mask": memory_padding}, causal | read),
        ({"mask": padding, "memory_mask": memory_padding}, causal | own | read),
    ]


@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
@EACH_PRECISION
@each_order
@each_activation
@tries(8)
@given(st.data(), SIZES, SIZES, HEADS, SEEDS)
def test_a_block_equals_pytorchs_layer(kind, dtype, norm_first, activation, data, tokens, keys, sizes, seed):
    torch.manual_seed(seed)
    (d_model, num_heads), options = sizes, {"norm_first": norm_first, "activation": activation}
    lengths = data.draw(st.lists(st.integers(1, tokens), min_size=1, max_size=3))
    masks, theirs_is, counts = encoder_masks(lengths, tokens), nn.TransformerEncoderLayer, [tokens]
    if kind is DecoderBlock:
        memory_lengths = [data.draw(st.integers(1, keys)) for _ in lengths]
        masks, theirs_is = decoder_masks(lengths, tokens, memory_lengths, keys), nn.TransformerDecoderLayer
        counts = [tokens, keys]
    for ours, theirs in masks:
        block = kind(d_model, num_heads, 7, **options).to(dtype)
        pytorchs = theirs_is(d_model, num_heads, 7, dropout=0.0, batch_first=True, dtype=dtype, **options)
        shapes = [(len(lengths), count, d_model) for count in counts]
        sequences = [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]
        assert_equal(block, pytorchs, sequences, ours, theirs)


@each_order
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_dropout_drops_parts_of_what_is_added_and_never_of_the_stream(norm_first, training):
    torch.manual_seed(0)
    residual, inputs = Residual(1_000, norm_first, dropout=0.25).train(training), torch.full((4, 1_000), 7.0)
    seen = []
    residual.norm.register_forward_pre_hook(lambda norm, given: seen.append(given[0]))
    output = residual(inputs, lambda read: torch.full_like(read, 3.0))
    total = output if norm_first else seen[0]  # post-norm: what the LayerNorm gets
    kept = 3.0 / 0.75 if training else 3.0
    torch.testing.assert_close(total.unique(), torch.tensor([7.0, 7.0 + kept] if training else [7.0 + kept]))
    assert (0.2 if training else 0.0) <= (total == 7).float().mean() <= (0.3 if training else 0.0)
    assert norm_first or output.equal(F.layer_norm(total, (1_000,)))


@each_order
@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
def test_a_block_hands_its_dropout_to_each_residual(kind, norm_first):
    block = kind(12, 3, 20, norm_first=norm_first, dropout=0.3)
    assert [part.dropout.p for part in block.modules() if isinstance(part, Residual)] == [0.3] * (
        3 - (kind is EncoderBlock)
    )


@each_order
@pytest.mark.parametrize("mask", [None, padding_mask([5, 3], 5)], ids=["no mask", "mask"])
def test_weights_are_returned_if_asked_for_and_change_nothing(norm_first, mask):
    torch.manual_seed(0)
    inputs, memory = torch.randn(2, 5, 12), torch.randn(2, 4, 12)
    encoder, decoder = (kind(12, 3, 20, norm_first=norm_first) for kind in (EncoderBlock, DecoderBlock))
    output, weights = encoder(inputs, mask=mask, causal=True, need_weights=True)
    torch.testing.assert_close(output, encoder(inputs, mask=mask, causal=True))
    read = encoder.after_attention.norm(inputs) if norm_first else inputs
    expected = encoder.attention(read, mask=mask, causal=True, need_weights=True)[1]
    torch.testing.assert_close(weights, expected)
    assert weights.shape == (2, 3, 5, 5) and not weights.triu(1).any()
    output, weights = decoder(inputs, memory, mask=mask, need_weights=True)
    torch.testing.assert_close(output, decoder(inputs, memory, mask=mask))
    assert weights.shape == (2, 3, 5, 4)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 3, 5))


def test_the_encoder_hands_its_positions_to_attention():
    torch.manual_seed(0)
    inputs, turned = torch.randn(5, 12), EncoderBlock(12, 3, 20, positions=lambda features: features.flip(-2))
    plain = EncoderBlock(12, 3, 20)
    plain.load_state_dict(turned.state_dict())
    _, weights = plain(inputs, need_weights=True)
    torch.testing.assert_close(turned(inputs, need_weights=True)[1], weights.flip(-2, -1))
