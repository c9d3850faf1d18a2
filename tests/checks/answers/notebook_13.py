"""Right and wrong answers to the exercises in notebook 13 (heads that learn)."""

from companion.checks.notebook_13 import check_induction_score, check_read_without
from utils.attention import attention, causal_mask


def score_by_loop(weights, period):
    asking = range(period, weights.shape[-1])
    return sum(weights[..., query, query - period + 1] for query in asking) / len(asking)


def one_by_one(layer, stream, note, hidden):
    names = {"queries": layer.W_query, "keys": layer.W_key, "values": layer.W_value}
    query, key, value = (make(stream - note * (name in hidden)) for name, make in names.items())
    return layer.W_output(attention(query, key, value, causal_mask(stream.shape[1]))[0])


RIGHT = {check_induction_score: [score_by_loop], check_read_without: [one_by_one]}
WRONG = {
    check_induction_score: {
        "induction_score with weights (10, 10) and period 4": {"sum(": "float(sum(", "asking) /": "asking)) /"}
    },
    check_read_without: {
        "read_without(layer, stream, note, ['queries', 'val": {"in hidden": "in hidden[:1]"},
        "nothing is hidden: what is name": {"name in hidden": "name in str(hidden).replace('key', '')"},
        "attention returns the context and the weights": {"[1]))[0]": "[1]))"},
    },
}
