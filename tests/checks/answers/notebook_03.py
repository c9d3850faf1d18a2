"""Right and wrong answers to the exercises in notebook 03 (queries, keys and values)."""

import torch
import torch.nn.functional as F

from utils.checks.notebook_03 import check_linear, check_project_at_once


def split_at(sizes, inputs, *matrices):
    return (inputs @ torch.cat(matrices, -1)).split(sizes, -1)


def sized(inputs, *matrices):
    return split_at([len(matrix.T) for matrix in matrices], inputs, *matrices)


RIGHT = {
    check_project_at_once: [
        sized,
        lambda inputs, *matrices: list(sized(inputs, *matrices)),
        lambda inputs, *matrices: F.linear(inputs, torch.cat(matrices, 1).T).tensor_split([3, 6], -1),
        lambda *given: sized(*(part.double() for part in given)),
    ],
    check_linear: [
        F.linear,
        lambda inputs, weight, bias: (inputs @ weight.T).add_(bias),
        lambda inputs, weight, bias: (weight.double() @ inputs.double()[..., None])[..., 0] + bias,
        lambda inputs, weight, bias: torch.einsum("...i,oi->...o", inputs, weight) + bias,
        lambda inputs, weight, bias: torch.stack([inputs @ row + b for row, b in zip(weight, bias)], -1),
    ],
}
WRONG = {
    check_project_at_once: [
        (lambda inputs, *matrices: None, "project_at_once gives None"),
        (lambda inputs, *matrices: inputs @ torch.cat(matrices, 1), "project_at_once returns three things"),
        (lambda inputs, q, k, v: sized(inputs, k, q, v), "query and key are exchanged"),
        (lambda inputs, q, k, v: sized(inputs, v, k, q), "query and value are exchanged"),
        (lambda inputs, q, k, v: sized(inputs, q, v, k), "key and value are exchanged"),
        (lambda *given: sized(*given)[0].chunk(3, -1), "the query gives shape (5, 1), but (5, 3)"),
        (lambda inputs, *matrices: (inputs @ torch.cat(matrices, 1)).chunk(3, -1), "the product is cut in three"),
        (lambda *given: split_at([3, 3, 3, 4], *given)[:3], "the value is cut short"),
        (lambda *given: [part.flatten(0, -2) for part in sized(*given)], "the query of a batch (2, 5, 4) gives shape"),
        (
            lambda inputs, *matrices: [inputs @ matrix for matrix in matrices],
            "all three are right, but took 3 products",
        ),
    ],
    check_linear: [
        (lambda inputs, weight, bias: inputs @ weight.T, "the bias is missing"),
        (lambda inputs, weight, bias: inputs @ weight + bias, "the weight is not transposed"),
        (lambda inputs, weight, bias: inputs @ weight.T + bias[:, None], "the bias belongs to the features"),
        (lambda inputs, weight, bias: inputs @ weight.T - bias, "the bias is subtracted"),
        (lambda inputs, weight, bias: weight @ inputs.T + bias[:, None], "one column a token"),
        (lambda inputs, weight, bias: torch.addmm(bias, inputs, weight.T), "your function stopped with RuntimeError"),
    ],
}
