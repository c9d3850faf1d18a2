"""Right and wrong answers to the exercises in notebook 16 (attention today)."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_16 import (
    banded,
    check_absorbed_scores,
    check_delta_step,
    check_softmax_off_by_one,
    check_window_mask,
    delta_written,
    scores_by_latent,
    softmax_with_null,
)


def ruled(sees):
    """Make a mask of a rule for how far back a query may see within a window, which may be a wrong one."""

    def window_mask(num_tokens, window):
        places = torch.arange(num_tokens)
        return sees(places[:, None] - places, window)

    return window_mask


def by_loops(num_tokens, window):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, max(0, i - window + 1) : i + 1] = True
    return mask


def blocked(num_tokens, window):
    block = torch.arange(num_tokens) // window
    return (block[:, None] == block).tril()


def absorbed(scale=lambda head_dim, size: head_dim**-0.5, matrix=lambda W_up: W_up):
    """Compose the scores from their scale and their matrices, which may be wrong ones."""

    def absorbed_scores(query, latent, W_up):
        return query @ matrix(W_up).mT @ latent.mT * scale(query.shape[-1], latent.shape[-1])

    return absorbed_scores


def by_einsum(query, latent, W_up):
    return torch.einsum("hqd,hcd,kc->hqk", query, W_up, latent) / query.shape[-1] ** 0.5


def head_by_head(query, latent, W_up):
    rows = [(each @ matrix.T) @ latent.T for each, matrix in zip(query, W_up)]
    return torch.stack(rows) * query.shape[-1] ** -0.5


def with_keys(query, latent, W_up):
    return query @ (latent @ W_up).mT / query.shape[-1] ** 0.5


def with_turned_keys(query, latent, W_up):
    return query @ (W_up.mT @ latent.mT) / query.shape[-1] ** 0.5


def with_keys_by_einsum(query, latent, W_up):
    keys_of_heads = torch.einsum("kc,hcd->khd", latent, W_up)
    return torch.einsum("hqd,khd->hqk", query, keys_of_heads) / query.shape[-1] ** 0.5


def shared(shift=lambda scores: scores.amax(-1, keepdim=True).clamp(min=0), null=lambda shift: (-shift).exp()):
    """Compose the weights from the shift and the null key's exp, which may be wrong ones."""

    def softmax_off_by_one(scores):
        largest = shift(scores)
        exps = (scores - largest).exp()
        return exps / (exps.sum(-1, keepdim=True) + null(largest))

    return softmax_off_by_one


def by_sigmoid(scores):
    return scores.softmax(-1) * scores.logsumexp(-1, keepdim=True).sigmoid()


def mended_in_place(scores):
    weights = by_sigmoid(scores)
    weights[weights.isnan()] = 0
    return weights


def by_logarithms(scores):
    """Divide by subtracting logarithms: log(1 + sum of exps) is a logsumexp with one more 0."""
    return (scores - F.pad(scores, (0, 1)).logsumexp(-1, keepdim=True)).exp()


def null_first(scores):
    return torch.cat([torch.zeros_like(scores[..., :1]), scores], dim=-1).softmax(-1)[..., 1:]


def unshifted(above=lambda exps: exps, below=lambda exps: exps.sum(-1, keepdim=True) + 1):
    return lambda scores: above(scores.exp()) / below(scores.exp())


def moved(
    unit=lambda key: key / key.norm(),
    error=lambda value, answer: value - answer,
    write=lambda state, key, error, rate: state + rate * torch.outer(key, error),
):
    """Compose the step from its decisions, any of which may be a wrong one."""

    def delta_step(state, key, value, rate):
        key = unit(key)
        return write(state, key, error(value, key @ state), rate)

    return delta_step


def by_matrices(state, key, value, rate):
    """Erase, then write: (1 - rate k kT) S + rate k vT."""
    key = F.normalize(key[:, None], dim=0)  # a column
    return (torch.eye(len(key)) - rate * key @ key.T) @ state + rate * key @ value[None]


def towards(state, key, value, rate):
    """Go from the answer towards the value, and write the difference."""
    key = key / key.square().sum().sqrt()
    answer = key @ state
    return state + torch.einsum("k,v->kv", key, torch.lerp(answer, value, rate) - answer)


def in_place(state, key, value, rate):
    key = key / key.norm()
    state += rate * torch.outer(key, value - key @ state)
    return state


def half_read(state, key, value, rate):
    return state + rate * torch.outer(key / key.norm(), value - key @ state)


def half_written(state, key, value, rate):
    return state + rate * torch.outer(key, value - (key / key.norm()) @ state)


RIGHT = {
    check_window_mask: [banded, by_loops, ruled(lambda back, window: (back >= 0) & (back < window))],
    check_absorbed_scores: [scores_by_latent, absorbed(), by_einsum, head_by_head],
    check_softmax_off_by_one: [softmax_with_null, shared(), by_logarithms, null_first],
    check_delta_step: [delta_written, moved(), by_matrices, towards],
}
WRONG = {
    check_window_mask: [
        (ruled(lambda back, window: (back >= 0) & (back <= window)), "the window is one too wide"),
        (ruled(lambda back, window: (back >= 0) & (back < window - 1)), "the window is one too narrow"),
        (ruled(lambda back, window: back.abs() < window), "the window looks both ways"),
        (ruled(lambda back, window: back.abs() <= window // 2), "half of the window looks ahead"),
        (ruled(lambda back, window: back >= 0), "the past is not cut off"),
        (ruled(lambda back, window: back < window), "the future is not hidden"),
        (ruled(lambda back, window: (-window < back) & (back <= 0)), "rows and columns are exchanged"),
        (ruled(lambda back, window: (back > 0) & (back < window)), "a token does not see itself"),
        (ruled(lambda back, window: (back > 0) & (back <= window)), "the window lies before the token"),
        (blocked, "the windows stand still, side by side"),
        (ruled(lambda back, window: (back < 0) | (back >= window)), "the mask is turned round"),
        (
            ruled(lambda back, window: ((back >= 0) & (back < window)).float()),
            "window_mask(7, 3) has dtype torch.float",
        ),
        (ruled(lambda back, window: (back >= 0) & (back < 3)), "window_mask(6, 4) is False at (3, 0)"),
        (lambda *sizes: None, "window_mask(7, 3) gives None; did you forget `return`?"),
    ],
    check_absorbed_scores: [
        (with_keys, "the scores are right, but latent @ W_up makes the keys"),
        (with_keys_by_einsum, "the scores are right, but latent @ W_up makes the keys"),
        (with_turned_keys, "the scores are right, but latent @ W_up makes the keys"),
        (absorbed(scale=lambda head_dim, size: 1), "the scale is missing"),
        (absorbed(scale=lambda head_dim, size: size**-0.5), "divided by the root of the latent's size"),
        (absorbed(scale=lambda head_dim, size: 1 / head_dim), "divided by the head size itself"),
        (absorbed(scale=lambda head_dim, size: head_dim**0.5), "multiplied by the root of the head size"),
        (absorbed(matrix=lambda W_up: W_up.flip(0)), "each head must use its own matrix"),
        (absorbed(matrix=lambda W_up: W_up[:1]), "every head uses the matrix of the first"),
        (absorbed(matrix=lambda W_up: W_up.sum(0)), "the matrices of all heads are added up"),
        (absorbed(matrix=lambda W_up: W_up.mT), "a product's sizes do not fit"),
        (lambda *given: scores_by_latent(*given).softmax(-1), "these are weights; the scores come before softmax"),
        (lambda *given: scores_by_latent(*given).mT, "rows and columns are exchanged"),
        (lambda *given: None, "absorbed_scores gives None; did you forget `return`?"),
    ],
    check_softmax_off_by_one: [
        (lambda scores: scores.softmax(-1), "these are softmax's weights, which sum to 1"),
        (shared(null=lambda largest: 1), "the row is shifted by the largest of its scores and 0, but the 1 is not"),
        (
            shared(shift=lambda scores: scores.amax(-1, keepdim=True), null=lambda largest: 1),
            "the row is shifted by its own largest score, but the 1 is not",
        ),
        (unshifted(above=lambda exps: exps + 1), "1 is added above the line, too"),
        (unshifted(below=lambda exps: (exps + 1).sum(-1, keepdim=True)), "1 is added for each key"),
        (unshifted(below=lambda exps: exps.sum(-1, keepdim=True) - 1), "the 1 is subtracted"),
        (torch.sigmoid, "each score is taken by itself, a sigmoid"),
        (unshifted(below=lambda exps: exps.sum(-2, keepdim=True) + 1), "the columns sum to 1"),
        (unshifted(below=lambda exps: exps.sum() + 1), "all numbers together sum to 1"),
        (unshifted(below=lambda exps: exps.sum(-1) + 1), "the sums lack keepdim=True"),
        (lambda scores: F.pad(scores, (0, 1)).softmax(-1), "the null key has a column: drop it"),
        (lambda scores: F.pad(scores, (1, 0)).softmax(-1), "the null key has a column, the first: drop it"),
        (unshifted(), "large scores give nan: exp overflows"),
        (shared(shift=lambda scores: scores.max()), "one shift for all rows leaves some without any exp"),
        (shared(shift=lambda scores: scores.amax(-1, keepdim=True)), "a row of -inf gives nan"),
        (by_sigmoid, "a row of -inf gives nan"),
        (lambda scores: by_sigmoid(scores).nan_to_num(), "a row of -inf gives zeros, but of a nan that is mended"),
        (mended_in_place, "a row of -inf gives zeros, but of a nan that is mended"),
        (lambda scores: None, "softmax_off_by_one gives None; did you forget `return`?"),
    ],
    check_delta_step: [
        (moved(unit=lambda key: key), "the key must have length 1 first"),
        (moved(unit=lambda key: key / (key @ key)), "the key is divided by its squared length"),
        (lambda state, key, value, rate: moved()(state, key, value, 1 - rate), "1 - rate of the way is gone"),
        (moved(unit=lambda key: key / key.sum()), "the key is divided by its sum"),
        (half_read, "the key is written with length 1, but read as it came"),
        (half_written, "the key is read with length 1, but written as it came"),
        (moved(unit=lambda key: key / key.square().mean().sqrt()), "the key has its mean square 1"),
        (moved(error=lambda value, answer: value), "what the state already answers is not subtracted"),
        (moved(error=lambda value, answer: value + answer), "what the state answers is added"),
        (moved(write=lambda state, key, error, rate: state + torch.outer(key, error)), "the rate is missing"),
        (
            lambda state, key, value, rate: moved(error=lambda v, answer: rate * v - answer)(state, key, value, 1),
            "the rate multiplies the value alone",
        ),
        (moved(error=lambda value, answer: answer - value), "the state moves away from the value"),
        (moved(write=lambda state, key, error, rate: rate * torch.outer(key, error)), "the old state is lost"),
        (
            moved(write=lambda state, key, error, rate: (1 - rate) * state + rate * torch.outer(key, error)),
            "the old state fades",
        ),
        (
            moved(write=lambda state, key, error, rate: state + rate * torch.outer(error, key)),
            "the outer product is turned round",
        ),
        (
            lambda state, key, value, rate: state + rate * torch.outer(key / key.norm(), value - state @ key),
            "read the state with key @ state",
        ),
        (lambda state, *given: state, "nothing changed"),
        (in_place, "an input is changed in place"),
        (lambda *given: None, "delta_step gives None; did you forget `return`?"),
    ],
}
