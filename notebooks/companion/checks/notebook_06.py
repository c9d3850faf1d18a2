"""Checks of the exercises in notebook 06 (context vectors)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import (
    DECIMALS,
    ROUNDED,
    Mistake,
    calls,
    close,
    expect,
    expect_parts,
    expect_tensor,
)
from companion.checks.mistakes import (
    ALL_AXES,
    COLUMNS,
    EXCHANGED,
    IGNORED,
    INVERTED,
    LAST_AXIS,
    MASKED,
    NO_SOFTMAX,
    OVERFLOW,
    TRANSPOSED,
    all_axes_turned,
    given_by,
    readings,
)
from utils.attention import attention, masked_softmax, project, scores

RUNNING = {16, 24, 28}  # sizes of the running sentence, which an answer may have copied


@exercise
def check_read_weights(read_weights):
    """with the identity as value, the context is the weights."""
    query, key = torch.randn(5, 8), torch.randn(5, 8)
    right = masked_softmax(scores(query, key))
    mistakes = {
        "with ones as value each context is the sum of its weights: take the identity matrix": torch.ones(5, 5),
        "this is the context of the keys; give the identity matrix as value": right @ key,
        "this is the context of the queries; give the identity matrix as value": right @ query,
        NO_SOFTMAX: scores(query, key),
        EXCHANGED: masked_softmax(scores(key, query)),
    }
    expect_tensor(_read(read_weights, query, key), right, "read_weights with 5 queries and 5 keys", mistakes)
    for queries, keys in ((3, 6), (6, 3)):
        query, key = torch.randn(queries, 8), torch.randn(keys, 8)
        doing = f"read_weights with {queries} queries and {keys} keys (how many rows has the identity?)"
        expect_tensor(_read(read_weights, query, key), masked_softmax(scores(query, key)), doing)
    query, key = torch.randn(2, 4, 8), torch.randn(2, 7, 8)
    expect_tensor(_read(read_weights, query, key), masked_softmax(scores(query, key)), "read_weights on a batch of 2")
    message = "the weights are right, but F.scaled_dot_product_attention did not make them; call it with a clever value"
    expect("scaled_dot_product_attention" in calls(read_weights, query, key), message)


def _read(read_weights, query, key):
    """Name the cause where shapes do not fit: PyTorch speaks of mat1 and mat2."""
    try:
        return read_weights(query, key)
    except RuntimeError as error:
        if isinstance(error, NotImplementedError):
            raise
        sizes = f"a query {tuple(query.shape)} and a key {tuple(key.shape)}"
        message = f"read_weights stopped with {sizes}; the identity needs one row for each key ({error})"
        raise Mistake(message) from None


@exercise
def check_self_attention(self_attention):
    """the same as PyTorch's, from the inputs to the context, with every kind of mask."""
    _check_self_attention_weights(self_attention)
    _check_self_attention_batch(self_attention)
    _check_self_attention_mask(self_attention)
    _check_self_attention_far_scores(self_attention)


def _with_rounded(weights, value):
    return {
        f"the weights are rounded (decimals={decimals}); {ROUNDED}": weights.round(decimals=decimals) @ value
        for decimals in DECIMALS
    }


def _check_self_attention_weights(answer):
    given = torch.randn(5, 8), *torch.randn(3, 8, 8) / 2
    query, key, value = project(*given)
    raw = scores(query, key)
    right = masked_softmax(raw)
    transposed = scores(given[0] @ given[1].T, given[0] @ given[2].T)
    context, weights = expect_parts(answer(*given), ("context", "weights"), "self_attention")
    mistakes = {
        "context and weights are swapped: return (context, weights)": right @ value,
        TRANSPOSED: masked_softmax(transposed),
        COLUMNS: torch.softmax(raw, 0),
        NO_SOFTMAX: raw,
        **_wrong_weights(query, key, value),
    }
    expect_tensor(weights, right, "the weight matrix of 5 queries and 5 keys", mistakes)
    mistakes = {
        "key and value are swapped: the weights must average the values": right @ key,
        "the context comes from the queries: the weights must average the values": right @ query,
        "the weights are turned round: row i of the weights makes context i": right.T @ value,
        **_with_rounded(right, value),
    }
    expect_tensor(context, right @ value, "the context of 5 queries and 5 keys", mistakes)
    context, weights = answer(100 * given[0], *given[1:])
    expect(not weights.isnan().any() and not context.isnan().any(), OVERFLOW)


def _check_self_attention_batch(answer):
    given = torch.randn(4, 4, 4), torch.randn(4, 4), torch.randn(4, 4), torch.randn(4, 6)
    query, key, value = project(*given)
    right, right_weights = attention(query, key, value)
    mistakes = {
        ALL_AXES: masked_softmax(all_axes_turned(query, key)),
        LAST_AXIS: torch.softmax(scores(query, key), 1),
        **_wrong_weights(query, key, value),
    }
    context, weights = answer(*given)
    expect_tensor(weights, right_weights, "the weight matrix of a batch (4, 4, 4)", mistakes)
    expect_tensor(context, right, "the context of a batch (4, 4, 4)")


def _check_self_attention_mask(answer):
    given = torch.randn(4, 5), torch.randn(5, 8) / 2, torch.randn(5, 8) / 2, torch.randn(5, 6)
    query, key, value = project(*given)
    mask = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1]]) == 1
    raw = scores(query, key)
    right, right_weights = attention(query, key, value, mask)
    mistakes = {IGNORED: masked_softmax(raw), INVERTED: masked_softmax(raw, ~mask), **given_by(MASKED, raw, mask)}
    mistakes |= _wrong_weights(query, key, value, mask, d_model=5)
    context, weights = answer(*given, mask)
    expect_tensor(weights, right_weights, "the weight matrix with a mask", mistakes)
    expect_tensor(context, right, "the context with a mask")
    mask[2] = False
    right, right_weights = attention(query, key, value, mask)
    context, weights = answer(*given, mask)
    message = "a query that may attend to nothing gives nan (0/0); give it zeros, as PyTorch does"
    expect(not weights.isnan().any() and not context.isnan().any(), message)
    mistakes = given_by(MASKED, raw, mask)
    expect_tensor(weights, right_weights, "the weight matrix when one query may attend to nothing", mistakes)
    expect_tensor(context, right, "the context when one query may attend to nothing")


def _check_self_attention_far_scores(answer):
    mask, same = torch.eye(3) == 1, (torch.ones(1, 1),) * 3  # each query sees itself alone, by a score of 1 or -1e10
    message = "a forbidden score may be much larger than the others; after softmax nothing is left: mask before"
    expect(_is_one(answer(torch.tensor([[1.0], [300.0], [2.0]]), *same, mask)[1], mask), message)
    turned = -1e10 * torch.ones(1, 1), *same[1:]
    message = "scores may lie below the number that hides a key, so that it hides nothing; none lies below -inf"
    expect(_is_one(answer(torch.tensor([[1.0], [2.0], [3.0]]), *turned, mask)[1], mask), message)


def _is_one(weights, mask):
    return close(weights, mask.float())


def _wrong_weights(query, key, value, mask=None, d_model=None):
    found = readings(query, key, value, d_model)
    for number in RUNNING - {query.shape[-1]}:
        message = f"divided by the root of {number}, whatever the matrices; take their d_k, W_query.shape[-1]"
        found.setdefault(message, (query * (query.shape[-1] / number) ** 0.5, key, value))
    return {message: attention(*reading, mask)[1] for message, reading in found.items()}
