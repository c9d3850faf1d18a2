import math

import pytest
import torch
import torch.nn.functional as F

from utils.checks.notebook_03 import check_linear, check_project_at_once
from utils.checks.notebook_04 import check_additive_scores, check_scores_from_inputs
from utils.checks.notebook_05 import check_spread, check_tempered_softmax


def scores_by_loop(query, key):
    if query.ndim > 2:
        return torch.stack([scores_by_loop(*pair) for pair in zip(query, key)])
    return torch.tensor([[float(q @ k) / math.sqrt(len(q)) for k in key] for q in query])


def additive_by_loop(query, key, vector):
    if query.ndim > 2:
        return torch.stack([additive_by_loop(*pair, vector) for pair in zip(query, key)])
    return torch.tensor([[float(vector @ torch.tanh(q + k)) for k in key] for q in query])


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


def from_inputs(score):
    return lambda inputs, W_query, W_key: score(inputs @ W_query, inputs @ W_key)


def tempered(soften):
    return lambda scores, temperature: soften(scores / temperature)


def split_at(sizes, inputs, *matrices):
    return (inputs @ torch.cat(matrices, -1)).split(sizes, -1)


def sized(inputs, *matrices):
    return split_at([len(matrix.T) for matrix in matrices], inputs, *matrices)


RIGHT = {
    check_project_at_once: [
        sized,
        lambda inputs, *matrices: list(sized(inputs, *matrices)),
        lambda inputs, *matrices: F.linear(inputs, torch.cat(matrices, 1).T).tensor_split([3, 6], -1),
        lambda *given: sized(*(part.double() for part in given)),
    ],
    check_linear: [
        F.linear,
        lambda inputs, weight, bias: (inputs @ weight.T).add_(bias),
        lambda inputs, weight, bias: (weight.double() @ inputs.double()[..., None])[..., 0] + bias,
        lambda inputs, weight, bias: torch.einsum("...i,oi->...o", inputs, weight) + bias,
        lambda inputs, weight, bias: torch.stack([inputs @ row + b for row, b in zip(weight, bias)], -1),
    ],
    check_scores_from_inputs: [
        from_inputs(scores_by_loop),
        from_inputs(lambda query, key: query.div_(query.shape[-1] ** 0.5) @ key.transpose(-2, -1)),
        from_inputs(lambda query, key: torch.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5),
        from_inputs(lambda query, key: (key.double() @ query.double().mT).mT / math.sqrt(query.shape[-1])),
    ],
    check_additive_scores: [
        lambda query, key, vector: torch.tanh(query[..., None, :] + key[..., None, :, :]) @ vector,
        additive_by_loop,
        lambda query, key, vector: (query.double().unsqueeze(-2) + key.unsqueeze(-3)).tanh_().mul_(vector).sum(-1),
    ],
    check_tempered_softmax: [
        tempered(softmax_by_loop),
        tempered(softmax_in_place),
        lambda scores, temperature: torch.exp(
            scores / temperature - (scores / temperature).logsumexp(-1, keepdim=True)
        ),
        tempered(lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp()),
    ],
    check_spread: [
        lambda weights: torch.special.entr(weights).sum(-1).exp(),
        lambda weights: 2 ** entropy(weights.clamp_(min=1e-12), torch.log2),
        lambda weights: (weights.double() ** -weights.double()).prod(-1),
        lambda weights: torch.distributions.Categorical(weights).perplexity(),
        lambda weights: torch.tensor([math.exp(-sum(w * math.log(w) for w in row if w)) for row in weights.tolist()]),
    ],
}
WRONG_SCORES = [
    (lambda query, key: key @ query.mT / 3, "query and key are swapped: row i must hold query i's scores"),
    (lambda query, key: key @ query.mT, "query and key are swapped, and the scale is missing"),
    (lambda query, key: query @ key.mT, "the scale is missing"),
    (lambda query, key: query @ key.mT * 3, "multiplied by sqrt(d_k) where it should be divided"),
    (lambda query, key: query @ key.mT / 9**-0.5, "multiplied by sqrt(d_k) where it should be divided"),
    (lambda query, key: query @ key.mT / query.shape[-1], "divided by d_k itself; take its square root"),
    (lambda query, key: query @ key.mT / len(key) ** 0.5, "divided by the root of the number of tokens"),
    (lambda query, key: query @ key.mT / 18**0.5, "scores_from_inputs with 6 tokens has the right shape"),
    (lambda query, key: torch.softmax(query @ key.mT / 3, -1), "these are weights already: no softmax yet"),
    (lambda query, key: query @ key.T / query.shape[-1] ** 0.5, ".T turns all axes of a batch round"),
    (lambda query, key: query @ key.mT / query.shape[1] ** 0.5, "scores_from_inputs on a batch (2, 4, 5)"),
    (lambda query, key: (query @ key.mT / 3).round(decimals=2), "scores_from_inputs with 6 tokens is rounded"),
    (lambda query, key: (query * key).sum(-1) / 3, "scores_from_inputs with 6 tokens gives shape (6,)"),
]
WRONG_SOFTMAXES = [
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
    (lambda scores: torch.softmax(scores.clamp(max=80), -1), "tempered_softmax on scores of 1000 has the right shape"),
    (lambda scores: torch.softmax(scores, 1), "softmax runs over axis 1, which is the last one of a matrix only"),
    (lambda scores: torch.softmax(scores, -1).round(decimals=4), "tempered_softmax at temperature 1 is rounded"),
    (lambda scores: torch.softmax(scores, -1), "the weights are right, but PyTorch's own softmax made them"),
    (lambda scores: torch.special.softmax(scores, -1), "the weights are right, but PyTorch's own softmax made them"),
    (lambda scores: F.softmin(-scores, -1), "the weights are right, but PyTorch's own softmax made them"),
]
WRONG = {
    check_project_at_once: [
        (lambda inputs, *matrices: None, "project_at_once gives None"),
        (lambda inputs, *matrices: inputs @ torch.cat(matrices, 1), "project_at_once returns three things"),
        (lambda inputs, q, k, v: sized(inputs, k, q, v), "query and key are exchanged"),
        (lambda inputs, q, k, v: sized(inputs, v, k, q), "query and value are exchanged"),
        (lambda inputs, q, k, v: sized(inputs, q, v, k), "key and value are exchanged"),
        (lambda *given: sized(*given)[0].chunk(3, -1), "the query gives shape (5, 1), but (5, 3)"),
        (lambda inputs, *matrices: (inputs @ torch.cat(matrices, 1)).chunk(3, -1), "the product is cut in three"),
        (lambda *given: split_at([3, 3, 3, 4], *given)[:3], "the value is cut short"),
        (lambda *given: [part.flatten(0, -2) for part in sized(*given)], "the query of a batch (2, 5, 4) gives shape"),
        (
            lambda inputs, *matrices: [inputs @ matrix for matrix in matrices],
            "all three are right, but took 3 products",
        ),
    ],
    check_linear: [
        (lambda inputs, weight, bias: inputs @ weight.T, "the bias is missing"),
        (lambda inputs, weight, bias: inputs @ weight + bias, "the weight is not transposed"),
        (lambda inputs, weight, bias: inputs @ weight.T + bias[:, None], "the bias belongs to the features"),
        (lambda inputs, weight, bias: inputs @ weight.T - bias, "the bias is subtracted"),
        (lambda inputs, weight, bias: weight @ inputs.T + bias[:, None], "one column a token"),
        (lambda inputs, weight, bias: torch.addmm(bias, inputs, weight.T), "your function stopped with RuntimeError"),
    ],
    check_scores_from_inputs: [
        (lambda X, q, k: (X @ q) @ (X @ k).mT / X.shape[-1] ** 0.5, "divided by the root of d_model, the inputs' size"),
        (lambda X, q, k: (X @ q.T) @ (X @ k.T).mT / 3, "the matrices are transposed, which square ones hide"),
        *((from_inputs(score), message) for score, message in WRONG_SCORES),
    ],
    check_additive_scores: [
        (lambda query, key, vector: (query[:, None] + key) @ vector, "tanh is missing"),
        (lambda query, key, vector: torch.tanh(key[:, None] + query) @ vector, "the matrix is turned round"),
        (lambda query, key, vector: torch.tanh(query[:, None] * key) @ vector, "query and key are multiplied"),
        (lambda query, key, vector: torch.tanh((query[:, None] + key) @ vector), "tanh comes last"),
        (lambda query, key, vector: torch.tanh(query + key) @ vector, "additive_scores with 5 queries and 5 keys"),
        (
            lambda query, key, vector: torch.tanh(query[:, None] + key) @ vector,
            "your function stopped with RuntimeError",
        ),
        (lambda query, key, vector: torch.tanh(query[:, None] + key), "additive_scores with 5 queries and 5 keys"),
    ],
    check_tempered_softmax: [
        (lambda scores, temperature: softmax_by_loop(scores), "the temperature has no effect"),
        (lambda scores, temperature: softmax_by_loop(scores * temperature), "the scores are multiplied by the"),
        (lambda scores, temperature: softmax_by_loop(scores) / temperature, "the weights are divided by the"),
        *((tempered(soften), message) for soften, message in WRONG_SOFTMAXES),
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
        (lambda weights: 4 ** (entropy(weights) / math.log(weights.shape[-1])), "spread over 8 equal weights has"),
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
