import itertools
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from utils.attention import attention, masked_softmax, project, scores

SIZES = st.integers(1, 8)
BATCHES = st.lists(st.integers(1, 3), max_size=2).map(tuple)
SEEDS = st.integers(0, 2**32 - 1)
WITHIN = {torch.float32: 1e-6, torch.float64: 1e-12}
PRECISIONS = pytest.mark.parametrize("dtype", WITHIN, ids=str)
MANY = settings(max_examples=500, deadline=None, derandomize=True)
SOME = settings(max_examples=100, deadline=None, derandomize=True)


def uniform(*shape, dtype=torch.float32):
    """Draw numbers between -1 and 1 from torch's own generator."""
    return torch.rand(shape, dtype=dtype) * 2 - 1


def assert_close(ours, reference, dtype=torch.float32):
    torch.testing.assert_close(ours, reference, atol=WITHIN[dtype], rtol=0)


@st.composite
def masks(draw, batch, queries, keys):
    """None, or a mask with 1 on any of its axes, fewer batch axes, and sometimes a query that may see nothing."""
    if draw(st.booleans()):
        return None
    whole = (*batch, queries, keys)
    shape = [draw(st.sampled_from([1, size])) for size in whole][draw(st.integers(0, len(batch))) :]
    mask = torch.rand(shape) < 0.7
    if draw(st.booleans()):
        mask[..., 0, :] = False
    return mask


@PRECISIONS
@MANY
@given(st.data(), BATCHES, SIZES, SIZES, SIZES, SIZES, SEEDS)
def test_context_and_gradients_equal_pytorchs(dtype, data, batch, queries, keys, d_k, d_v, seed):
    torch.manual_seed(seed)
    query, key, value, upstream = (
        uniform(*batch, *shape, dtype=dtype) for shape in ((queries, d_k), (keys, d_k), (keys, d_v), (queries, d_v))
    )
    mask = data.draw(masks(batch, queries, keys))
    inputs = [tensor.requires_grad_() for tensor in (query, key, value)]
    ours, weights = attention(*inputs, mask)
    reference = F.scaled_dot_product_attention(*inputs, mask)
    assert_close(ours, reference, dtype)
    assert_close(weights @ value, reference, dtype)
    gradients, expected = (torch.autograd.grad(context, inputs, upstream) for context in (ours, reference))
    assert_close(gradients, expected, dtype)


@SOME
@given(st.data(), BATCHES, SIZES, SIZES, SEEDS)
def test_weights_are_zero_where_masked_and_else_sum_to_one(data, batch, queries, keys, seed):
    torch.manual_seed(seed)
    mask = torch.rand(*batch, queries, keys) < 0.5
    weights = masked_softmax(100 * uniform(*batch, queries, keys), mask)
    assert (weights[~mask] == 0).all()
    assert_close(weights.sum(dim=-1), mask.any(dim=-1).float())


def test_a_masked_key_changes_nothing_however_large():
    query, key, value, mask = uniform(3, 4), uniform(5, 4), uniform(5, 2), torch.ones(3, 5, dtype=torch.bool)
    mask[:, 2] = False
    before, _ = attention(query, key, value, mask)
    key[2], value[2] = 1e6, -1e6
    assert torch.equal(attention(query, key, value, mask)[0], before)


def test_a_query_that_sees_nothing_gets_zeros_and_finite_gradients():
    inputs = [uniform(2, 3, 4).requires_grad_() for _ in range(3)]
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    context, weights = attention(*inputs, mask)
    assert not context[:, 1].any() and not weights[:, 1].any()
    assert all(gradient.isfinite().all() for gradient in torch.autograd.grad(context.sum(), inputs))


@pytest.mark.parametrize("place", range(3), ids=["query", "key", "value"])
def test_nan_in_an_input_stays_visible_beside_a_mask(place):
    inputs = [uniform(3, 4), uniform(3, 4), uniform(3, 2)]
    inputs[place][0, 0] = math.nan
    mask = torch.tensor([[True, True, False], [False, False, False], [True, False, True]])
    context, _ = attention(*inputs, mask)
    assert context[0, 0].isnan()


@SOME
@given(SIZES, SIZES, SIZES, SEEDS)
def test_scores_equal_a_loop_over_queries_keys_and_features(queries, keys, d_k, seed):
    torch.manual_seed(seed)
    query, key, vector = (uniform(*shape, dtype=torch.float64) for shape in ((queries, d_k), (keys, d_k), (d_k,)))
    dot, additive = torch.zeros(2, queries, keys, dtype=torch.float64)
    for row, column, i in itertools.product(range(queries), range(keys), range(d_k)):
        dot[row, column] += query[row, i] * key[column, i]
        additive[row, column] += vector[i] * torch.tanh(query[row, i] + key[column, i])
    assert_close(scores(query, key, "dot"), dot, torch.float64)
    assert_close(scores(query, key), dot / d_k**0.5, torch.float64)
    assert_close(scores(query, key, "additive", vector), additive, torch.float64)


@pytest.mark.parametrize("kind, vector", [("dot", None), ("scaled_dot", None), ("additive", uniform(4))])
def test_a_batch_of_scores_holds_the_scores_of_each_sequence(kind, vector):
    query, key = uniform(2, 3, 5, 4), uniform(2, 3, 6, 4)
    batched = scores(query, key, kind, vector)
    assert batched.shape == (2, 3, 5, 6)
    assert_close(batched[1, 2], scores(query[1, 2], key[1, 2], kind, vector))


@SOME
@given(BATCHES, SIZES, SIZES, SIZES, SIZES, SEEDS)
def test_projection_equals_linear_layers_without_bias(batch, tokens, d_model, d_k, d_v, seed):
    torch.manual_seed(seed)
    inputs = uniform(*batch, tokens, d_model)
    layers = [torch.nn.Linear(d_model, size, bias=False) for size in (d_k, d_k, d_v)]
    ours = project(inputs, *(layer.weight.T for layer in layers))
    assert_close(ours, tuple(layer(inputs) for layer in layers))


QUERY, KEY, VALUE, WEIGHT = uniform(2, 3, 4), uniform(2, 5, 4), uniform(2, 5, 6), uniform(4, 2)
NOT_A_MASK = "boolean tensor in which True means 'may attend', so write mask == 1 or mask == 0"
ILL_SHAPED = r"but the scores have \(2, 3, 5\); give it the scores' shape, with 1 on each axis"


@pytest.mark.parametrize(
    "changed, error, message",
    [
        ({"key": uniform(2, 5, 7)}, ValueError, r"head size 4 but key has 7.*\(2, 3, 4\) and \(2, 5, 7\)"),
        ({"value": uniform(6)}, ValueError, r"value has shape \(6,\).*two axes.*value\[None, :\]"),
        ({"value": VALUE[:, :4]}, ValueError, r"5 tokens but value has 4.*same tokens.*\(2, 5, 4\) and \(2, 4, 6\)"),
        ({"key": KEY[:1]}, ValueError, r"\(2,\) but key has \(1,\).*\.expand.*\(2, 3, 4\) and \(1, 5, 4\)"),
        ({"key": KEY[0]}, ValueError, r"batch axes \(2,\) but key has \(\).*\.expand.*\(2, 3, 4\) and \(5, 4\)"),
        ({"value": VALUE[:1]}, ValueError, r"\(2,\) but value has \(1,\).*\.expand.*\(2, 3, 4\) and \(1, 5, 6\)"),
        ({"query": [[1.0]]}, TypeError, r"query is a list; make it a tensor with torch.tensor\(...\)"),
        ({"value": None}, TypeError, "value is a NoneType; make it a tensor"),
        ({"query": QUERY.long()}, TypeError, r"query has dtype torch.int64.*\.float\(\)"),
        ({"key": KEY.double()}, TypeError, r"query has dtype torch.float32 but key has torch.float64.*\.to\("),
        ({"value": VALUE.double()}, TypeError, r"query has dtype torch.float32 but value has torch.float64.*\.to\("),
        ({"mask": torch.ones(3, 5)}, TypeError, f"mask has dtype torch.float32.*{NOT_A_MASK}"),
        ({"mask": [[True] * 5] * 3}, TypeError, f"mask has type list.*{NOT_A_MASK}"),
        ({"mask": torch.ones(5, 3).bool()}, ValueError, rf"mask has shape \(5, 3\) {ILL_SHAPED}"),
        ({"mask": torch.ones(5).bool()}, ValueError, rf"mask has shape \(5,\) {ILL_SHAPED}"),
        ({"mask": torch.ones(1, 2, 3, 5).bool()}, ValueError, rf"mask has shape \(1, 2, 3, 5\) {ILL_SHAPED}"),
    ],
)
def test_attention_refuses_what_does_not_fit_and_tells_the_way_out(changed, error, message):
    with pytest.raises(error, match=message):
        attention(**{"query": QUERY, "key": KEY, "value": VALUE} | changed)


@pytest.mark.parametrize(
    "step, arguments, error, message",
    [
        (scores, (QUERY, KEY, "cosine"), ValueError, "'cosine'; choose one of 'dot', 'scaled_dot', 'additive'"),
        (scores, (QUERY, KEY, "additive"), ValueError, r"vector of shape \(4,\).*none was given"),
        (scores, (QUERY, KEY, "additive", uniform(4, 1)), ValueError, r"vector of shape \(4,\).*has shape \(4, 1\)"),
        (scores, (QUERY, KEY, "additive", [1.0] * 4), TypeError, "vector is a list; make it a tensor"),
        (scores, (QUERY, KEY, "additive", uniform(4).double()), TypeError, "query has .*32 but vector has .*64"),
        (masked_softmax, ([[1.0]],), TypeError, "scores is a list; make it a tensor"),
        (masked_softmax, (QUERY.long(),), TypeError, r"scores has dtype torch.int64.*\.float\(\)"),
        (project, (QUERY, WEIGHT, WEIGHT.T, WEIGHT), ValueError, r"W_key has shape \(2, 4\) .*transpose"),
        (project, (QUERY, *[uniform(4)] * 3), ValueError, r"W_query has shape \(4,\).*needs shape \(4, \.\.\.\)"),
        (project, (QUERY, *[[[1.0]] * 4] * 3), TypeError, "W_query is a list; make it a tensor"),
        (project, ([[1.0]], *[uniform(1, 1)] * 3), TypeError, "inputs is a list; make it a tensor"),
        (project, (QUERY.long(), *[WEIGHT] * 3), TypeError, "inputs has dtype .*int64 but W_query has .*float32"),
    ],
)
def test_each_step_refuses_what_does_not_fit_and_tells_the_way_out(step, arguments, error, message):
    with pytest.raises(error, match=message):
        step(*arguments)
