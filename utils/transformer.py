"""The Transformer's blocks: attention and a feed-forward part, each added to what came in. Built in notebook 12."""

from torch import nn
from torch.nn import functional as F

from utils import shapes
from utils.attention import MultiHeadAttention
from utils.positions import rotate


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


class SwiGLU(nn.Module):
    """Widen each token's features, multiply each by a gate, narrow them again: narrow(silu(gate(x)) * widen(x)).

    The feed-forward part of today, without biases. Sizes as in `FeedForward`; with three layers and not two, two thirds
    of its d_hidden make as many parameters.
    Built in notebook 12. Shazeer, "GLU Variants Improve Transformer", 2020, equation 6.
    """

    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.gate = nn.Linear(d_model, d_hidden, bias=False)
        self.widen = nn.Linear(d_model, d_hidden, bias=False)
        self.narrow = nn.Linear(d_hidden, d_model, bias=False)

    def forward(self, inputs):
        """Return (..., tokens, d_model). Raises ValueError for other features, TypeError for another dtype."""
        shapes.check_features("inputs", inputs, self.widen)
        return self.narrow(F.silu(self.gate(inputs)) * self.widen(inputs))


class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward, each added to the stream; with `causal=True` it is the block of a GPT.

    d_model, num_heads, positions: of the attention; d_hidden, activation: of the feed-forward part;
    norm_first: normalize what each part reads (pre-norm), or else each sum (post-norm, as in 2017);
    dropout: the share of the numbers in each part's output that training sets to 0.
    Built in notebook 12. Vaswani et al., 2017, section 3.1.
    Pre-norm: Xiong et al., "On Layer Normalization in the Transformer Architecture", 2020.
    """

    def __init__(
        self, d_model, num_heads, d_hidden, *, norm_first=True, dropout=0.0, activation=F.relu, positions=None
    ):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, positions=positions)
        self.feed_forward = FeedForward(d_model, d_hidden, activation)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.norm_first, self.dropout = norm_first, nn.Dropout(dropout)

    def forward(self, inputs, *, mask=None, causal=False, need_weights=False, cache=None):
        """Return (..., tokens, d_model); with need_weights=True also the weights (..., heads, tokens, tokens).

        mask, causal, cache, errors: as in `MultiHeadAttention`.
        """
        shapes.check_features("inputs", inputs, self.attention.W_query)
        x, options = inputs, {"mask": mask, "causal": causal, "need_weights": need_weights, "cache": cache}
        if self.norm_first:
            context, weights = _pair(self.attention(self.norm1(x), **options))
            x = x + self.dropout(context)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            context, weights = _pair(self.attention(x, **options))
            x = self.norm1(x + self.dropout(context))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return (x, weights) if need_weights else x


class DecoderBlock(nn.Module):
    """Causal self-attention, attention to a memory, then feed-forward, each added to the stream.

    Sizes as in `EncoderBlock`; the memory has d_model features too.
    Built in notebook 12. Vaswani et al., 2017, section 3.1.
    """

    def __init__(self, d_model, num_heads, d_hidden, *, norm_first=True, dropout=0.0, activation=F.relu):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_hidden, activation)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.norm_first, self.dropout = norm_first, nn.Dropout(dropout)

    def forward(self, inputs, memory, *, mask=None, memory_mask=None, need_weights=False):
        """Return (..., tokens, d_model); with need_weights=True also the weights on the memory.

        inputs: (..., tokens, d_model), each reads itself and the tokens before it; memory: (..., keys, d_model);
        mask: for the inputs, memory_mask: for the memory, True = may attend, as in `MultiHeadAttention`.
        The weights: (..., heads, tokens, keys). Errors as in `MultiHeadAttention`.
        """
        shapes.check_sequences(inputs, memory, self.cross_attention.W_query, self.cross_attention.W_key)
        x, options = inputs, {"memory": memory, "mask": memory_mask, "need_weights": need_weights}
        if self.norm_first:
            x = x + self.dropout(self.attention(self.norm1(x), mask=mask, causal=True))
            context, weights = _pair(self.cross_attention(self.norm2(x), **options))
            x = x + self.dropout(context)
            x = x + self.dropout(self.feed_forward(self.norm3(x)))
        else:
            x = self.norm1(x + self.dropout(self.attention(x, mask=mask, causal=True)))
            context, weights = _pair(self.cross_attention(x, **options))
            x = self.norm2(x + self.dropout(context))
            x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return (x, weights) if need_weights else x


class TodaysBlock(nn.Module):
    """A block as in Llama and most models since: pre-norm, with RMSNorm, SwiGLU, rotary positions and no biases.

    d_model, num_heads, num_kv_heads, positions: as in `MultiHeadAttention`, with `partial(rotate, base=...)` for
    another base; d_hidden: of the feed-forward part; eps: what the norms add below their root.
    Built in notebook 12. Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", 2023, section 2.2.
    RMSNorm: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.
    """

    def __init__(self, d_model, num_heads, d_hidden, *, num_kv_heads=None, positions=rotate, eps=1e-5):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, num_kv_heads, positions=positions, bias=False)
        self.feed_forward = SwiGLU(d_model, d_hidden)
        self.norm1, self.norm2 = nn.RMSNorm(d_model, eps), nn.RMSNorm(d_model, eps)

    def forward(self, inputs, *, mask=None, causal=False, need_weights=False, cache=None):
        """Return (..., tokens, d_model), and weights, as `EncoderBlock` does for the same options."""
        shapes.check_features("inputs", inputs, self.attention.W_query)
        x, options = inputs, {"mask": mask, "causal": causal, "need_weights": need_weights, "cache": cache}
        context, weights = _pair(self.attention(self.norm1(x), **options))
        x = x + context
        x = x + self.feed_forward(self.norm2(x))
        return (x, weights) if need_weights else x


def _pair(answer):
    """Return the output of a `MultiHeadAttention` and its weights, which are None if nobody asked for them."""
    return answer if isinstance(answer, tuple) else (answer, None)
