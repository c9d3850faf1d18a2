"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

import torch

from companion.checks.notebook_02 import check_neighbors, check_plain_average, check_train_row
from companion.worlds.which_minute.answers import probability_of_tiny


def trained(row, wanted):
    count = 0
    while probability_of_tiny(row) < wanted:
        row = row.clone().requires_grad_()
        (-probability_of_tiny(row).log()).backward()
        row, count = (row - 0.3 * row.grad).detach(), count + 1
    return row, count


def neighbors_by_sorting(table, meanings):
    nearest = [torch.cdist(row[None], table)[0].argsort()[1].item() for row in table]
    return nearest, torch.tensor(sum(meanings[row] == meanings[neighbor] for row, neighbor in enumerate(nearest)))


def average_by_shares(vectors):
    num_tokens = len(vectors)
    return torch.einsum("ij,jd->id", torch.ones(num_tokens, num_tokens) / num_tokens, vectors)


RIGHT = {check_train_row: [trained], check_neighbors: [neighbors_by_sorting], check_plain_average: [average_by_shares]}
WRONG = {
    check_train_row: {
        "the new row is still linked to the old one": {"row.clone()": "row.detach().clone()", ").detach()": ")"},
        "a leaf Variable that requires grad is being used in an in-place operation: make a new row": {
            "row, count = (row - 0.3 * row.grad).detach(), count + 1": "row -= 0.3 * row.grad"
        },
        "unsupported operand type(s) for *: 'float' and 'NoneType': a row has slopes if it asked": {
            "(-probability_of_tiny(row).log()).backward()": ""
        },
        "element 0 of tensors does not require grad and does not have a grad_fn: ask for the slopes": {
            ".requires_grad_()": ""
        },
        "the row of train_row, from the untrained row of": {"while ": "while count < 1 or "},
        "“tiny” never gets what is wanted; is the loss minus the logarithm": {"(-": "(", ".log()": ""},
        "the loss grew until its logarithm was lost (nan): step against the slopes": {"row - 0.3": "row + 0.3"},
    },
    check_neighbors: {
        "a Tensor with 100 elements cannot be converted to": lambda table, meanings: torch.cdist(table, table).item(),
        "these are distances; return the index of the row that has each": {
            "return nearest": "return [torch.dist(row, table[neighbor]) for row, neighbor in zip(table, nearest)]"
        },
        "the list of neighbors of neighbors in": {"row[None], table": "row[None, :2], table[:, :2]"},
    },
    check_plain_average: {
        "mat1 and mat2 shapes cannot be multiplied": lambda vectors: torch.ones(2, 2) / 2 @ vectors,
        "The size of tensor a (2) must match": lambda vectors: torch.ones(2, 2) / 2 * vectors,
        "expected m1 and m2 to have the same dtype": lambda vectors: torch.ones(2, 2).long() @ vectors,
    },
}
