"""Refuse tensors that do not fit, and say what would: the errors of `utils`.

First what each function of `utils` calls, then the single checks that they are made of.
"""

import torch


def sizes(tensor):
    return tuple(tensor.shape)


def check_projection(inputs, **matrices):
    check_is_tensor("inputs", inputs)
    for name, matrix in matrices.items():
        check_is_tensor(name, matrix)
        check_dtype("inputs", inputs, name, matrix)
        if matrix.ndim != 2 or matrix.shape[0] != inputs.shape[-1]:
            raise ValueError(
                f"{name} has shape {sizes(matrix)} but the inputs have {inputs.shape[-1]} features; "
                f"it needs shape ({inputs.shape[-1]}, ...), so transpose it if it was made for W @ x"
            )


def check_scores(query, key, kind, kinds, vector):
    check_pair(query, key)
    if kind not in kinds:
        raise ValueError(f"kind is {kind!r}; choose one of {', '.join(map(repr, kinds))}")
    if kind != "additive":
        return
    if vector is not None:
        check_is_tensor("vector", vector)
        check_dtype("query", query, "vector", vector)
    if vector is None or sizes(vector) != (query.shape[-1],):
        given = "none was given" if vector is None else f"the one given has shape {sizes(vector)}"
        raise ValueError(f"additive scores need a vector of shape ({query.shape[-1]},), one number a feature; {given}")


def check_attention(query, key, value):
    check_pair(query, key)
    check_tensor("value", value)
    check_dtype("query", query, "value", value)
    check_tokens(key, value)
    check_batch("query", query, "value", value)


def check_reading(module, inputs, memory, causal, cache):
    """The inputs of a `MultiHeadAttention` read a memory, or themselves and perhaps a cache."""
    if cache is not None and memory is not None:
        raise ValueError("a cache is for a sequence that reads itself; leave it out when it reads a memory")
    check_sequences(inputs, inputs if memory is None else memory, module.W_query, module.W_key)
    if causal and memory is not None and memory is not inputs:
        raise ValueError(
            "causal=True compares positions in one sequence, but the inputs read a memory; "
            "leave it out when a sequence reads another"
        )


def check_is_tensor(name, tensor):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} is a {type(tensor).__name__}; make it a tensor with torch.tensor(...)")


def check_tensor(name, tensor, axes="tokens, features"):
    check_is_tensor(name, tensor)
    if not tensor.is_floating_point():
        raise TypeError(f"{name} has dtype {tensor.dtype}; attention needs decimals, so call .float() on it")
    check_axes(name, tensor, axes)


def check_axes(name, tensor, axes):
    check_is_tensor(name, tensor)
    needed = axes.count(",") + 1
    if tensor.ndim < needed:
        raise ValueError(
            f"{name} has shape {sizes(tensor)}; it needs at least {needed} axes ({axes}): write {name}[None, :]"
        )


def check_pair(query, key):
    check_tensor("query", query)
    check_tensor("key", key)
    check_dtype("query", query, "key", key)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has head size {query.shape[-1]} but key has {key.shape[-1]}; dot products need them equal, "
            f"so project both with matrices of one width (shapes {sizes(query)} and {sizes(key)})"
        )
    check_batch("query", query, "key", key)


def check_tokens(key, value):
    if value.shape[-2] != key.shape[-2]:
        raise ValueError(
            f"key has {key.shape[-2]} tokens but value has {value.shape[-2]}; each key needs its own value, "
            f"so compute both from the same tokens (shapes {sizes(key)} and {sizes(value)})"
        )


def check_dtype(name, tensor, other_name, other):
    if tensor.dtype != other.dtype:
        raise TypeError(f"{name} has dtype {tensor.dtype} but {other_name} has {other.dtype}; convert one by .to(...)")


def check_batch(name, tensor, other_name, other, advice="make them equal, with .expand if they share a batch"):
    if tensor.shape[:-2] != other.shape[:-2]:
        raise ValueError(
            f"{name} has batch axes {sizes(tensor)[:-2]} but {other_name} has {sizes(other)[:-2]}; {advice} "
            f"(shapes {sizes(tensor)} and {sizes(other)})"
        )


def check_mask(mask, shape):
    """A mask must broadcast to the scores' shape, and have both of their last axes: queries and keys."""
    if mask is None:
        return
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
        given = f"dtype {mask.dtype}" if isinstance(mask, torch.Tensor) else f"type {type(mask).__name__}"
        raise TypeError(
            f"mask has {given}; it must be a boolean tensor in which True means 'may attend', so write mask == 1 or "
            "mask == 0, whichever marks the pairs that may"
        )
    aligned = zip(reversed(mask.shape), reversed(shape))
    if not 2 <= mask.ndim <= len(shape) or any(size not in (1, of_scores) for size, of_scores in aligned):
        raise ValueError(
            f"mask has shape {sizes(mask)} but the scores have {tuple(shape)}; "
            "give it the scores' shape, with 1 on each axis where it is the same throughout"
        )


def check_features(name, tensor, layer):
    """A sequence needs the features and the dtype of the layer that reads it."""
    check_tensor(name, tensor)
    check_dtype(name, tensor, "this module's weight", layer.weight)
    if tensor.shape[-1] != layer.in_features:
        raise ValueError(
            f"{name} has {tensor.shape[-1]} features but this module was made for {layer.in_features} "
            f"(shape {sizes(tensor)}); project it with an nn.Linear first, or make the module anew"
        )


def check_sequences(inputs, memory, W_query, W_key):
    """Each sequence needs the features and the dtype of its layer, and both the same batch; lengths are free."""
    if isinstance(memory, torch.Tensor) and memory.dtype == torch.bool:
        raise TypeError("memory is a boolean tensor; if it is a mask, pass it by name: mask=...")
    check_features("inputs", inputs, W_query)
    check_features("memory", memory, W_key)
    advice = "each sequence reads the one at its own place in the batch"
    check_batch("inputs", inputs, "memory", memory, advice)


def check_heads(d_model, num_heads, num_kv_heads):
    check_whole(1, d_model=d_model, num_heads=num_heads, num_kv_heads=num_kv_heads)
    if d_model % num_heads:
        raise ValueError(f"{d_model} features cannot be cut into {num_heads} heads; choose a divisor of {d_model}")
    if num_heads % num_kv_heads:
        raise ValueError(
            f"{num_heads} query heads cannot share {num_kv_heads} key heads; choose a divisor of {num_heads}"
        )


def check_whole(least=0, **numbers):
    for name, number in numbers.items():
        if not (isinstance(number, int) or hasattr(number, "__index__")):  # torch.compile can ask the first only
            raise TypeError(f"{name} is {number!r}; give a whole number")
        if number < least:
            raise ValueError(f"{name} is {number}; give {least} or more")


def check_positions(positions):
    if not (positions is None or callable(positions)):
        raise TypeError(f"positions is {positions!r}; give a function, such as utils.positions.rotate")


def as_tensor(numbers):
    """Return a tensor as it is: `torch.as_tensor` alone would move it to a default device that somebody has set."""
    return numbers if isinstance(numbers, torch.Tensor) else torch.as_tensor(numbers)


def check_lengths(lengths, num_tokens):
    if lengths.ndim != 1 or lengths.dtype not in (torch.int32, torch.int64):
        given = f"lengths has shape {sizes(lengths)} and dtype {lengths.dtype}"
        raise TypeError(f"{given}; give one whole number for each sentence, such as (ids != pad_id).sum(dim=-1)")
    if lengths.numel() and not (lengths.min() >= 0 and lengths.max() <= num_tokens):
        raise ValueError(
            f"lengths run from {lengths.min()} to {lengths.max()}; they must lie between 0 and {num_tokens}"
        )


def check_continues(name, new, held):
    """New keys or values need the dtype of those in the cache, and all their axes except the number of tokens."""
    check_dtype(name, new, "the cache", held)
    for axes, part in (("batch axes", slice(-3)), ("heads", slice(-3, -2)), ("head size", slice(-1, None))):
        if new.shape[part] != held.shape[part]:
            raise ValueError(
                f"{name} has {axes} {sizes(new)[part]} but the cache holds {sizes(held)[part]}; a cache serves one "
                f"layer and one batch, so start another KVCache() (shapes {sizes(new)} and {sizes(held)})"
            )
