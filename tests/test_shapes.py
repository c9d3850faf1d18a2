"""What does not fit is refused, with what was given, what was expected, and what to do."""

import pytest
import torch

from random_cases import uniform
from utils.attention import (
    MultiHeadAttention,
    SelfAttention,
    attention,
    causal_mask,
    masked_softmax,
    merge_heads,
    padding_mask,
    project,
    scores,
    split_heads,
)
from utils.fast import KVCache, tiled_attention
from utils.positions import alibi, rotate, sinusoidal
from utils.pytorch import as_pytorch
from utils.transformer import DecoderBlock, EncoderBlock, FeedForward, SwiGLU, TodaysBlock

Q, K, V, W = uniform(2, 3, 4), uniform(2, 5, 4), uniform(2, 5, 6), uniform(4, 2)
X, HEADS, MODULE = uniform(2, 5, 8), uniform(2, 3, 5, 4), MultiHeadAttention(8, 2)
NOT_A_MASK = "boolean tensor in which True means 'may attend', so write mask == 1 or mask == 0"
ILL_SHAPED = r"but the scores have \(2, 3, 5\); give it the scores' shape, with 1 on each axis"
NOT_WHOLE = "give one whole number for each sentence"

WRONG_SHAPES = [
    (lambda: attention(Q, uniform(2, 5, 7), V), r"head size 4 but key has 7.*\(2, 3, 4\) and \(2, 5, 7\)"),
    (lambda: attention(Q, K, uniform(6)), r"value has shape \(6,\).*2 axes.*value\[None, :\]"),
    (lambda: attention(Q, K, V[:, :4]), r"5 tokens but value has 4.*same tokens.*\(2, 5, 4\) and \(2, 4, 6\)"),
    (lambda: attention(Q, K[:1], V), r"\(2,\) but key has \(1,\).*\.expand.*\(2, 3, 4\) and \(1, 5, 4\)"),
    (lambda: attention(Q, K, V[0]), r"batch axes \(2,\) but value has \(\).*\.expand.*\(2, 3, 4\) and \(5, 6\)"),
    (lambda: attention(Q, K, V, torch.ones(5, 3).bool()), rf"mask has shape \(5, 3\) {ILL_SHAPED}"),
    (lambda: scores(Q, K, "cosine"), "'cosine'; choose one of 'dot', 'scaled_dot', 'additive'"),
    (lambda: scores(Q, K, "additive"), r"vector of shape \(4,\).*none was given"),
    (lambda: scores(Q, K, "additive", uniform(3)), r"vector of shape \(4,\).*the one given has shape \(3,\)"),
    (lambda: project(Q, W, W.T, W), r"W_key has shape \(2, 4\) .*transpose"),
    (lambda: project(Q, W, W, W.T), r"W_value has shape \(2, 4\) .*transpose"),
    (lambda: masked_softmax(uniform(4)), r"2 axes \(queries, keys\): write scores\[None, :\]"),
    (lambda: project(Q, *[uniform(4)] * 3), r"W_query has shape \(4,\).*needs shape \(4, \.\.\.\)"),
    (lambda: MultiHeadAttention(8, 3), "8 features cannot be cut into 3 heads; choose a divisor of 8"),
    (lambda: MultiHeadAttention(8, 4, 3), "4 query heads cannot share 3 key heads; choose a divisor of 4"),
    (lambda: MultiHeadAttention(8, 4, 0), "num_kv_heads is 0; give 1 or more"),
    (lambda: as_pytorch(MultiHeadAttention(8, 4, positions=rotate)), "positions is given, and PyTorch's .*; leave it"),
    (
        lambda: as_pytorch(MultiHeadAttention(8, 4, 2)),
        r"W_key has shape \(4, 8\), and in PyTorch's module \(8, 8\); le",
    ),
    (lambda: MODULE(X[..., :6]), r"inputs has 6 features.*made for 8 \(shape \(2, 5, 6\).*project"),
    (lambda: MODULE(X, X[..., :6]), r"memory has 6 features.*made for 8.*\(2, 5, 6\)"),
    (lambda: MODULE(X[0, 0]), r"inputs has shape \(8,\).*at least 2 axes"),
    (lambda: MODULE(X, X[:1]), r"inputs has batch axes \(2,\) but memory has \(1,\)"),
    (lambda: MODULE(X, X.flip(1), causal=True), "but the inputs read a memory; leave it out"),
    (lambda: merge_heads(X[0]), r"context has shape \(5, 8\); it needs at least 3 axes \(heads, tokens, head_dim\)"),
    (lambda: split_heads(X, 0), "num_heads is 0; give 1 or more"),
    (lambda: split_heads(X[..., :6], 4), "^6 features cannot be cut into 4 heads; choose a divisor of 6"),
    (lambda: split_heads(X[0, 0], 2), r"features has shape \(8,\); it needs at least 2 axes"),
    (lambda: MODULE(X, mask=causal_mask(5)[0]), r"mask has shape \(5,\) but the scores have \(2, 2, 5, 5\)"),
    (lambda: MODULE(X, mask=padding_mask([3, 2], 4)), r"mask has shape \(2, 1, 4\) but the scores have \(2, 5, 5\)"),
    (lambda: padding_mask([1, 6], 5), "lengths run from 1 to 6; they must lie between 0 and 5"),
    (lambda: padding_mask([-1, 5], 5), "lengths run from -1 to 5"),
    (lambda: DecoderBlock(8, 2, 20)(X, X, memory_mask=X.new_ones(1, 2, 2, 5, 5) > 0), r"mask .*\(1, 2, 2, 5, 5\)"),
    (lambda: DecoderBlock(8, 2, 20)(X[..., :6], X), "inputs has 6 features .* made for 8 .*project"),
    (lambda: tiled_attention(HEADS, HEADS, HEADS, tile=0), "tile is 0; give 1 or more"),
    (lambda: causal_mask(-1), "num_tokens is -1; give 0 or more"),
    (lambda: sinusoidal(4, 5), "5 features cannot be paired; choose an even number"),
    (lambda: rotate(X[..., :5]), "5 features cannot be paired; choose an even number"),
    (lambda: rotate(X, [0, 1]), r"places has shape \(2,\) but there are 5 tokens; give one for"),
    (lambda: rotate(X, [[0]] * 5), r"places has shape \(5, 1\) but there are 5 tokens"),
    (lambda: rotate(X, pairing="both"), "pairing is 'both'; choose one of 'halves', 'neighbors'"),
    (lambda: rotate(X[0, 0]), r"features has shape \(8,\); it needs at least 2 axes"),
    (lambda: alibi(6, 4), "num_heads is 6; the slopes are defined for 1, 2, 4, 8 and so on"),
    (lambda: alibi(0, 4), "num_heads is 0"),
]
for part in (FeedForward(8, 20), SwiGLU(8, 20), EncoderBlock(8, 2, 20), TodaysBlock(8, 2, 20)):
    WRONG_SHAPES.append((lambda part=part: part(X[..., :6]), "inputs has 6 features .* made for 8 .*project"))
WRONG_TYPES = [
    (lambda: attention([[1.0]], K, V), r"query is a list; make it a tensor with torch.tensor\(...\)"),
    (lambda: attention(Q, [[1.0]], V), "key is a list; make it a tensor"),
    (lambda: attention(Q.long(), K, V), r"query has dtype torch.int64.*\.float\(\)"),
    (lambda: attention(Q, K.double(), V), r"query has dtype torch.float32 but key has torch.float64.*\.to\("),
    (lambda: attention(Q, K, V.double()), "float32 but value has torch.float64"),
    (lambda: attention(Q, K, V, torch.ones(3, 5)), f"mask has dtype torch.float32.*{NOT_A_MASK}"),
    (lambda: attention(Q, K, V, [[True]]), f"mask has type list.*{NOT_A_MASK}"),
    (lambda: scores(Q, K, "additive", [1.0] * 4), "vector is a list; make it a tensor"),
    (lambda: scores(Q, K, "additive", uniform(4).double()), "query has .*32 but vector has .*64"),
    (lambda: masked_softmax([[1.0]]), "scores is a list; make it a tensor"),
    (lambda: masked_softmax(Q.long()), r"scores has dtype torch.int64.*\.float\(\)"),
    (lambda: project(Q, *[[[1.0]] * 4] * 3), "W_query is a list; make it a tensor"),
    (lambda: project([[1.0]], *[uniform(1, 1)] * 3), "inputs is a list; make it a tensor"),
    (lambda: project(Q.long(), *[W] * 3), "inputs has dtype .*int64 but W_query has .*float32"),
    (lambda: MODULE(X, causal_mask(5)), "memory is a boolean tensor; if it is a mask, .* mask="),
    (lambda: MODULE(X.double()), "inputs has dtype torch.float64 but this module's weight has"),
    (lambda: MODULE(X, mask=torch.ones(5, 5).long()), "mask has dtype torch.int64.*mask == 1"),
    (lambda: SelfAttention(8, 4)([[1.0] * 8]), "inputs is a list; make it a tensor"),
    (lambda: split_heads([[1.0]], 1), "features is a list; make it a tensor"),
    (lambda: padding_mask([1.0], 5), rf"lengths has shape \(1,\) and .*float32; {NOT_WHOLE}"),
    (lambda: padding_mask([[1]], 5), rf"lengths has shape \(1, 1\) and .*int64; {NOT_WHOLE}"),
    (lambda: causal_mask(2.5), "num_tokens is 2.5; give a whole number"),
    (lambda: causal_mask(2, num_past=1.0), "num_past is 1.0; give a whole number"),
    (lambda: MultiHeadAttention(8.0, 2), "d_model is 8.0; give a whole number"),
    (lambda: MultiHeadAttention(8, 4, 2.0), "num_kv_heads is 2.0; give a whole number"),
    (lambda: split_heads(X, 2.0), "num_heads is 2.0; give a whole number"),
    (lambda: tiled_attention(HEADS, HEADS, HEADS, tile=2.5), "tile is 2.5; give a whole number"),
    (lambda: padding_mask([1], 2.5), "num_tokens is 2.5; give a whole number"),
    (lambda: sinusoidal(2.5, 4), "num_tokens is 2.5; give a whole number"),
    (lambda: alibi(8, 2.5), "num_tokens is 2.5; give a whole number"),
    (lambda: alibi(8.0, 2), "num_heads is 8.0; give a whole number"),
    (lambda: rotate(X.long()), "features has dtype torch.int64; attention needs decimals"),
    (lambda: EncoderBlock(8, 2, 20, positions="rotate"), "positions is 'rotate'; give a function, such as utils.pos"),
    (lambda: tiled_attention(HEADS, HEADS, HEADS.double()), "float32 but value has torch.float64"),
]
CANNOT_CONTINUE = [  # a cache of HEADS, and of values with 6 features
    (lambda cache: cache.append(HEADS[:1], HEADS[:1]), r"key has batch axes \(1,\) but .* \(2,\).*another KVCache"),
    (lambda cache: cache.append(HEADS[:, :1], HEADS), r"key has heads \(1,\) but the .* \(3,\).*\(2, 3, 5, 4\)"),
    (lambda cache: cache.append([[1.0]], HEADS), "key is a list; make it a tensor"),
    (lambda cache: cache.append(HEADS, [[1.0]]), "value is a list; make it a tensor"),
    (lambda cache: cache.append(HEADS[..., :2], HEADS), r"key has head size \(2,\) but the cache holds \(4,\)"),
    (lambda cache: cache.append(HEADS, HEADS[:, :, :2]), "key has 5 tokens but value has 2; each key needs"),
    (lambda cache: cache.append(HEADS, HEADS), r"value has head size \(4,\) but the cache holds \(6,\)"),
    (lambda cache: cache.append(HEADS, HEADS.double()), "value has dtype torch.float64 but the cache has .*float32"),
    (lambda cache: MODULE(X, X, cache=cache), "a cache is for a sequence that reads itself; leave it out"),
    (lambda cache: MODULE(X, mask=causal_mask(5), cache=cache), r"mask has shape \(5, 5\) but .* \(2, 2, 5, 10\)"),
]


REFUSED = [(ValueError, *row) for row in WRONG_SHAPES] + [(TypeError, *row) for row in WRONG_TYPES]


@pytest.mark.parametrize("error, call, message", REFUSED)
def test_what_does_not_fit_is_refused_with_a_way_out(error, call, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("call, message", CANNOT_CONTINUE)
def test_what_cannot_continue_a_cache_is_refused_and_leaves_it(call, message):
    cache, values = KVCache(), uniform(2, 3, 5, 6)
    cache.append(HEADS, values)
    with pytest.raises((ValueError, TypeError), match=message):
        call(cache)
    assert len(cache) == 5 and cache.key is HEADS and cache.value is values
