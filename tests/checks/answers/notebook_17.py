"""Right and wrong answers to the exercises in notebook 17 (attention today)."""

import torch

from companion.checks.notebook_17 import check_absorbed_attention, check_delta_step, check_window_mask
from utils.attention import attention


def by_distance(num_tokens, window):
    distance = torch.arange(num_tokens)[:, None] - torch.arange(num_tokens)
    return (distance >= 0) & (distance < window)


def by_a_chain(num_tokens, window):
    return 0 <= torch.arange(num_tokens)[:, None] - torch.arange(num_tokens) < window


def by_diagonals(num_tokens, window):
    """Add up as many diagonals as the window has keys, though there may be fewer tokens."""
    return sum(torch.ones(num_tokens - back).diag(-back) for back in range(window)) == 1


def by_last_keys(num_tokens, window):
    """Cut the last keys off a list, where [-0:] is the whole list."""
    mask = torch.eye(num_tokens) == 1
    for i in range(num_tokens):
        mask[i, [*range(i)][-(window - 1) :]] = True
    return mask


def by_einsum(query, latent, W_up_key, W_up_value):
    absorbed = torch.einsum("hnk,hlk->hnl", query, W_up_key)
    weights = torch.einsum("hnl,tl->hnt", absorbed, latent).div(query.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.einsum("hnt,tl,hlv->hnv", weights, latent, W_up_value)


def with_latents_as_keys(query, latent, W_up_key, W_up_value):
    latents = latent.expand(len(query), -1, -1)  # (heads, tokens, d_latent)
    return attention(query @ W_up_key.mT, latents, latents)[0] @ W_up_value


def with_keys(query, latent, W_up_key, W_up_value):
    return attention(query, latent @ W_up_key, latent @ W_up_value)[0]


def with_values(query, latent, W_up_key, W_up_value):
    weights = (query @ W_up_key.mT @ latent.mT / query.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ (latent @ W_up_value)


def towards(state, key, value, rate):
    """Go from the answer towards the value, and write the difference."""
    key = key / key.square().sum().sqrt()
    answer = key @ state
    return state + torch.einsum("k,v->kv", key, torch.lerp(answer, value, rate) - answer)


RIGHT = {
    check_window_mask: [by_distance],
    check_absorbed_attention: [by_einsum],
    check_delta_step: [towards],
}
WRONG = {
    check_window_mask: [
        (by_a_chain, "a chain like 0 <= d < w"),
        (by_last_keys, "the past is not cut off: hide what lies window tokens"),
        (by_diagonals, "your function stopped with RuntimeError: Trying to create tensor with negative dimension -1"),
    ],
    check_absorbed_attention: [
        (with_keys, "the contexts are right, but a tensor as large as all keys"),
        (with_values, "the contexts are right, but a tensor as large as all keys"),
        (with_latents_as_keys, "the scores are divided by the root of d_latent"),
        (lambda query, latent, W_up_key, W_up_value: query @ W_up_key @ latent.mT, "check the shapes: W_up_key is"),
    ],
    check_delta_step: [
        (lambda state, key, value, rate: state + torch.outer(value - key @ state, key), "the outer product is turned"),
        (lambda state, key, value, rate: state + torch.outer(key, value - state @ key), "read the state with key @ st"),
        (
            lambda state, key, value, rate: state + rate * torch.outer(key, value - key / key.norm() @ state),
            "the key of length 1 reads, but the old one is written",
        ),
    ],
}
