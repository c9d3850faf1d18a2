"""Right and wrong answers to the exercises in notebook 13 (heads that learn)."""

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


RIGHT = {check_induction_score: [score_by_loop], check_read_without: [one_by_one]}
WRONG = {
    check_induction_score: [
        (lambda *inputs: looks_one_past(*inputs).mean().item(), "induction_score with weights (10, 10) and period 4")
    ],
    check_read_without: [
        (lambda *inputs: one_by_one(*inputs[:3], inputs[3][:1]), "read_without(layer, stream, note, ['queries', 'val"),
        (lambda *inputs: one_by_one(*inputs[:3], str(inputs[3]).replace("key", "")), "nothing is hidden: what is name"),
        (lambda *inputs: one_by_one(*inputs, take=lambda pair: pair), "attention returns the context and the weights"),
    ],
}
