"""Right and wrong answers to the exercises in notebook 15 (inside a real model)."""

import torch

from companion.checks.notebook_15 import check_my_cut, check_my_pool

BROADCAST = "The size of tensor a (5) must match the size of tensor b (3) at non-singleton dimension 1. Give `real` an"


def by_product(stream, real):
    shares = real.float() / real.sum(dim=1, keepdim=True)
    return (shares[:, None] @ stream).squeeze(1)


def cut_by_index(real, positions, copy=torch.clone):
    mask = copy(real[:, None, :].expand(-1, real.shape[1], -1))
    for sentence, row in enumerate(torch.nn.functional.one_hot(positions, real.shape[1]).bool()):
        mask[sentence, positions[sentence]] = row
    return mask


RIGHT = {check_my_pool: [by_product], check_my_cut: [cut_by_index]}
WRONG = {
    check_my_pool: [
        (lambda *given: by_product(*given).squeeze(), "my_pool for one sentence without padding gives shape (5,)"),
        (lambda stream, real: (stream * real[..., None]).sum(1) / real.sum(1), BROADCAST),
    ],
    check_my_cut: [(lambda *given: cut_by_index(*given, copy=lambda view: view), "your mask is a view of `real`")],
}
