"""Right and wrong answers to the exercise on the handbook's page Speed (the delta rule)."""

import torch

from companion.checks.handbook_speed import check_delta_step


def towards(state, key, value, rate):
    """Go from the answer towards the value, and write the difference."""
    key = key / key.square().sum().sqrt()
    answer = key @ state
    return state + torch.einsum("k,v->kv", key, torch.lerp(answer, value, rate) - answer)


RIGHT = {check_delta_step: [towards]}
WRONG = {
    check_delta_step: [
        (lambda state, key, value, rate: state + torch.outer(value - key @ state, key), "the outer product is turned"),
        (lambda state, key, value, rate: state + torch.outer(key, value - state @ key), "read the state with key @ st"),
    ],
}
