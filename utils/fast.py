"""Fast attention: the same context in less memory, and no key computed twice. Built in notebook 16."""

import math

import torch

from utils import shapes
from utils.attention import scores


def tiled_attention(query, key, value, causal=False, tile=256):
    """Return the context that `attention` returns, without ever holding all weights at once.

    query: (..., queries, d_k); key: (..., keys, d_k); value: (..., keys, d_v);
    causal: hide from each query the keys after it. The queries are the last of the keys' tokens, as with a cache: the
    last query sees all keys. (PyTorch's `is_causal` starts from the first query, which sees the first key alone.)
    tile: how many queries and keys are compared at once.
    Returns context (..., queries, d_v); a query that may see nothing gets zeros. Half precision is summed in single.
    Memory grows with the number of tokens, not with its square; with gradients it does not shrink, because autograd
    keeps the weights of every tile.
    Raises ValueError for shapes that do not fit or a tile below 1, TypeError for unequal dtypes or part of a tile.
    Built in notebook 16. Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Rabe and Staats,
    "Self-attention Does Not Need O(n^2) Memory", 2021; Dao et al., "FlashAttention", 2022, algorithm 1.
    >>> value = torch.tensor([[1.0], [3.0], [5.0]])
    >>> tiled_attention(torch.zeros(3, 2), torch.ones(3, 2), value, causal=True, tile=2).tolist()
    [[1.0], [2.0], [3.0]]
    """
    shapes.check_attention(query, key, value)
    shapes.check_whole(1, tile=tile)
    num_past = key.shape[-2] - query.shape[-2]
    contexts = []
    for index, rows in enumerate(query.split(tile, dim=-2)):
        position = num_past + index * tile if causal else None
        contexts.append(_read(rows, key, value, tile, position))
    return torch.cat(contexts, dim=-2)


def _read(query, key, value, tile, position):
    """Let one tile of queries read the keys tile by tile, by online softmax; position: of the first query if causal."""
    wide = torch.promote_types(query.dtype, torch.float32)
    largest = query.new_full((*query.shape[:-1], 1), torch.finfo(wide).min, dtype=wide)  # score so far, of each query
    total = torch.zeros_like(largest)  # of exp(score - largest)
    context = query.new_zeros((*query.shape[:-1], value.shape[-1]), dtype=wide)  # values weighted by the same
    visible = key.shape[-2] if position is None else position + query.shape[-2]  # later keys are all in the future
    for start in range(0, visible, tile):
        keys = slice(start, min(start + tile, visible))
        measured = scores(query.to(wide), key[..., keys, :].to(wide))  # (..., a tile of queries, a tile of keys)
        if position is not None and keys.stop > position + 1:
            future = torch.ones_like(measured, dtype=torch.bool).triu(position + 1 - start)
            measured = measured.masked_fill(future, -math.inf)
        larger = torch.maximum(largest, measured.detach().amax(dim=-1, keepdim=True))
        shrink = torch.exp(largest - larger)  # rescales what was summed under a smaller maximum
        weights = torch.exp(measured - larger)
        total = total * shrink + weights.sum(dim=-1, keepdim=True)
        context = context * shrink + weights @ value[..., keys, :].to(wide)
        largest = larger
    return (context / total.masked_fill(total == 0, 1.0)).to(query.dtype)


class KVCache:
    """The keys and values of all tokens so far, of one attention layer and one batch: `len(cache)` is their number.

    Nothing that was computed for a token is computed again when later tokens read it. The price: each `append` copies
    everything, because no gradient could go through a buffer that is written in place. If you need no gradients, use
    the cache under `torch.no_grad()`; otherwise each key keeps in memory what it was computed from.
    Built in notebook 16. Shazeer, "Fast Transformer Decoding", 2019, section 2.4.
    """

    def __init__(self):
        self.key = self.value = None

    def __len__(self):
        return 0 if self.key is None else self.key.shape[-2]

    def append(self, key, value):
        """Add new tokens after those in the cache, and return the keys and values of all tokens so far.

        key: (..., heads, tokens, d_k); value: (..., heads, tokens, d_v), positions already applied.
        Raises ValueError if batch, heads or head size differ from what is held, TypeError for another dtype; the
        cache then stays as it was.
        """
        for name, tensor in (("key", key), ("value", value)):
            shapes.check_tensor(name, tensor)
        shapes.check_tokens(key, value)
        if self.key is not None:
            shapes.check_continues("key", key, self.key)
            shapes.check_continues("value", value, self.value)
            key, value = torch.cat([self.key, key], dim=-2), torch.cat([self.value, value], dim=-2)
        self.key, self.value = key, value
        return key, value
