import itertools
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from drawing import BATCHES, EACH_PRECISION, SEEDS, SIZES, assert_close, masks, tries, uniform
from utils.attention import attention, masked_softmax, scores


@EACH_PRECISION
@tries(60)
@given(st.data(), BATCHES, SIZES, SIZES, SIZES, SIZES, SEEDS)
def test_context_and_gradients_equal_pytorchs(dtype, data, batch, queries, keys, d_k, d_v, seed):
    torch.manual_seed(seed)
    query, key, value, upstream = (
        uniform(*batch, *shape, dtype=dtype) for shape in ((queries, d_k), (keys, d_k), (keys, d_v), (queries, d_v))
    )
    mask = data.draw(masks([(), batch[1:], batch], queries, keys))
    inputs = [tensor.requires_grad_() for tensor in (query, key, value)]
    ours, weights = attention(*inputs, mask)
    reference = F.scaled_dot_product_attention(*inputs, mask)
    assert_close(ours, reference, dtype)
    assert_close(weights @ value, reference, dtype)
    gradients, expected = (torch.autograd.grad(context, inputs, upstream) for context in (ours, reference))
    assert_close(gradients, expected, dtype)


def test_a_masked_key_gets_no_weight_however_low_the_others_score():
    low = torch.tensor([[-1e6, -1e6, 3.0]])
    assert masked_softmax(low, torch.tensor([[True, True, False]])).tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize("number", range(3), ids=["query", "key", "value"])
def test_nan_in_an_input_stays_visible_beside_a_mask(number):
    inputs = [uniform(3, 4), uniform(3, 4), uniform(3, 2)]
    inputs[number][0, 0] = math.nan
    mask = torch.tensor([[True, True, False], [False, False, False], [True, False, True]])
    context, _ = attention(*inputs, mask)
    assert context[0, 0].isnan()


@tries(25)
@given(BATCHES, SIZES, SIZES, SIZES, SEEDS)
def test_scores_equal_a_loop_over_queries_keys_and_features(batch, queries, keys, d_k, seed):
    torch.manual_seed(seed)
    shapes = (*batch, queries, d_k), (*batch, keys, d_k), (d_k,)
    query, key, vector = (uniform(*shape, dtype=torch.float64) for shape in shapes)
    dot, additive = torch.zeros(2, *batch, queries, keys, dtype=torch.float64)
    for row, column, i in itertools.product(range(queries), range(keys), range(d_k)):
        dot[..., row, column] += query[..., row, i] * key[..., column, i]
        additive[..., row, column] += vector[i] * torch.tanh(query[..., row, i] + key[..., column, i])
    assert_close(scores(query, key, "dot"), dot, torch.float64)
    assert_close(scores(query, key), dot / d_k**0.5, torch.float64)
    assert_close(scores(query, key, "additive", vector), additive, torch.float64)
