"""Right and wrong answers to the exercises in notebook 17 (attention today)."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_17 import check_delta_step, check_grouped_attention, check_window_mask
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


def by_a_group_axis(query, key, value, mask):
    """Give the queries an axis of groups, over which a head of keys and values broadcasts."""
    groups = query.unflatten(0, (len(key), -1))
    return F.scaled_dot_product_attention(groups, key[:, None], value[:, None], mask).flatten(0, 1)


def in_turn(query, key, value, mask):
    shared = len(query) // len(key)
    return F.scaled_dot_product_attention(query, torch.cat([key] * shared), torch.cat([value] * shared), mask)


def towards(state, key, value, rate):
    """Go from the answer towards the value, and write the difference."""
    key = key / key.square().sum().sqrt()
    answer = key @ state
    return state + torch.einsum("k,v->kv", key, torch.lerp(answer, value, rate) - answer)


RIGHT = {
    check_window_mask: [by_distance],
    check_grouped_attention: [by_a_group_axis],
    check_delta_step: [towards],
}
WRONG = {
    check_window_mask: [
        (by_a_chain, "a chain like 0 <= d < w"),
        (by_last_keys, "the past is not cut off: hide what lies window tokens"),
        (by_diagonals, "your function stopped with RuntimeError: Trying to create tensor with negative dimension -1"),
    ],
    check_grouped_attention: [
        (lambda query, key, value, mask: attention(query, key, value, mask)[0], "there are fewer heads of keys than"),
        (lambda query, *given: by_a_group_axis(query.flip(0), *given), "grouped_attention for 6 heads of queries and"),
        (in_turn, "the heads take turns"),
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
