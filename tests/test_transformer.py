import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

import layouts
from utils.attention import causal_mask, padding_mask
from utils.transformer import DecoderBlock, EncoderBlock, FeedForward, Residual

SIZES = st.integers(1, 6)
HEADS = st.sampled_from([(6, 1), (8, 2), (12, 3)])  # d_model, num_heads: a LayerNorm of two features is a step
SEEDS = st.integers(0, 2**32 - 1)
WITHIN = {torch.float32: 1e-5, torch.float64: 1e-10}
SOME = settings(max_examples=8, deadline=None, derandomize=True)
each_precision = pytest.mark.parametrize("dtype", WITHIN, ids=str)
each_order = pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
each_activation = pytest.mark.parametrize("activation", [F.relu, F.gelu], ids=["relu", "gelu"])
THEIRS = {"dropout": 0.0, "batch_first": True}


def assert_equal(block, pytorchs, sequences, ours, theirs):
    """Compare the outputs, and the gradients of the sequences and of all parameters, with the same parameters.

    sequences: what both read; ours, theirs: the masks that mean the same to each.
    """
    within = WITHIN[sequences[0].dtype]
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(torch.randn_like(parameter) / 10)  # a LayerNorm begins with 1 and 0, which hide mistakes
    pytorchs.load_state_dict(layouts.of_block(block.state_dict()))
    outputs = block(*sequences, **ours), pytorchs(*sequences, **theirs)
    torch.testing.assert_close(*outputs, atol=within, rtol=0)
    upstream = torch.randn_like(outputs[0])
    found, expected = (
        torch.autograd.grad(output, [*sequences, *module.parameters()], upstream)
        for output, module in zip(outputs, (block, pytorchs))
    )
    count = len(sequences)
    torch.testing.assert_close(found[:count], expected[:count], atol=10 * within, rtol=10 * within)
    found = layouts.of_block(dict(zip(dict(block.named_parameters()), found[count:])))
    expected = dict(zip(dict(pytorchs.named_parameters()), expected[count:]))
    torch.testing.assert_close(found, expected, atol=10 * within, rtol=10 * within)


def sequence(batch, tokens, d_model, dtype):
    return torch.randn(batch, tokens, d_model, dtype=dtype, requires_grad=True)


def encoder_masks(lengths, tokens):
    """Return each kind of mask twice: as our block takes it, and as PyTorch's layer does, whose True hides."""
    padding, future = padding_mask(lengths, tokens), ~causal_mask(tokens)
    hidden = ~padding[:, 0]
    return {
        "none": ({}, {}),
        "padding": ({"mask": padding}, {"src_key_padding_mask": hidden}),
        "causal": ({"causal": True}, {"src_mask": future}),
        "causal, as a mask": ({"mask": ~future}, {"src_mask": future}),
        "both": ({"mask": padding, "causal": True}, {"src_mask": future, "src_key_padding_mask": hidden}),
    }


def decoder_masks(lengths, tokens, memory_lengths, keys):
    padding, memory_padding = padding_mask(lengths, tokens), padding_mask(memory_lengths, keys)
    causal = {"tgt_mask": ~causal_mask(tokens)}
    own, read = {"tgt_key_padding_mask": ~padding[:, 0]}, {"memory_key_padding_mask": ~memory_padding[:, 0]}
    return {
        "none": ({}, causal),
        "padding": ({"mask": padding}, causal | own),
        "a padded memory": ({"memory_mask": memory_padding}, causal | read),
        "both": ({"mask": padding, "memory_mask": memory_padding}, causal | own | read),
    }


@each_precision
@each_order
@each_activation
@SOME
@given(st.data(), SIZES, HEADS, SEEDS)
def test_the_encoder_block_equals_pytorchs_layer(dtype, norm_first, activation, data, tokens, sizes, seed):
    torch.manual_seed(seed)
    lengths, (d_model, num_heads) = data.draw(st.lists(st.integers(1, tokens), min_size=1, max_size=3)), sizes
    for ours, theirs in encoder_masks(lengths, tokens).values():
        block = EncoderBlock(d_model, num_heads, 7, norm_first=norm_first, activation=activation).to(dtype)
        options = {"norm_first": norm_first, "activation": activation, "dtype": dtype, **THEIRS}
        pytorchs = nn.TransformerEncoderLayer(d_model, num_heads, 7, **options)
        assert_equal(block, pytorchs, [sequence(len(lengths), tokens, d_model, dtype)], ours, theirs)


@each_precision
@each_order
@each_activation
@SOME
@given(st.data(), SIZES, SIZES, HEADS, SEEDS)
def test_the_decoder_block_equals_pytorchs_layer(dtype, norm_first, activation, data, tokens, keys, sizes, seed):
    torch.manual_seed(seed)
    lengths, (d_model, num_heads) = data.draw(st.lists(st.integers(1, tokens), min_size=1, max_size=3)), sizes
    memory_lengths = [data.draw(st.integers(1, keys)) for _ in lengths]
    for ours, theirs in decoder_masks(lengths, tokens, memory_lengths, keys).values():
        block = DecoderBlock(d_model, num_heads, 7, norm_first=norm_first, activation=activation).to(dtype)
        options = {"norm_first": norm_first, "activation": activation, "dtype": dtype, **THEIRS}
        pytorchs = nn.TransformerDecoderLayer(d_model, num_heads, 7, **options)
        sequences = [sequence(len(lengths), each, d_model, dtype) for each in (tokens, keys)]
        assert_equal(block, pytorchs, sequences, ours, theirs)


@each_order
def test_after_training_nothing_is_dropped(norm_first):
    torch.manual_seed(0)
    options = {"norm_first": norm_first, "dropout": 0.5}
    block = EncoderBlock(12, 3, 20, **options).eval()
    pytorchs = nn.TransformerEncoderLayer(12, 3, 20, batch_first=True, **options).eval()
    assert_equal(block, pytorchs, [sequence(2, 5, 12, torch.float32)], {}, {})
    decoder, pytorchs = (
        DecoderBlock(12, 3, 20, **options).eval(),
        nn.TransformerDecoderLayer(12, 3, 20, batch_first=True, **options).eval(),
    )
    sequences = [sequence(2, tokens, 12, torch.float32) for tokens in (5, 4)]
    assert_equal(decoder, pytorchs, sequences, {}, {"tgt_mask": ~causal_mask(5)})


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


def test_one_sequence_is_read_as_in_a_batch():
    torch.manual_seed(0)
    inputs, memory = torch.randn(2, 5, 12), torch.randn(2, 4, 12)
    encoder, decoder = EncoderBlock(12, 3, 20), DecoderBlock(12, 3, 20)
    torch.testing.assert_close(encoder(inputs)[1], encoder(inputs[1]))
    torch.testing.assert_close(decoder(inputs, memory)[1], decoder(inputs[1], memory[1]))


def test_the_encoder_hands_its_positions_to_attention():
    torch.manual_seed(0)
    inputs, turned = torch.randn(5, 12), EncoderBlock(12, 3, 20, positions=lambda features: features.flip(-2))
    plain = EncoderBlock(12, 3, 20)
    plain.load_state_dict(turned.state_dict())
    _, weights = plain(inputs, need_weights=True)
    torch.testing.assert_close(turned(inputs, need_weights=True)[1], weights.flip(-2, -1))


def test_the_feed_forward_part_treats_each_token_alone():
    torch.manual_seed(0)
    part, inputs = FeedForward(12, 20), torch.randn(2, 5, 12)
    torch.testing.assert_close(part(inputs)[1, 2:3], part(inputs[1, 2:3]))


@pytest.mark.parametrize(
    "call, error, says",
    [
        (
            lambda: FeedForward(12, 20)(torch.randn(5, 10)),
            ValueError,
            "inputs has 10 features .* made for 12 .*project",
        ),
        (lambda: EncoderBlock(12, 3, 20)(torch.randn(5, 10)), ValueError, "inputs has 10 features .*project it"),
        (lambda: EncoderBlock(12, 3, 20)(torch.randn(12)), ValueError, r"at least two axes .*write inputs\[None, :\]"),
        (lambda: EncoderBlock(12, 3, 20).double()(torch.randn(5, 12)), TypeError, r"convert one by \.to"),
        (lambda: EncoderBlock(12, 5, 20), ValueError, "cannot be cut into 5 heads; choose a divisor of 12"),
        (lambda: EncoderBlock(12, 3, 20)(torch.randn(5, 12), mask=torch.ones(5, 5)), TypeError, "must be a boolean"),
        (
            lambda: EncoderBlock(12, 3, 20)(torch.randn(2, 5, 12), mask=padding_mask([4, 2], 4)),
            ValueError,
            "mask has shape .* give it the scores' shape",
        ),
        (lambda: DecoderBlock(12, 3, 20)(torch.randn(5, 10), torch.randn(4, 12)), ValueError, "inputs has 10 features"),
        (lambda: DecoderBlock(12, 3, 20)(torch.randn(5, 12), torch.randn(4, 10)), ValueError, "memory has 10 features"),
        (lambda: DecoderBlock(12, 3, 20)(torch.randn(2, 5, 12), torch.randn(4, 12)), ValueError, "batch axes"),
        (
            lambda: DecoderBlock(12, 3, 20)(torch.randn(5, 12), torch.randn(4, 12), memory_mask=causal_mask(5)),
            ValueError,
            r"mask has shape \(5, 5\) but the scores have \(3, 5, 4\)",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_words_that_help(call, error, says):
    with pytest.raises(error, match=says):
        call()


class NormOverTheTokens(nn.LayerNorm):
    def forward(self, inputs):
        return F.layer_norm(inputs.mT, inputs.shape[-2:-1]).mT * self.weight + self.bias


class DropsForEver(EncoderBlock):
    def eval(self):
        return self


class ForgetsTheMemorysMask(DecoderBlock):
    def forward(self, inputs, memory, *, mask=None, memory_mask=None):
        return super().forward(inputs, memory, mask=mask)


class SeesTheFuture(DecoderBlock):
    def forward(self, inputs, memory, **masks):
        free, attend = self.attention.forward, self.attention
        attend.forward = lambda read, mask, causal: free(read, mask=mask)
        return super().forward(inputs, memory, **masks)


def with_norms_over_the_tokens(block):
    for residual in (block.after_attention, block.after_feed_forward):
        residual.norm = NormOverTheTokens(12)
    return block


TWINS = {  # an encoder or a decoder with one published mistake
    "LayerNorm over the tokens": lambda: with_norms_over_the_tokens(EncoderBlock(12, 3, 20)),
    "post-norm for pre-norm": lambda: EncoderBlock(12, 3, 20, norm_first=False),
    "dropout left on": lambda: DropsForEver(12, 3, 20, dropout=0.5),
    "another activation": lambda: EncoderBlock(12, 3, 20, activation=F.gelu),
    "the memory's mask forgotten": lambda: ForgetsTheMemorysMask(12, 3, 20),
    "the decoder reads the future": lambda: SeesTheFuture(12, 3, 20),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_a_block_with_a_mistake_is_told_from_pytorchs(twin):
    torch.manual_seed(0)
    block = twin().eval()
    sequences, lengths = [sequence(2, 5, 12, torch.float32)], [5, 3]
    options = {"norm_first": True, **THEIRS}
    if isinstance(block, DecoderBlock):
        sequences.append(sequence(2, 4, 12, torch.float32))
        pytorchs, masks = nn.TransformerDecoderLayer(12, 3, 20, **options), decoder_masks(lengths, 5, [4, 2], 4)
    else:
        pytorchs, masks = nn.TransformerEncoderLayer(12, 3, 20, **options), encoder_masks(lengths, 5)
    with pytest.raises(AssertionError, match="not close"):
        assert_equal(block, pytorchs, sequences, *masks["both"])
