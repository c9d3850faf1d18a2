"""Right and wrong answers to the exercise on the handbook's page "PyTorch's own modules"."""

import torch
import torch.nn.functional as F

from companion.checks.handbook_pytorch import check_read_weights


def read(query, key):
    return F.scaled_dot_product_attention(query, key, torch.ones(key.shape[:-1]).diag_embed())


RIGHT = {check_read_weights: [read, lambda query, key: read(2 * query, key / 2)]}
WRONG = {
    check_read_weights: [
        (lambda query, key: read(query, key).exp(), "read_weights with 5 queries and 5 keys has the right shape")
    ]
}
