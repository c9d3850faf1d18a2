"""Right and wrong answers to the exercise on the handbook's page "Scores"."""

from companion.checks.handbook_scores import check_merge_matrices


def by_sums(W_query, W_key):
    return (W_query.unsqueeze(-2) * W_key.unsqueeze(-3)).sum(-1) / W_key.shape[-1] ** 0.5


RIGHT = {
    check_merge_matrices: [by_sums],
}
WRONG = {
    check_merge_matrices: [
        (lambda W_query, W_key: W_query @ W_key.T / 3**0.5, "merge_matrices with two matrices (4, 9) has the right")
    ],
}
