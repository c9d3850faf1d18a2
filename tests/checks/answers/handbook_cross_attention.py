"""Right and wrong answers to the exercise on the handbook's page "Cross-attention" (read a padded memory)."""

import torch

from companion.checks.handbook_cross_attention import check_read_memory
from utils.attention import attention


def read_one_by_one(inputs, memory, W_query, W_key, W_value, lengths):
    pairs = zip(inputs @ W_query, memory, lengths)
    return torch.stack(
        [attention(query, tokens[:length] @ W_key, tokens[:length] @ W_value)[0] for query, tokens, length in pairs]
    )


RIGHT = {check_read_memory: [read_one_by_one]}
WRONG = {
    check_read_memory: [
        (lambda *inputs: read_one_by_one(*inputs[:5], inputs[5] * 0 + inputs[1].shape[1]), "the padding is read")
    ]
}
