"""Check of the exercise on the handbook's page "Scores", and the course's own answer to it."""

import torch

from companion.checks.compared import compared_with
from companion.mistakes import SCALED
from utils.attention import masked_softmax, scores


def matrices_merged(W_query, W_key):
    """The course's own answer: M (d_model, d_model); inputs @ M @ inputs.T are the scaled scores."""
    return scores(W_query, W_key)  # the features ask, as if they were tokens


UNTRANSPOSED = "W_query @ W_key lets d_k meet d_model: transpose W_key, so that d_k meets d_k"
TURNED = "the matrix is turned round: its left side meets the token that asks, so W_query comes first"
MERGED = {
    TURNED: lambda W_query, W_key: matrices_merged(W_query, W_key).T,
    UNTRANSPOSED: lambda W_query, W_key: W_query @ W_key,
    "softmax needs the scores of inputs: M comes before them": lambda *matrices: masked_softmax(
        matrices_merged(*matrices)
    ),
    **SCALED,
}


@compared_with(matrices_merged, MERGED, {"(7x3 and 7x3)": UNTRANSPOSED})
def check_merge_matrices(merge_matrices):
    """one matrix replaces two, and the scores need neither query nor key."""
    for d_model, d_k in ((7, 3), (4, 9)):
        matrices = torch.randn(d_model, d_k), torch.randn(d_model, d_k)
        yield f"merge_matrices with two matrices ({d_model}, {d_k})", matrices
