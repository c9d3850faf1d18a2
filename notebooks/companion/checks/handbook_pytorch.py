"""Check of the exercise on the handbook's page "PyTorch's own modules"."""

import torch
from torch.nn import functional as F

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.feedback import calls, expect
from utils.attention import masked_softmax, scores


def _weights_with(value):
    """Read the weights by giving PyTorch's attention this value, a function of query and key."""
    return lambda query, key: F.scaled_dot_product_attention(query, key, value(query, key))


def _weights(query, key):
    return masked_softmax(scores(query, key))


FEW_ROWS = "PyTorch cannot multiply weights and value: the value needs one row for each key, key.shape[-2]"
OTHERWISE = "the weights are right, but F.scaled_dot_product_attention did not make them; call it with a clever value"
READING = {  # {message: wrong read_weights}
    "this is the context of the keys; give the identity matrix as value": _weights_with(lambda query, key: key),
    FEW_ROWS: _weights_with(lambda query, key: torch.eye(query.shape[-2])),
    known.NO_SOFTMAX: scores,
    known.EXCHANGED: lambda query, key: masked_softmax(scores(key, query)),
    OTHERWISE: _weights,
}


@compared_with(_weights, READING, {"mat1 and mat2": FEW_ROWS})
def check_read_weights(read_weights):
    """with the identity as value, the context is the weights."""
    for *batch, queries, keys in ((5, 5), (2, 4, 7)):
        query_and_key = torch.randn(*batch, queries, 8), torch.randn(*batch, keys, 8)
        yield f"read_weights with {queries} queries and {keys} keys" + " on a batch" * bool(batch), query_and_key
    expect("scaled_dot_product_attention" in calls(read_weights, *query_and_key), OTHERWISE)
