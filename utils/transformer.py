"""The Transformer's blocks: attention and a feed-forward part, each added to what came in. Built in notebook 12."""

from functools import partial

from torch import nn
from torch.nn import functional as F

from utils import shapes
from utils.attention import MultiHeadAttention


class FeedForward(nn.Module):
    """Widen each token's features, apply an activation, narrow them again: narrow(activation(widen(inputs))).

    Every token goes through the same two layers, and none sees another.
    d_model: features of inputs and output; d_hidden: features between.
    Built in notebook 12. Vaswani et al., "Attention Is All You Need", 2017, section 3.3.
    """

    def __init__(self, d_model, d_hidden, activation=F.relu):
        super().__init__()
        self.widen = nn.Linear(d_model, d_hidden)
        self.activation = activation
        self.narrow = nn.Linear(d_hidden, d_model)

    def forward(self, inputs):
        """Return (..., tokens, d_model). Raises ValueError for other features, TypeError for another dtype."""
        shapes.check_features("inputs", inputs, self.widen)
        return self.narrow(self.activation(self.widen(inputs)))


class Residual(nn.Module):
    """Add the output of a part of the block, such as its attention, to the part's inputs, and normalise by a LayerNorm.

    norm_first: normalise what the part reads (pre-norm), not the sum (post-norm, as in 2017).
    dropout: the share of the numbers in the part's output that training sets to 0.
    Built in notebook 12. Pre-norm: Xiong et al., "On Layer Normalization in the Transformer Architecture", 2020.
    """

    def __init__(self, d_model, norm_first=True, dropout=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.norm_first = norm_first
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs, part):
        """Return (..., tokens, d_model), like the inputs; part: any function that keeps this shape."""
        if self.norm_first:
            return inputs + self.dropout(part(self.norm(inputs)))
        return self.norm(inputs + self.dropout(part(inputs)))


class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward, each with its residual; with `causal=True` it is the block of a GPT.

    d_model, num_heads: of the attention; d_hidden, activation: of the feed-forward part;
    norm_first, dropout: of the residuals; positions: as in `MultiHeadAttention`.
    Built in notebook 12. Vaswani et al., 2017, section 3.1.
    """

    def __init__(
        self, d_model, num_heads, d_hidden, *, norm_first=True, dropout=0.0, activation=F.relu, positions=None
    ):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, positions=positions)
        self.feed_forward = FeedForward(d_model, d_hidden, activation)
        self.after_attention = Residual(d_model, norm_first, dropout)
        self.after_feed_forward = Residual(d_model, norm_first, dropout)

    def forward(self, inputs, *, mask=None, causal=False, need_weights=False, cache=None):
        """Return (..., tokens, d_model); with need_weights=True also the weights (..., heads, tokens, tokens).

        mask, causal, cache, errors: as in `MultiHeadAttention`.
        """
        shapes.check_features("inputs", inputs, self.attention.W_query)
        weights = []  # filled while the residual calls attention
        attend = partial(self.attention, mask=mask, causal=causal, need_weights=need_weights, cache=cache)
        output = self.after_attention(inputs, lambda read: _without_weights(attend(read), weights))
        output = self.after_feed_forward(output, self.feed_forward)
        return (output, *weights) if need_weights else output


class DecoderBlock(nn.Module):
    """Causal self-attention, attention to a memory, then feed-forward, each with its residual.

    Sizes as in `EncoderBlock`; the memory has d_model features too.
    Built in notebook 12. Vaswani et al., 2017, section 3.1.
    """

    def __init__(self, d_model, num_heads, d_hidden, *, norm_first=True, dropout=0.0, activation=F.relu):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_hidden, activation)
        self.after_attention = Residual(d_model, norm_first, dropout)
        self.after_cross_attention = Residual(d_model, norm_first, dropout)
        self.after_feed_forward = Residual(d_model, norm_first, dropout)

    def forward(self, inputs, memory, *, mask=None, memory_mask=None, need_weights=False):
        """Return (..., tokens, d_model); with need_weights=True also the weights on the memory.

        inputs: (..., tokens, d_model), each reads itself and the tokens before it; memory: (..., keys, d_model);
        mask: for the inputs, memory_mask: for the memory, True = may attend, as in `MultiHeadAttention`.
        The weights: (..., heads, tokens, keys). Errors as in `MultiHeadAttention`.
        """
        shapes.check_sequences(inputs, memory, self.cross_attention.W_query, self.cross_attention.W_key)
        weights = []  # filled while the residual calls attention
        attend = partial(self.cross_attention, memory=memory, mask=memory_mask, need_weights=need_weights)
        output = self.after_attention(inputs, partial(self.attention, mask=mask, causal=True))
        output = self.after_cross_attention(output, lambda read: _without_weights(attend(read), weights))
        output = self.after_feed_forward(output, self.feed_forward)
        return (output, *weights) if need_weights else output


def _without_weights(answer, weights):
    """Return the output of a `MultiHeadAttention`, and add the weights that it may return with it to a list."""
    if not isinstance(answer, tuple):
        return answer
    weights.append(answer[1])
    return answer[0]
