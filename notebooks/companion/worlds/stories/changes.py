"""Causal attention of which one thing may be changed, as notebook 17 changes it, and a writer made of it."""

from torch import nn
from torch.nn import functional as F

from companion.worlds.stories.writer import D_MODEL, LONGEST, NUM_HEADS, Writer
from utils.attention import MultiHeadAttention, causal_mask, masked_softmax, merge_heads, scores, split_heads
from utils.positions import rotate


class ChangedAttention(MultiHeadAttention):
    """Self-attention under a causal mask, in which one thing may be changed.

    num_kv_heads: as in `MultiHeadAttention`; normalize: an RMSNorm for each query and key before they are turned;
    window: how many tokens a query sees, its own among them; linear: elu(x) + 1 of query and key in place of softmax.
    """

    def __init__(self, num_kv_heads=NUM_HEADS, normalize=False, window=LONGEST, linear=False):
        super().__init__(D_MODEL, NUM_HEADS, num_kv_heads, positions=rotate, bias=False)
        self.normalize = nn.ModuleList(nn.RMSNorm(self.head_dim) for _ in range(2)) if normalize else None
        self.window, self.linear = window, linear

    def forward(self, inputs, **options):
        """Return (batch, tokens, 64) for inputs (batch, tokens, 64); options: a block's, which are not used."""
        query = split_heads(self.W_query(inputs), self.num_heads)
        key, value = (split_heads(layer(inputs), self.num_kv_heads) for layer in (self.W_key, self.W_value))
        shared = self.num_heads // self.num_kv_heads
        key, value = key.repeat_interleave(shared, dim=-3), value.repeat_interleave(shared, dim=-3)
        if self.normalize:
            query, key = self.normalize[0](query), self.normalize[1](key)
        mask = causal_mask(query.shape[-2]).triu(1 - self.window)
        if self.linear:  # as in RoFormer, section 3.3: positions above the line of the fraction only
            query, key = F.elu(query) + 1, F.elu(key) + 1
            below = (query @ key.mT * mask).sum(dim=-1, keepdim=True)
            weights = rotate(query) @ rotate(key).mT * mask / below
        else:
            weights = masked_softmax(scores(rotate(query), rotate(key)), mask)
        return self.W_output(merge_heads(weights @ value))


class Changed(Writer):
    """A `Writer` of two blocks that attend by `ChangedAttention`, and which reads all tokens again at each step."""

    caches = None

    def __init__(self, **changes):
        super().__init__()
        for block in self.blocks:
            block.attention = ChangedAttention(**changes)
