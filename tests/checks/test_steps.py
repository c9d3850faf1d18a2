import math

import pytest
import torch
import torch.nn.functional as F

from utils.checks.steps import (
    check_additive_scores,
    check_linear,
    check_project_all,
    check_score_matrix,
    check_softmax_rows,
    check_spread,
)


def scores_by_loop(query, key):
    if query.ndim > 2:
        return torch.stack([scores_by_loop(*pair) for pair in zip(query, key)])
    return torch.tensor([[float(q @ k) / math.sqrt(len(q)) for k in key] for q in query])


def softmax_by_loop(scores):
    if scores.ndim > 1:
        return torch.stack([softmax_by_loop(row) for row in scores])
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([part / sum(exps) for part in exps])


def softmax_in_place(scores):
    scores -= scores.max(-1, keepdim=True).values
    scores.exp_()
    scores /= scores.sum(-1, keepdim=True)
    return scores


def softmax_from(shift, scores, keepdim=True):
    exps = (scores - shift).exp()
    return exps / exps.sum(-1, keepdim=keepdim)


def entropy(weights, log=torch.log):
    return -(weights * log(weights)).sum(-1)


RIGHT = {
    check_project_all: [
        lambda inputs, matrix: inputs @ matrix.T,
        lambda inputs, matrix: (matrix @ inputs.T).T,
        lambda inputs, matrix: F.linear(inputs.double(), matrix.double()),
        lambda inputs, matrix: torch.einsum("tm,km->tk", inputs, matrix),
        lambda inputs, matrix: torch.stack([matrix @ token for token in inputs]),
    ],
    check_linear: [
        F.linear,
        lambda inputs, weight, bias: (inputs @ weight.T).add_(bias),
        lambda inputs, weight, bias: (weight.double() @ inputs.double()[..., None])[..., 0] + bias,
        lambda inputs, weight, bias: torch.einsum("...i,oi->...o", inputs, weight) + bias,
        lambda inputs, weight, bias: torch.stack([inputs @ row + b for row, b in zip(weight, bias)], -1),
    ],
    check_score_matrix: [
        scores_by_loop,
        lambda query, key: query.div_(query.shape[-1] ** 0.5) @ key.transpose(-2, -1),
        lambda query, key: torch.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5,
        lambda query, key: (key.double() @ query.double().mT).mT / math.sqrt(query.shape[-1]),
    ],
    check_additive_scores: [
        lambda query, key, vector: torch.tanh(query[:, None] + key) @ vector,
        lambda query, key, vector: torch.stack([torch.tanh(key + q) @ vector for q in query]),
        lambda query, key, vector: (query.double()[:, None] + key[None]).tanh_().mul_(vector).sum(-1),
        lambda query, key, vector: torch.tensor([[float(vector @ torch.tanh(q + k)) for k in key] for q in query]),
    ],
    check_softmax_rows: [
        softmax_by_loop,
        softmax_in_place,
        lambda scores: torch.softmax(scores.double(), -1),
        lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp(),
    ],
    check_spread: [
        lambda weights: torch.special.entr(weights).sum(-1).exp(),
        lambda weights: 2 ** entropy(weights.clamp_(min=1e-12), torch.log2),
        lambda weights: (weights.double() ** -weights.double()).prod(-1),
        lambda weights: torch.distributions.Categorical(weights).perplexity(),
        lambda weights: torch.tensor([math.exp(-sum(w * math.log(w) for w in row if w)) for row in weights.tolist()]),
    ],
}
WRONG = {
    check_project_all: [
        (lambda inputs, matrix: inputs @ matrix, "W is not transposed, which a square W hides"),
        (lambda inputs, matrix: matrix @ inputs.T, "one column a token"),
        (lambda inputs, matrix: matrix @ inputs[0], "project_all with a square W (4, 4) gives shape (4,)"),
        (lambda inputs, matrix: (inputs @ matrix.T)[:4], "project_all with X (5, 4) and W (3, 4) gives shape (4, 3)"),
        (lambda inputs, matrix: (inputs @ matrix.T).round(decimals=4), "project_all with a square W (4, 4) is"),
    ],
    check_linear: [
        (lambda inputs, weight, bias: inputs @ weight.T, "the bias is missing"),
        (lambda inputs, weight, bias: inputs @ weight + bias, "the weight is not transposed"),
        (lambda inputs, weight, bias: inputs @ weight.T + bias[:, None], "the bias belongs to the features"),
        (lambda inputs, weight, bias: inputs @ weight.T - bias, "the bias is subtracted"),
        (lambda inputs, weight, bias: weight @ inputs.T + bias[:, None], "one column a token"),
        (lambda inputs, weight, bias: torch.addmm(bias, inputs, weight.T), "your function stopped with RuntimeError"),
    ],
    check_score_matrix: [
        (lambda query, key: key @ query.mT / 3, "query and key are swapped: row i must hold query i's scores"),
        (lambda query, key: key @ query.mT, "query and key are swapped, and the scale is missing"),
        (lambda query, key: query @ key.mT, "the scale is missing"),
        (lambda query, key: query @ key.mT * 3, "multiplied by sqrt(d_k) where it should be divided"),
        (lambda query, key: query @ key.mT / 9**-0.5, "multiplied by sqrt(d_k) where it should be divided"),
        (lambda query, key: query @ key.mT / query.shape[-1], "divided by d_k itself; take its square root"),
        (lambda query, key: query @ key.mT / len(key) ** 0.5, "divided by the root of the number of tokens"),
        (lambda query, key: query @ key.mT / 18**0.5, "score_matrix with 6 queries and 6 keys has the right shape"),
        (lambda query, key: torch.softmax(query @ key.mT / 3, -1), "these are weights already: no softmax yet"),
        (lambda query, key: query @ key.T / query.shape[-1] ** 0.5, ".T turns all axes of a batch round"),
        (lambda query, key: query @ key.mT / query.shape[1] ** 0.5, "score_matrix on a batch, (2, 4, 9) and (2, 7, 9)"),
        (lambda query, key: (query @ key.mT / 3).round(decimals=2), "score_matrix with 6 queries and 6 keys is"),
        (lambda query, key: (query * key).sum(-1) / 3, "score_matrix with 6 queries and 6 keys gives shape (6,)"),
    ],
    check_additive_scores: [
        (lambda query, key, vector: (query[:, None] + key) @ vector, "tanh is missing"),
        (lambda query, key, vector: torch.tanh(key[:, None] + query) @ vector, "the matrix is turned round"),
        (lambda query, key, vector: torch.tanh(query[:, None] * key) @ vector, "query and key are multiplied"),
        (lambda query, key, vector: torch.tanh((query[:, None] + key) @ vector), "tanh comes last"),
        (lambda query, key, vector: torch.tanh(query + key) @ vector, "additive_scores with 5 queries and 5 keys"),
        (lambda query, key, vector: torch.tanh(query[:, None] + key), "additive_scores with 5 queries and 5 keys"),
    ],
    check_softmax_rows: [
        (lambda scores: torch.softmax(scores, 0), "each column sums to 1, not each row"),
        (lambda scores: scores.exp() / scores.exp().sum(), "all numbers together sum to 1"),
        (lambda scores: scores / scores.sum(-1, keepdim=True), "exp is missing"),
        (lambda scores: scores.exp(), "exp without the division"),
        (lambda scores: softmax_from(0, scores / scores.amax(-1, keepdim=True)), "the largest score is divided by"),
        (lambda scores: softmax_from(0, scores, keepdim=False), "the row sums lack keepdim=True"),
        (lambda scores: softmax_from(scores.amax(-1), scores), "the largest scores lack keepdim=True"),
        (lambda scores: softmax_from(scores.amax(-1), scores, False), "the largest scores and the row sums lack"),
        (lambda scores: softmax_from(0, scores), "large scores give nan: exp overflows"),
        (lambda scores: softmax_from(0, scores.double()), "large scores give nan: exp overflows"),
        (lambda scores: softmax_from(scores.max(), scores), "large scores give nan: exp overflows, or every exp is 0"),
        (lambda scores: softmax_from(scores.mean(-1, True), scores), "large scores give nan: exp overflows"),
        (lambda scores: softmax_from(scores.amin(-1, True), scores), "large scores give nan: exp overflows"),
        (lambda scores: torch.softmax(scores.clamp(max=80), -1), "softmax_rows on scores of 1000 has the right shape"),
        (lambda scores: torch.softmax(scores, 1), "softmax runs over axis 1, which is the last one of a matrix only"),
        (lambda scores: (torch.softmax(scores, -1) * 10).round() / 10, "softmax_rows on a (4, 4) matrix is rounded"),
        (lambda scores: torch.softmax(scores, -1).round(decimals=4), "softmax_rows on a (4, 4) matrix is rounded"),
    ],
    check_spread: [
        (entropy, "this is the entropy; take exp of it"),
        (lambda weights: entropy(weights, torch.log2), "this is the entropy in bits; take 2 to its power"),
        (lambda weights: (-entropy(weights)).exp(), "the sign is turned"),
        (lambda weights: entropy(weights, torch.log2).exp(), "exp undoes the natural logarithm, not log2"),
        (lambda weights: entropy(weights).exp(), "a weight of 0 gives nan"),
        (lambda weights: entropy(weights).nan_to_num().exp(), "spread of rows in which some weights are 0 has"),
        (lambda weights: entropy(weights).sum().exp(), "spread of 3 rows of weights gives shape ()"),
        (lambda weights: torch.tensor(weights.shape[-1:]).expand(len(weights)), "spread of 3 rows of weights"),
        (lambda weights: 1 / (weights**2).sum(-1), "spread of 3 rows of weights has the right shape"),
    ],
}


@pytest.mark.parametrize("check, right", [(check, right) for check, answers in RIGHT.items() for right in answers])
def test_any_right_answer_is_correct(check, right, verdict):
    assert verdict(check, right) == f"correct: {check.__doc__}"


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("check, wrong, message", [(check, *case) for check, cases in WRONG.items() for case in cases])
def test_each_mistake_is_told_its_own_cause(check, wrong, message, verdict):
    assert verdict(check, wrong).startswith(f"not yet: {message}")
