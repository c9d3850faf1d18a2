import math
from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import drawing
from drawing import EACH_PRECISION, SEEDS, tries
from utils.attention import MultiHeadAttention, causal_mask, scores
from utils.positions import PAIRINGS, alibi, rotate, sinusoidal

assert_close = partial(drawing.assert_close, times=10)
BOTH_PAIRINGS = pytest.mark.parametrize("pairing", PAIRINGS)
SIZES = st.integers(1, 16).map(lambda pairs: 2 * pairs)


READS = {  # {whether the order counts: ways to read}
    False: [lambda inputs: PLAIN(inputs)],
    True: [
        lambda inputs: PLAIN(inputs + sinusoidal(6, 8)),
        lambda inputs: TURNING(inputs),
        lambda inputs: torch.softmax(scores(inputs, inputs) + alibi(8, 6)[0], dim=-1) @ inputs,
    ],
}
torch.manual_seed(0)
PLAIN, TURNING = MultiHeadAttention(8, 2), MultiHeadAttention(8, 2, positions=rotate)


@pytest.mark.parametrize("counts, read", [(counts, read) for counts, reads in READS.items() for read in reads])
def test_the_order_of_tokens_counts_with_positions_and_not_without(counts, read):
    torch.manual_seed(0)
    inputs, order = torch.randn(6, 8), [1, 0, 2, 3, 4, 5]
    apart = (read(inputs[order]) - read(inputs)[order]).abs().max()
    assert apart > 0.01 if counts else apart < 1e-6


@pytest.mark.parametrize("size", [2, 6, 64])
def test_sinusoidal_follows_the_formula(size):
    by_loop = torch.zeros(50, size, dtype=torch.float64)
    for place in range(50):
        for pair in range(size // 2):
            angle = place / 10000 ** (2 * pair / size)
            by_loop[place, 2 * pair], by_loop[place, 2 * pair + 1] = math.sin(angle), math.cos(angle)
    assert_close(sinusoidal(50, size), by_loop.float())


@EACH_PRECISION
@BOTH_PAIRINGS
@tries(60)
@given(SIZES, st.integers(0, 500), st.integers(0, 500), st.integers(0, 500), SEEDS)
def test_rotary_scores_depend_on_the_distance_only(dtype, pairing, size, one, other, shift, seed):
    torch.manual_seed(seed)
    query, key = torch.randn(2, 1, size, dtype=dtype)
    here, there = (
        rotate(query, [one + by], pairing) @ rotate(key, [other + by], pairing).T / size for by in (0, shift)
    )
    assert_close(here, there, dtype)


@EACH_PRECISION
@BOTH_PAIRINGS
def test_rotating_keeps_lengths_and_place_0(dtype, pairing):
    torch.manual_seed(0)
    features = torch.randn(2, 3, 7, 10, dtype=dtype)  # (batch, heads, tokens, head_dim)
    turned = rotate(features, pairing=pairing)
    assert turned.dtype == dtype
    assert_close(turned.norm(dim=-1), features.norm(dim=-1), dtype)
    assert turned[..., 0, :].equal(features[..., 0, :])


def test_one_pair_turns_by_one_radian_a_place():
    turned = rotate(torch.tensor([[1.0, 0.0]] * 4))
    places = torch.arange(4.0)
    assert_close(turned, torch.stack([places.cos(), places.sin()], dim=-1))


@EACH_PRECISION
@tries(60)
@given(SIZES, SEEDS)
def test_the_two_pairings_are_one_model_up_to_a_permutation(dtype, size, seed):
    torch.manual_seed(seed)
    features = torch.randn(2, 5, size, dtype=dtype)
    order = torch.arange(size).unflatten(0, (2, -1)).T.flatten()  # 0, size / 2, 1, size / 2 + 1 ...
    neighbours = rotate(features[..., order], pairing="neighbours")
    assert_close(rotate(features, pairing="halves")[..., order], neighbours, dtype)


@pytest.mark.parametrize(
    "num_heads, slopes",
    [
        (8, [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]),
        (16, [2 ** (-(step + 1) / 2) for step in range(16)]),  # 1 / 2^0.5, 1 / 2^1, 1 / 2^1.5 ... 1 / 2^8
    ],
)
def test_alibis_slopes_are_the_published_ones(num_heads, slopes):
    assert_close(-alibi(num_heads, 2)[:, 1, 0], torch.tensor(slopes))


def test_alibis_penalty_is_the_slope_times_the_distance():
    distances = torch.tensor([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    assert alibi(8, 3)[0].equal(-0.5 * distances)
    assert alibi(8, 3)[7].equal(-distances / 256)


@pytest.mark.parametrize("num_kv_heads", [4, 2, 1])
@pytest.mark.parametrize("causal", [False, True])
def test_rotary_multi_head_attention_is_the_same_fused_and_weighed(num_kv_heads, causal):
    torch.manual_seed(0)
    module, inputs = MultiHeadAttention(16, 4, num_kv_heads, positions=rotate), torch.randn(2, 7, 16)
    output, weights = module(inputs, causal=causal, need_weights=True)
    assert_close(module(inputs, causal=causal), output)
    # Its query and key are turned in each head, and its value is not.
    shared = 4 // num_kv_heads
    layers = module.W_query, module.W_key
    query, key = (layer(inputs).unflatten(-1, (-1, 4)).transpose(1, 2) for layer in layers)
    turned = scores(rotate(query), rotate(key).repeat_interleave(shared, dim=1))
    hidden = ~causal_mask(7) if causal else torch.zeros(7, 7, dtype=torch.bool)
    assert_close(weights, turned.masked_fill(hidden, -math.inf).softmax(dim=-1))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: sinusoidal(4, 5), "5 features cannot be paired; choose an even number"),
        (lambda: rotate(torch.randn(4, 5)), "5 features cannot be paired; choose an even number"),
        (lambda: rotate(torch.randn(4, 6), [0, 1]), r"places has shape \(2,\) but there are 4 tokens; give one for"),
        (lambda: rotate(torch.randn(4, 6), pairing="both"), "pairing is 'both'; choose one of 'halves', 'neighbours'"),
        (lambda: rotate(torch.randn(6)), r"features has shape \(6,\); it needs at least two axes"),
        (lambda: rotate(torch.ones(4, 6).long()), "features has dtype torch.int64; attention needs decimals"),
        (lambda: alibi(6, 4), "num_heads is 6; the slopes are defined for 1, 2, 4, 8 and so on"),
        (lambda: alibi(0, 4), "num_heads is 0"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
