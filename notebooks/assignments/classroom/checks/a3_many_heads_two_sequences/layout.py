"""How the features of a token lie in heads, and the known ways to get it wrong."""

VIEWED = "view alone mixes the tokens: first cut the features into heads, then transpose heads and tokens"
VIEWED_BACK = "view alone mixes the tokens: first transpose heads and tokens back, then join the heads"
ALTERNATING = "the features are dealt out in turn; head 0 has the first head_dim features, head 1 the next"
REVERSED = "the heads come in reverse order: head 0 stands first"


def split(features, num_heads):
    """Cut features (batch, tokens, d_model) into heads (batch, heads, tokens, head_dim)."""
    return features.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge(context):
    """Lay the heads (batch, heads, tokens, head_dim) side by side: (batch, tokens, d_model)."""
    return context.transpose(1, 2).flatten(2)


def wrong_splits(features, num_heads):
    """Return {fault: what it gives} for the known ways to cut features wrongly into the right shape."""
    batch, tokens, _ = features.shape
    return {
        VIEWED: features.reshape(batch, num_heads, tokens, -1),
        ALTERNATING: features.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2),
        REVERSED: split(features, num_heads).flip(1),
    }


def wrong_merges(context):
    """Return {fault: what it gives} for the known ways to join heads wrongly into the right shape."""
    return {
        VIEWED_BACK: context.reshape(context.shape[0], context.shape[2], -1),
        ALTERNATING: context.permute(0, 2, 3, 1).flatten(2),
        REVERSED: merge(context.flip(1)),
    }
