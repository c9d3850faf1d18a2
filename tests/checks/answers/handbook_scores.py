"""Right and wrong answers to the exercise on the handbook's page "Scores"."""

from checks.answers.notebook_04 import by_sums
from companion.checks.handbook_scores import check_merge_matrices

RIGHT = {check_merge_matrices: [by_sums]}
WRONG = {
    check_merge_matrices: [
        (lambda W_query, W_key: W_query @ W_key.T / 3**0.5, "merge_matrices with two matrices (4, 9) has the right")
    ]
}
