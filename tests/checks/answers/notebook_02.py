"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

import torch

from companion.checks.notebook_02 import check_neighbors, check_plain_average, check_train_row
from companion.worlds.which_minute.answers import probability_of_tiny, slopes_of


def neighbors_by_sorting(table, meanings):
    nearest = [torch.cdist(row[None], table)[0].argsort()[1].item() for row in table]
    return nearest, torch.tensor(sum(meanings[row] == meanings[neighbor] for row, neighbor in enumerate(nearest)))


def their_distances(table, meanings):
    nearest, same = neighbors_by_sorting(table, meanings)
    return [torch.dist(row, table[neighbor]) for row, neighbor in zip(table, nearest)], same


def loss_of(row):
    return -probability_of_tiny(row).log()


def training(nudge, first=0):
    def train_row(row, wanted):
        count = 0
        while count < first or probability_of_tiny(row) < wanted:
            row, count = nudge(row), count + 1
        return row, count

    return train_row


def nudge_still_attached(row):
    row = row.detach().clone().requires_grad_()
    loss_of(row).backward()
    return row - 0.3 * row.grad


def nudge_in_place(row):
    row = row.clone().requires_grad_()
    loss_of(row).backward()
    row -= 0.3 * row.grad
    return row


def nudge_before_backward(row):
    row = row.clone().requires_grad_()
    return (row - 0.3 * row.grad).detach()


def nudge_without_slopes(row):
    loss_of(row).backward()
    return row - 0.3 * row.grad


def nudge_uphill(row):
    row = row.clone().requires_grad_()
    probability_of_tiny(row).backward()
    return (row - 0.3 * row.grad).detach()


RIGHT = {
    check_train_row: [training(lambda row: row - 0.3 * slopes_of(row))],
    check_neighbors: [neighbors_by_sorting],
    check_plain_average: [
        lambda vectors: torch.einsum("ij,jd->id", torch.ones(len(vectors), len(vectors)) / len(vectors), vectors)
    ],
}
WRONG = {
    check_train_row: [
        (training(nudge_still_attached), "the new row is still linked to the old one"),
        (
            training(nudge_in_place),
            "a leaf Variable that requires grad is being used in an in-place operation: make a new row",
        ),
        (
            training(nudge_before_backward),
            "unsupported operand type(s) for *: 'float' and 'NoneType': a row has slopes if it asked",
        ),
        (
            training(nudge_without_slopes),
            "element 0 of tensors does not require grad and does not have a grad_fn: ask for the slopes",
        ),
        (training(lambda row: row - 0.3 * slopes_of(row), first=1), "the row of train_row, from the untrained row of"),
        (training(nudge_uphill), "“tiny” never gets what is wanted; is the loss minus the logarithm"),
        (
            training(lambda row: row + 0.3 * slopes_of(row)),
            "the loss grew until its logarithm was lost (nan): step against the slopes",
        ),
    ],
    check_neighbors: [
        (lambda table, meanings: torch.cdist(table, table).item(), "a Tensor with 100 elements cannot be converted to"),
        (their_distances, "these are distances; return the index of the row that has each"),
        (lambda table, meanings: neighbors_by_sorting(table[:, :2], meanings), "the list of neighbors of neighbors in"),
    ],
    check_plain_average: [
        (lambda vectors: torch.ones(2, 2) / 2 @ vectors, "mat1 and mat2 shapes cannot be multiplied"),
        (lambda vectors: torch.ones(2, 2).long() @ vectors, "expected m1 and m2 to have the same dtype"),
    ],
}
