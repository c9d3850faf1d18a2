import math
from functools import partial

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from random_cases import BATCHES, EACH_PRECISION, SEEDS, assert_close, tries, uniform
from utils.attention import MultiHeadAttention, attention, padding_mask
from utils.fast import KVCache, tiled_attention
from utils.positions import rotate
from utils.transformer import EncoderBlock, TodaysBlock

SIZES = st.integers(1, 12)


@EACH_PRECISION
@tries(30)
@given(BATCHES, SIZES, SIZES, SIZES, SIZES, st.booleans(), st.integers(1, 5), SEEDS)
@example((2,), 600, 700, 8, 6, True, 256, 0)
def test_tiles_give_the_context_and_the_gradients_of_all_weights_at_once(
    dtype, batch, queries, keys, d_k, d_v, causal, tile, seed
):
    torch.manual_seed(seed)
    shapes = (queries, d_k), (keys, d_k), (keys, d_v)
    inputs = [uniform(*batch, *shape, dtype=dtype).requires_grad_() for shape in shapes]
    exact = [tensor.detach().double().requires_grad_() for tensor in inputs]
    context = tiled_attention(*inputs, causal, tile)
    mask = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries) if causal else None
    expected, _ = attention(*exact, mask)
    assert context.dtype == dtype
    assert_close(context, expected, dtype)
    upstream = torch.ones_like(expected) / max(queries, keys)
    gradients = torch.autograd.grad(context, inputs, upstream.to(dtype))
    assert_close(gradients, torch.autograd.grad(expected, exact, upstream), dtype)


@pytest.mark.parametrize("sign", [1, -1])
def test_scores_beyond_the_reach_of_exp_neither_overflow_nor_vanish(sign):
    torch.manual_seed(0)
    query, value, scale = 1 + torch.rand(3, 4), torch.randn(5, 2), torch.tensor([100.0, 1000.0, 200.0, 3000.0, 500.0])
    key = sign * scale[:, None] * (1 + torch.rand(5, 4))  # the largest score of all comes in the first tile or later
    assert_close(tiled_attention(query, key, value, tile=2), attention(query, key, value)[0])


def test_half_precision_is_summed_in_single():
    halves = [uniform(2000, 8).bfloat16() for _ in range(3)]
    summed = tiled_attention(*(tensor.float() for tensor in halves))
    assert tiled_attention(*halves).equal(summed.bfloat16())


@pytest.mark.parametrize("number", range(3), ids=["query", "key", "value"])
def test_nan_in_an_input_stays_visible(number):
    inputs = [torch.randn(6, 4) for _ in range(3)]
    inputs[number][0, 0] = math.nan
    assert tiled_attention(*inputs, causal=True, tile=2)[0].isnan().any()


def test_a_tile_in_the_future_is_not_read():
    query, key, value = (torch.randn(8, 4) for _ in range(3))
    key[4:] = value[4:] = math.nan
    context = tiled_attention(query, key, value, causal=True, tile=4)
    assert context[:4].isfinite().all() and context[4:].isnan().all()


def test_nothing_as_large_as_the_weights_is_held():
    inputs = [torch.randn(2, 512, 4) for _ in range(3)]
    with torch.profiler.profile(profile_memory=True) as profile:
        tiled_attention(*inputs, causal=True, tile=64)
    largest = max(event.self_cpu_memory_usage for event in profile.events())
    assert 2 * 64 * 64 * 4 <= largest < 2 * 512 * 64 * 4  # a tile for both heads, and less than a row of tiles


@pytest.mark.parametrize("num_kv_heads", [4, 2, 1])
@pytest.mark.parametrize("positions", [None, rotate], ids=["no positions", "rotary"])
@pytest.mark.parametrize("need_weights", [False, True], ids=["fused", "weighed"])
@pytest.mark.parametrize("chunks", [[1] * 7, [3, 1, 3], [7]], ids=str)
def test_with_a_cache_each_token_is_computed_once_and_learns_as_without(num_kv_heads, positions, need_weights, chunks):
    torch.manual_seed(0)
    module, inputs = MultiHeadAttention(16, 4, num_kv_heads, positions=positions), torch.randn(2, 7, 16)
    padding = padding_mask([7, 5], 7).flip(-1)  # in front, as sentences of unequal length are padded to be continued
    for mask in (None, padding):
        cache, outputs, lengths = KVCache(), [], []
        for chunk in inputs.split(chunks, dim=1):
            padding_so_far = None if mask is None else mask[..., : len(cache) + chunk.shape[1]]
            answer = module(chunk, mask=padding_so_far, causal=True, need_weights=need_weights, cache=cache)
            outputs.append(answer[0] if need_weights else answer)
            lengths.append(len(cache))
        assert lengths == torch.tensor(chunks).cumsum(0).tolist()
        contexts = torch.cat(outputs, dim=1), module(inputs, mask=mask, causal=True)
        assert_close(*contexts)
        gradients = (torch.autograd.grad(context.square().sum(), module.parameters()) for context in contexts)
        assert_close(*gradients, times=10)


@torch.no_grad()
def test_without_causal_new_tokens_see_each_other_and_all_before():
    module, inputs, cache = MultiHeadAttention(16, 4), torch.randn(7, 16), KVCache()
    module(inputs[:4], cache=cache)
    assert_close(module(inputs[4:], cache=cache), module(inputs)[4:])


@pytest.mark.parametrize("kind", [partial(EncoderBlock, positions=rotate), partial(TodaysBlock, num_kv_heads=2)])
@torch.no_grad()
def test_a_block_goes_on_from_its_cache(kind):
    torch.manual_seed(0)
    block, inputs, cache = kind(16, 4, 20), torch.randn(2, 7, 16), KVCache()
    assert block.attention.positions is rotate
    outputs = [block(chunk, causal=True, cache=cache) for chunk in inputs.split([2, 4, 1], dim=1)]
    assert_close(torch.cat(outputs, dim=1), block(inputs, causal=True))
