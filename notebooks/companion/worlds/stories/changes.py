"""Causal attention in five lines, each of which may be changed: variants of notebooks 11 and 17, tried in 18."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.worlds.stories.writer import D_MODEL, LONGEST, NUM_HEADS, Writer
from utils.attention import MultiHeadAttention, causal_mask, merge_heads, split_heads
from utils.positions import alibi, rotate


class FiveLines(MultiHeadAttention):
    """Self-attention under a causal mask, with every change that notebook 18 tries, all of them off at first.

    positions: what query and key go through; normalize: an RMSNorm for each query and key before that;
    penalty: ALiBi's, added to the scores; window: how many tokens a query sees, its own among them;
    sink: a learned score for each head that no value belongs to; gate: a learned share of each feature of the context;
    linear: elu(x) + 1 of query and key in place of softmax; num_kv_heads: as in `MultiHeadAttention`.
    """

    def __init__(
        self, positions=rotate, num_kv_heads=NUM_HEADS, normalize=False, penalty=False, window=LONGEST, sink=False,
        gate=False, linear=False,
    ):  # fmt: skip
        positions = positions or (lambda features: features)
        super().__init__(D_MODEL, NUM_HEADS, num_kv_heads, positions=positions, bias=False)
        self.normalize = nn.ModuleList(nn.RMSNorm(self.head_dim) for _ in range(2)) if normalize else None
        self.sink = nn.Parameter(torch.zeros(NUM_HEADS, 1, 1)) if sink else None
        self.gate = nn.Linear(D_MODEL, D_MODEL, bias=False) if gate else None
        self.penalty, self.window, self.linear = penalty, window, linear

    def forward(self, inputs, **options):
        """Return (batch, tokens, 64) for inputs (batch, tokens, 64); options: a block's, which are not used."""
        query = split_heads(self.W_query(inputs), self.num_heads)
        key, value = (split_heads(layer(inputs), self.num_kv_heads) for layer in (self.W_key, self.W_value))
        shared = self.num_heads // self.num_kv_heads
        key, value = key.repeat_interleave(shared, dim=-3), value.repeat_interleave(shared, dim=-3)
        if self.normalize:
            query, key = self.normalize[0](query), self.normalize[1](key)
        context = self._weights(query, key) @ value
        merged = merge_heads(context)
        return self.W_output(merged if self.gate is None else torch.sigmoid(self.gate(inputs)) * merged)

    def _weights(self, query, key):
        num_tokens = query.shape[-2]
        mask = causal_mask(num_tokens).triu(1 - self.window)
        if self.linear:  # as in RoFormer, section 3.3: positions above the line of the fraction only
            query, key = F.elu(query) + 1, F.elu(key) + 1
            below = (query @ key.mT * mask).sum(dim=-1, keepdim=True)
            return self.positions(query) @ self.positions(key).mT * mask / below
        scores = self.positions(query) @ self.positions(key).mT / self.head_dim**0.5
        if self.penalty:
            scores = scores + alibi(self.num_heads, num_tokens)
        scores = scores.masked_fill(~mask, -torch.inf)
        if self.sink is None:
            return torch.softmax(scores, dim=-1)
        null = self.sink.expand(*scores.shape[:-1], 1)
        return torch.softmax(torch.cat([scores, null], dim=-1), dim=-1)[..., :-1]

    def kept(self, num_tokens):
        """Return how many numbers a cache of this layer holds after so many tokens."""
        if self.linear:
            return self.num_heads * (self.head_dim**2 + self.head_dim)
        return 2 * self.num_kv_heads * self.head_dim * min(num_tokens, self.window)


class Changed(Writer):
    """A `Writer` whose blocks attend by `FiveLines` with these options, and which reads all tokens again at each step.

    learned: add a learned vector for each position to the embeddings.
    """

    caches = None

    def __init__(self, num_layers=2, learned=False, **options):
        super().__init__(num_layers)
        for block in self.blocks:
            block.attention = FiveLines(**options)
        if learned:
            self.places = nn.Parameter(0.1 * torch.randn(LONGEST, D_MODEL))
            self.embedding.register_forward_hook(lambda _, ids, vectors: vectors + self.places[: vectors.shape[1]])
