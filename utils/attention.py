"""Attention: its steps, its masks and its modules. Built in notebooks 03 to 10.

Axes: (..., tokens, features). Anything before the last two axes is a batch, and must be equal in all inputs.
Masks are boolean, and True means "may attend", as in `torch.nn.functional.scaled_dot_product_attention`.

Each function first refuses what does not fit, in a line or two, `shapes.check_...`. What follows is the idea.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from utils import shapes

KINDS = ("dot", "scaled_dot", "additive")


def project(inputs, W_query, W_key, W_value):
    """Turn each token into its query, key and value: inputs @ W_query, inputs @ W_key, inputs @ W_value.

    inputs: (..., tokens, d_model); W_query and W_key: (d_model, d_k); W_value: (d_model, d_v).
    Returns query and key (..., tokens, d_k) and value (..., tokens, d_v).
    Raises ValueError if a matrix does not have d_model rows, TypeError for different dtypes.
    Built in notebook 03. Vaswani et al., "Attention Is All You Need", 2017, section 3.2.
    >>> query, key, value = project(torch.ones(6, 16), torch.ones(16, 24), torch.ones(16, 24), torch.ones(16, 28))
    >>> query.shape, key.shape, value.shape
    (torch.Size([6, 24]), torch.Size([6, 24]), torch.Size([6, 28]))
    """
    shapes.check_projection(inputs, W_query=W_query, W_key=W_key, W_value=W_value)
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def scores(query, key, kind="scaled_dot", vector=None):
    """Measure how well each query matches each key, before softmax.

    query: (..., queries, d_k); key: (..., keys, d_k). Returns (..., queries, keys).
    kind: "dot" is q·k; "scaled_dot" divides that by sqrt(d_k); "additive" is vector·tanh(q + k),
    with a learned `vector` (d_k,).
    Raises ValueError for unequal head sizes or batch axes, fewer than two axes, or an unknown kind.
    Built in notebook 04. Dot and scaled: Vaswani et al., 2017, section 3.2.1.
    Additive: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
    Translate", 2015, section A.1.2.
    >>> scores(torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[1.0, 1.0], [3.0, 0.0]]), "dot").tolist()
    [[1.0, 3.0], [2.0, 0.0]]
    """
    shapes.check_scores(query, key, kind, KINDS, vector)
    if kind == "additive":
        pairs = query.unsqueeze(-2) + key.unsqueeze(-3)  # (..., queries, keys, d_k)
        return torch.tanh(pairs) @ vector
    dot_products = query @ key.transpose(-2, -1)  # (..., queries, keys)
    return dot_products / math.sqrt(query.shape[-1]) if kind == "scaled_dot" else dot_products


def masked_softmax(scores, mask=None):
    """Turn scores into weights: no number is negative, and each row sums to 1.

    scores: (..., queries, keys); mask: boolean, broadcastable to the scores, True = may attend.
    A query that may attend to nothing gets a row of zeros, as in PyTorch's own attention.
    Raises TypeError for scores without decimals or a mask that is not boolean, ValueError for a wrong shape.
    Built in notebook 05 (softmax) and 06 (mask).
    >>> masked_softmax(torch.zeros(2, 3), torch.tensor([[True, True, False], [False, False, False]]))
    tensor([[0.5000, 0.5000, 0.0000],
            [0.0000, 0.0000, 0.0000]])
    """
    shapes.check_tensor("scores", scores, axes="queries, keys")
    shapes.check_mask(mask, scores.shape)
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(torch.where(mask, scores, -math.inf), dim=-1)
    # Softmax over nothing is 0/0 = nan. Filling only what is masked leaves other nan visible.
    return torch.where(mask, weights, 0.0)


def attention(query, key, value, mask=None):
    """Let each query gather a weighted average of the values: softmax(query · keyᵀ / sqrt(d_k)) · value.

    query: (..., queries, d_k); key: (..., keys, d_k); value: (..., keys, d_v);
    mask: boolean, broadcastable to (..., queries, keys), True = may attend.
    Returns context (..., queries, d_v) and weights (..., queries, keys).
    Raises ValueError for shapes that do not fit, TypeError for dtypes that do not.
    Built in notebook 06. Vaswani et al., 2017, equation 1: scaled dot-product attention.
    >>> attention(torch.zeros(1, 2), key=torch.ones(2, 2), value=torch.tensor([[1.0], [3.0]]))
    (tensor([[2.]]), tensor([[0.5000, 0.5000]]))
    """
    shapes.check_attention(query, key, value)
    weights = masked_softmax(scores(query, key), mask)
    return weights @ value, weights


def split_heads(features, num_heads):
    """Cut each token's features into heads: head 0 gets the first, head 1 the next, and so on.

    features: (..., tokens, num_heads * head_dim). Returns (..., heads, tokens, head_dim).
    Raises ValueError if the features cannot be cut evenly, TypeError for a number that is not whole.
    Built in notebook 09. Vaswani et al., 2017, section 3.2.2.
    >>> split_heads(torch.tensor([[0, 1, 2, 3], [4, 5, 6, 7]]), num_heads=2).tolist()
    [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]
    """
    shapes.check_axes("features", features, "tokens, features")
    shapes.check_heads(features.shape[-1], num_heads, num_heads)
    return features.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def merge_heads(context):
    """Lay the heads side by side again, token by token: the way back from `split_heads`.

    context: (..., heads, tokens, head_dim). Returns (..., tokens, heads * head_dim).
    Raises ValueError if an axis is missing. Built in notebook 09. Vaswani et al., 2017, section 3.2.2.
    >>> merge_heads(torch.tensor([[[0, 1], [4, 5]], [[2, 3], [6, 7]]])).tolist()
    [[0, 1, 2, 3], [4, 5, 6, 7]]
    """
    shapes.check_axes("context", context, "heads, tokens, head_dim")
    return context.transpose(-3, -2).flatten(-2)


def causal_mask(num_tokens, num_past=0):
    """Let each token attend to itself and to the tokens before it.

    num_past: how many earlier tokens, which a cache holds, all of these tokens may attend to.
    Returns (num_tokens, num_past + num_tokens), True = may attend.
    Raises TypeError for a number that is not whole, ValueError for one below 0.
    Built in notebook 08. Vaswani et al., 2017, section 3.2.3.
    >>> causal_mask(3) * 1
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]])
    """
    shapes.check_whole(num_tokens=num_tokens, num_past=num_past)
    return torch.ones(num_tokens, num_past + num_tokens, dtype=torch.bool).tril(num_past)


def padding_mask(lengths, num_tokens):
    """Let no token attend to the padding behind a sentence's end.

    lengths: how many real tokens each sentence has, a list or a tensor (batch,).
    Returns (batch, 1, num_tokens), True = may attend; the axis of size 1 is broadcast over the queries.
    Raises TypeError for numbers that are not whole, ValueError for one below 0 or above num_tokens.
    Written in the assignment on masks, and used from notebook 06 on.
    >>> (padding_mask([3, 1], num_tokens=3) * 1).tolist()
    [[[1, 1, 1]], [[1, 0, 0]]]
    """
    shapes.check_whole(num_tokens=num_tokens)
    lengths = shapes.as_tensor(lengths)
    shapes.check_lengths(lengths, num_tokens)
    positions = torch.arange(num_tokens, device=lengths.device)
    return (positions < lengths[:, None]).unsqueeze(-2)


class SelfAttention(nn.Module):
    """One head: three learned projections of the same inputs, then attention.

    d_in: features of the inputs (..., tokens, d_in); d_out: features of query, key, value and context.
    Built in notebook 07. Vaswani et al., 2017, section 3.2.1.
    """

    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, inputs, mask=None):
        """Return context (..., tokens, d_out) and weights (..., tokens, tokens); errors as in `attention`."""
        shapes.check_sequences(inputs, inputs, self.W_query, self.W_key)
        return attention(self.W_query(inputs), self.W_key(inputs), self.W_value(inputs), mask)


class MultiHeadAttention(nn.Module):
    """Several heads side by side, each on its own part of the features; self-attention and cross-attention in one.

    d_model: features of inputs and output, cut evenly among num_heads;
    num_kv_heads: how many key and value heads the query heads share, all of them if not given;
    d_memory: features of the memory, d_model if not given;
    positions: what each query and key goes through before the scores, such as `utils.positions.rotate`: a function
    of (..., heads, tokens, head_dim) that returns the same shape; nothing if not given. With a cache it also gets
    the tokens' positions (tokens,); bias: whether the four layers add a learned number to each feature they make.
    Raises ValueError if the sizes cannot be cut evenly, TypeError if they are not whole or positions are no function.
    Built in notebooks 09 and 10. Vaswani et al., 2017, section 3.2.2. Shared heads: Ainslie et al., "GQA", 2023.
    """

    def __init__(self, d_model, num_heads, num_kv_heads=None, d_memory=None, positions=None, bias=True):
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        d_memory = d_model if d_memory is None else d_memory
        shapes.check_heads(d_model, num_heads, num_kv_heads)
        shapes.check_positions(positions)
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.positions = positions
        self.W_query = nn.Linear(d_model, d_model, bias=bias)
        self.W_key = nn.Linear(d_memory, num_kv_heads * self.head_dim, bias=bias)
        self.W_value = nn.Linear(d_memory, num_kv_heads * self.head_dim, bias=bias)
        self.W_output = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, inputs, memory=None, *, mask=None, causal=False, need_weights=False, cache=None):
        """Let the inputs read the memory, or themselves if there is none.

        inputs: (..., queries, d_model); memory: (..., keys, d_memory);
        mask: boolean, True = may attend, (queries, keys), (batch, queries or 1, keys) or (batch, heads or 1, ...);
        causal: also hide from each token what comes after it;
        cache: a `utils.fast.KVCache` of the tokens before the inputs, to which the inputs are added. The keys are then
        all tokens so far, in the mask and in the weights as well.
        Returns the output (..., queries, d_model); with need_weights=True, output and weights
        (..., heads, queries, keys). Without need_weights, and for at most one batch axis, no matrix of weights
        is stored; a mask costs one float matrix of its own size.
        Raises ValueError for shapes that do not fit or a memory beside a cache, TypeError for dtypes that do not.
        """
        shapes.check_reading(self, inputs, memory, causal, cache)
        memory = inputs if memory is None else memory
        num_past = 0 if cache is None else len(cache)
        query = split_heads(self.W_query(inputs), self.num_heads)  # (batch, heads, query, head_dim)
        key = split_heads(self.W_key(memory), self.num_kv_heads)  # (batch, kv heads, key, head_dim)
        value = split_heads(self.W_value(memory), self.num_kv_heads)
        mask = self._per_head(mask, query, num_past + key.shape[-2], inputs.ndim)
        if self.positions is not None:
            where = () if cache is None else (torch.arange(num_past, num_past + key.shape[-2], device=key.device),)
            query, key = self.positions(query, *where), self.positions(key, *where)
        if cache is not None:
            key, value = cache.append(key, value)
        attend = self._weighed if need_weights else self._fused
        context, weights = attend(query, key, value, mask, causal)
        output = self.W_output(merge_heads(context))
        return (output, weights) if need_weights else output

    def _per_head(self, mask, query, num_keys, axes):
        """Check the mask as it came, and add an axis for the heads if it has none."""
        batch, pairs = query.shape[:-3], (query.shape[-2], num_keys)
        if isinstance(mask, torch.Tensor) and mask.ndim == axes > 2:
            shapes.check_mask(mask, (*batch, *pairs))
            return mask.unsqueeze(-3)  # (batch, 1, query, key)
        shapes.check_mask(mask, (*batch, self.num_heads, *pairs))
        return mask

    def _weighed(self, query, key, value, mask, causal):
        shared = self.num_heads // self.num_kv_heads
        key, value = key.repeat_interleave(shared, dim=-3), value.repeat_interleave(shared, dim=-3)
        return attention(query, key, value, self._with_causal(mask, query, key) if causal else mask)

    def _fused(self, query, key, value, mask, causal):
        if causal and (mask is not None or query.shape[-2] < key.shape[-2]):
            # PyTorch's `is_causal` lets the first query see the first key alone, however many keys came before it.
            mask, causal = self._with_causal(mask, query, key), False
        options = {"attn_mask": mask, "is_causal": causal, "enable_gqa": self.num_kv_heads < self.num_heads}
        if query.ndim == 3:  # PyTorch's fast kernels want a batch
            return F.scaled_dot_product_attention(query[None], key[None], value[None], **options)[0], None
        return F.scaled_dot_product_attention(query, key, value, **options), None

    def _with_causal(self, mask, query, key):
        with query.device:
            past = causal_mask(query.shape[-2], key.shape[-2] - query.shape[-2])
        return past if mask is None else past & mask
