"""Scaled dot-product attention, step by step. Built in notebooks 03 to 06.

Axes: (..., tokens, features). Anything before the last two axes is a batch, and must be equal in all inputs.
Masks are boolean, and True means "may attend", as in `torch.nn.functional.scaled_dot_product_attention`.
"""

import math

import torch

KINDS = ("dot", "scaled_dot", "additive")


def project(inputs, W_query, W_key, W_value):
    """Turn each token into its query, key and value: three products with the same inputs.

    inputs: (..., tokens, d_model); W_query and W_key: (d_model, d_k); W_value: (d_model, d_v).
    Returns query and key (..., tokens, d_k) and value (..., tokens, d_v).
    Raises ValueError if a matrix does not have d_model rows, TypeError for different dtypes.
    Built in notebook 03. Vaswani et al., "Attention Is All You Need", 2017, section 3.2.
    """
    _check_is_tensor("inputs", inputs)
    for name, matrix in (("W_query", W_query), ("W_key", W_key), ("W_value", W_value)):
        _check_is_tensor(name, matrix)
        _check_dtype("inputs", inputs, name, matrix)
        if matrix.ndim != 2 or matrix.shape[0] != inputs.shape[-1]:
            raise ValueError(
                f"{name} has shape {_shape(matrix)} but the inputs have {inputs.shape[-1]} features; "
                f"it needs shape ({inputs.shape[-1]}, ...), so transpose it if it was made for W @ x"
            )
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
    """
    _check_pair(query, key)
    if kind == "dot":
        return query @ key.transpose(-2, -1)
    if kind == "scaled_dot":
        return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if kind == "additive":
        _check_vector(vector, query)
        pairs = query.unsqueeze(-2) + key.unsqueeze(-3)  # (..., queries, keys, d_k)
        return torch.tanh(pairs) @ vector
    raise ValueError(f"kind is {kind!r}; choose one of {', '.join(map(repr, KINDS))}")


def masked_softmax(scores, mask=None):
    """Turn scores into weights: each row is positive and sums to 1.

    scores: (..., queries, keys); mask: boolean, broadcastable to the scores, True = may attend.
    A query that may attend to nothing gets a row of zeros, as in PyTorch's own attention.
    Raises TypeError for scores without decimals or a mask that is not boolean, ValueError for a wrong shape.
    Built in notebook 05 (softmax) and 06 (mask).
    """
    _check_tensor("scores", scores)
    if mask is None:
        return torch.softmax(scores, dim=-1)
    _check_mask(mask, scores.shape)
    weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    # Softmax over nothing is 0/0 = nan. Filling only what is masked leaves other nan visible.
    return weights.masked_fill(~mask, 0.0)


def attention(query, key, value, mask=None):
    """Let each query gather a weighted average of the values: scaled dot-product attention.

    query: (..., queries, d_k); key: (..., keys, d_k); value: (..., keys, d_v);
    mask: boolean, broadcastable to (..., queries, keys), True = may attend.
    Returns context (..., queries, d_v) and weights (..., queries, keys).
    Raises ValueError for shapes that do not fit, TypeError for dtypes that do not.
    Built in notebook 06. Vaswani et al., 2017, equation 1.
    """
    _check_value(query, key, value)
    weights = masked_softmax(scores(query, key), mask)
    return weights @ value, weights


def _shape(tensor):
    return tuple(tensor.shape)


def _check_is_tensor(name, tensor):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} is a {type(tensor).__name__}; make it a tensor with torch.tensor(...)")


def _check_tensor(name, tensor):
    _check_is_tensor(name, tensor)
    if not tensor.is_floating_point():
        raise TypeError(f"{name} has dtype {tensor.dtype}; attention needs decimals, so call .float() on it")
    if tensor.ndim < 2:
        raise ValueError(
            f"{name} has shape {_shape(tensor)}; it needs at least two axes (tokens, features), "
            f"so write {name}[None, :] for a single token"
        )


def _check_pair(query, key):
    _check_tensor("query", query)
    _check_tensor("key", key)
    _check_dtype("query", query, "key", key)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has head size {query.shape[-1]} but key has {key.shape[-1]}; dot products need them equal, "
            f"so project both with matrices of one width (shapes {_shape(query)} and {_shape(key)})"
        )
    _check_batch("key", key, query)


def _check_value(query, key, value):
    _check_pair(query, key)
    _check_tensor("value", value)
    _check_dtype("query", query, "value", value)
    if value.shape[-2] != key.shape[-2]:
        raise ValueError(
            f"key has {key.shape[-2]} tokens but value has {value.shape[-2]}; each key needs its own value, "
            f"so compute both from the same tokens (shapes {_shape(key)} and {_shape(value)})"
        )
    _check_batch("value", value, query)


def _check_dtype(name, tensor, other_name, other):
    if tensor.dtype != other.dtype:
        raise TypeError(
            f"{name} has dtype {tensor.dtype} but {other_name} has {other.dtype}; convert one with .to(...)"
        )


def _check_batch(name, tensor, query):
    if tensor.shape[:-2] != query.shape[:-2]:
        raise ValueError(
            f"query has batch axes {tuple(query.shape[:-2])} but {name} has {tuple(tensor.shape[:-2])}; "
            f"make them equal, with .expand if they share a batch (shapes {_shape(query)} and {_shape(tensor)})"
        )


def _check_vector(vector, query):
    if vector is not None:
        _check_is_tensor("vector", vector)
        _check_dtype("query", query, "vector", vector)
    if vector is None or _shape(vector) != (query.shape[-1],):
        given = "none was given" if vector is None else f"the one given has shape {_shape(vector)}"
        raise ValueError(f"additive scores need a vector of shape ({query.shape[-1]},), one number a feature; {given}")


def _check_mask(mask, shape):
    """The mask must stretch to the scores' shape, and name both of their last axes: queries and keys."""
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
        given = f"dtype {mask.dtype}" if isinstance(mask, torch.Tensor) else f"type {type(mask).__name__}"
        raise TypeError(
            f"mask has {given}; it must be a boolean tensor in which True means 'may attend', "
            "so write mask == 1 or mask == 0, whichever marks the allowed places"
        )
    aligned = zip(reversed(mask.shape), reversed(shape))
    if not 2 <= mask.ndim <= len(shape) or any(size not in (1, wanted) for size, wanted in aligned):
        raise ValueError(
            f"mask has shape {_shape(mask)} but the scores have {tuple(shape)}; "
            "give it the scores' shape, with 1 on each axis where it is the same throughout"
        )
