import itertools
import math
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from hypothesis import example, given
from hypothesis import strategies as st

from random_cases import BATCHES, EACH_PRECISION, SEEDS, SIZES, assert_close, masks, tries, uniform
from utils.attention import MultiHeadAttention, SelfAttention, attention, masked_softmax, padding_mask, scores
from utils.fast import KVCache
from utils.positions import rotate
from utils.pytorch import as_pytorch, pytorchs_names

HEADS = st.sampled_from([(1, 1), (2, 1), (3, 3), (4, 2), (6, 2)])  # how many, and how many for keys and values
assert_sums_close = partial(assert_close, times=10)


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


@EACH_PRECISION
@tries(20)
@given(st.data(), BATCHES, SIZES, SIZES, SIZES, SEEDS)
def test_self_attention_and_its_gradients_equal_pytorchs(dtype, data, batch, tokens, d_in, d_out, seed):
    torch.manual_seed(seed)
    module, inputs = SelfAttention(d_in, d_out).to(dtype), torch.randn(*batch, tokens, d_in, dtype=dtype)
    mask = data.draw(masks([(), batch], tokens, tokens))
    sources = [inputs.requires_grad_(), *module.parameters()]
    ours, weights = module(inputs, mask)
    reference = F.scaled_dot_product_attention(*(inputs @ matrix.T for matrix in module.parameters()), mask)
    assert_sums_close((ours, weights @ module.W_value(inputs)), (reference, reference), dtype)
    upstream = torch.randn_like(ours)
    assert_sums_close(*(torch.autograd.grad(context, sources, upstream) for context in (ours, reference)), dtype)


def assert_equals_pytorchs(module, inputs, memory, ours, theirs):
    """Compare output, weights and all gradients; ours and theirs: the options that mean the same to each module."""
    dtype, upstream, read = inputs.dtype, torch.randn_like(inputs), inputs if memory is None else memory
    pytorchs = as_pytorch(module)
    for need_weights in (False, True):
        options = {"need_weights": need_weights, "average_attn_weights": False, **theirs}
        expected, their_weights = pytorchs(inputs, read, read, **options)
        output = module(inputs, memory, need_weights=need_weights, **ours)
        if need_weights:
            output, weights = output
            assert_sums_close(weights, their_weights, dtype)
        assert_sums_close(output, expected, dtype)
        gradients = torch.autograd.grad(output, [inputs, read, *module.parameters()], upstream)
        reference = torch.autograd.grad(expected, [inputs, read, *pytorchs.parameters()], upstream)
        assert_sums_close(gradients[:2], reference[:2], dtype)
        parameters = pytorchs_names(dict(zip(dict(module.named_parameters()), gradients[2:])))
        assert_sums_close(tuple(parameters.values()), reference[2:], dtype)


@EACH_PRECISION
@tries(20)
@given(st.data(), st.booleans(), st.booleans(), SIZES, SIZES, SIZES, st.integers(1, 4), SEEDS)
def test_many_heads_equal_pytorchs_under_each_mask(dtype, data, bias, crossed, queries, keys, head_dim, heads, seed):
    torch.manual_seed(seed)
    keys = keys if crossed else queries
    lengths = data.draw(st.lists(st.integers(1, keys), min_size=1, max_size=3))
    module, batch = MultiHeadAttention(heads * head_dim, heads, bias=bias).to(dtype), len(lengths)
    inputs, memory = (
        torch.randn(batch, tokens, module.d_model, dtype=dtype, requires_grad=True) for tokens in (queries, keys)
    )
    padding, each_head = padding_mask(lengths, keys), torch.rand(batch, heads, queries, keys) < 0.7
    each_head[..., 0] = True  # PyTorch's module answers nan where nothing may be attended to
    future = ~torch.ones(queries, keys).tril().bool()
    cases = [
        ({}, {}),
        ({"mask": ~future}, {"attn_mask": future}),
        ({"mask": padding}, {"key_padding_mask": ~padding[:, 0]}),
        ({"mask": each_head}, {"attn_mask": ~each_head.flatten(0, 1)}),
    ]
    if not crossed:
        cases += [
            ({"causal": True}, {"attn_mask": future}),
            ({"causal": True, "mask": padding}, {"attn_mask": future, "key_padding_mask": ~padding[:, 0]}),
        ]
    for ours, theirs in cases:
        assert_equals_pytorchs(module, inputs, memory if crossed else None, ours, theirs)


@EACH_PRECISION
@tries(20)
@given(SIZES, SIZES, SIZES, SEEDS)
def test_a_memory_of_fewer_features_is_read_as_one_with_zeros_behind_them(dtype, queries, keys, d_memory, seed):
    torch.manual_seed(seed)
    module, wide = MultiHeadAttention(12, 3, d_memory=d_memory).to(dtype), MultiHeadAttention(12, 3).to(dtype)
    parameters = module.state_dict().items()
    wide.load_state_dict({name: F.pad(numbers, (0, 12 - numbers.shape[-1])) for name, numbers in parameters})
    inputs, memory = (torch.randn(2, *axes, dtype=dtype) for axes in ((queries, 12), (keys, d_memory)))
    expected = wide(inputs, F.pad(memory, (0, 12 - d_memory)), need_weights=True)
    assert_sums_close(module(inputs, memory, need_weights=True), expected, dtype)


@EACH_PRECISION
@tries(20)
@given(st.data(), BATCHES, SIZES, SIZES, HEADS, st.booleans(), SEEDS)
@example(None, (2,), 700, 700, (2, 1), True, 0)
def test_output_is_the_same_with_weights_and_without(dtype, data, batch, queries, keys, heads, causal, seed):
    torch.manual_seed(seed)
    module, keys = MultiHeadAttention(24, *heads, positions=torch.tanh).to(dtype), queries if causal else keys
    inputs, memory = (torch.randn(*batch, tokens, 24, dtype=dtype) for tokens in (queries, keys))
    memory = inputs if causal else memory
    long = data is None  # sequences that PyTorch's kernels cut into tiles
    mask = padding_mask([0, 650], 700) if long else data.draw(masks([(), batch, (*batch, heads[0])], queries, keys))
    output, weights = module(inputs, memory, mask=mask, causal=causal, need_weights=True)
    assert_sums_close(module(inputs, memory, mask=mask, causal=causal), output, dtype)
    assert weights.shape == (*batch, heads[0], queries, keys)
    blind = (weights == 0).all(dim=-1).all(dim=-2)  # in every head: nothing was read, only the bias is left
    assert_sums_close(output[blind], module.W_output.bias.expand_as(output[blind]), dtype)


@pytest.mark.parametrize("batch", [(), (3,)], ids=str)
@pytest.mark.parametrize("heads", [(4, 4), (4, 1)], ids=["each its own", "grouped"])
def test_no_matrix_of_weights_is_made_unless_asked_for(batch, heads):
    module, inputs, largest = MultiHeadAttention(8, *heads), torch.randn(*batch, 512, 8), []
    for need_weights in (False, True):
        with torch.profiler.profile(profile_memory=True) as profile:
            output = module(inputs, causal=True, need_weights=need_weights)
            (output[0] if need_weights else output).sum().backward()
        largest.append(max(event.self_cpu_memory_usage for event in profile.events()))
    assert largest[0] < 4 * 512 * 512  # bytes a weight, queries, keys: less than one head of one sentence
    assert largest[1] >= 4 * 4 * 512 * 512  # all four heads: the profiler sees them


def test_lengths_may_be_a_list_or_a_tensor_and_zero():
    for lengths in ([0, 1, 2], torch.tensor([0, 1, 2]), torch.tensor([0, 1, 2], dtype=torch.int32)):
        assert padding_mask(lengths, 2).tolist() == [[[False, False]], [[True, False]], [[True, True]]]


def test_the_padding_mask_is_made_where_the_lengths_are():
    none = torch.empty(0, dtype=torch.long, device="meta")  # the one device beside the CPU that every machine has
    assert padding_mask(none, 2).device.type == "meta"


def test_the_causal_mask_is_made_where_the_inputs_are():
    module, mask = MultiHeadAttention(8, 2, positions=rotate).to("meta"), torch.ones(1, 5).bool().to("meta")
    for options in ({"need_weights": True}, {"mask": mask}, {"cache": KVCache()}):
        module(torch.zeros(3, 5, 8, device="meta"), causal=True, **options)
