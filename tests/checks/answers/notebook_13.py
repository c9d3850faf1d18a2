"""Right and wrong answers to the exercises in notebook 13 (heads that learn)."""

import torch

from companion.checks.notebook_13 import check_induction_score, check_read_without
from companion.course_answers import looks_one_past
from utils.attention import attention, causal_mask


def score_by_loop(weights, period):
    asking = range(period, weights.shape[-1])
    return sum(weights[..., query, query - period + 1] for query in asking) / len(asking)


def one_by_one(layer, stream, note, hidden, take=lambda pair: pair[0]):
    names = {"queries": layer.W_query, "keys": layer.W_key, "values": layer.W_value}
    query, key, value = (make(stream - note * (name in hidden)) for name, make in names.items())
    return layer.W_output(take(attention(query, key, value, causal_mask(stream.shape[1]))))


def by_scores(layer, stream, note, hidden, ahead=1):
    """Compute the head by hand; with ahead=0 a token may not read itself."""
    read = {name: stream - note if name in hidden else stream for name in ("queries", "keys", "values")}
    scores = layer.W_query(read["queries"]) @ layer.W_key(read["keys"]).mT / stream.shape[-1] ** 0.5
    future = torch.ones_like(scores, dtype=torch.bool).triu(ahead)
    weights = scores.masked_fill(future, -1e9).softmax(dim=-1)
    return layer.W_output(weights @ layer.W_value(read["values"]))


RIGHT = {
    check_induction_score: [score_by_loop],
    check_read_without: [one_by_one, by_scores],
}
WRONG = {
    check_induction_score: [
        (lambda *inputs: looks_one_past(*inputs).mean().item(), "induction_score with weights (10, 10) and period 4")
    ],
    check_read_without: [
        (lambda *inputs: one_by_one(*inputs, take=lambda pair: pair), "attention returns the context and the weights"),
        (
            lambda *inputs: by_scores(*inputs, ahead=0),
            "read_without(layer, stream, note, ['queries']) has the right shape",
        ),
    ],
}
