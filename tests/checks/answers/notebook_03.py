"""Right and wrong answers to the exercises in notebook 03 (queries, keys and values)."""

import math

import torch
import torch.nn.functional as F

from companion.checks.notebook_03 import check_project_at_once, check_read_one


def split_at(sizes, inputs, *matrices):
    return (inputs @ torch.cat(matrices, -1)).split(sizes, -1)


def sized(inputs, *matrices):
    return split_at([len(matrix.T) for matrix in matrices], inputs, *matrices)


def sliced(together, *ends):
    return tuple(together[:, start:end] for start, end in zip((0, *ends), (*ends, None)))


def scored(query, key):
    return key @ query / len(query) ** 0.5


def weigh(scores):
    return torch.softmax(scores, 0)


def read(query, key, value):
    return weigh(scored(query, key)) @ value


def plain(scores):
    return scores / scores.sum()


def by_hand(scores):
    return plain((scores - scores.max()).exp())


RIGHT = {
    check_project_at_once: [
        sized,
        lambda inputs, *matrices: list(sized(inputs, *matrices)),
        lambda inputs, *matrices: F.linear(inputs, torch.cat(matrices, 1).T).tensor_split([3, 6], -1),
        lambda *given: sized(*(part.double() for part in given)),
        lambda inputs, *matrices: sliced(inputs @ torch.hstack(matrices), 3, 6),
        lambda inputs, *matrices: sliced(torch.inner(inputs, torch.cat([m.T for m in matrices])), 3, 6),
        lambda inputs, *matrices: sliced((inputs[:, :, None] * torch.cat(matrices, 1)).sum(1), 3, 6),
    ],
    check_read_one: [
        read,
        lambda query, key, value: (torch.softmax(query[None] @ key.T / len(query) ** 0.5, -1) @ value)[0],
        lambda query, key, value: torch.einsum("k,kd->d", weigh(scored(query, key)), value),
        lambda query, key, value: sum(a * v for a, v in zip(by_hand(scored(query, key)), value)),
        lambda query, key, value: (weigh((key * query).sum(1) / math.sqrt(key.shape[1]))[:, None] * value).sum(0),
        lambda *given: read(*(part.double() for part in given)),
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
        (lambda inputs, *matrices: split_at([len(m) for m in matrices], inputs, *matrices), "the product is cut in th"),
        (lambda inputs, *matrices: inputs @ torch.cat(matrices, 0), "the matrices are joined one below the other"),
        (lambda inputs, *matrices: inputs @ torch.stack(matrices), "torch.stack lays equal matrices on a pile"),
        (lambda i, *matrices: (i @ torch.cat(matrices, 1)).split([3, 3, 6], 0), "the pieces do not fit"),
        (lambda *given: [sized(*given)[0], sized(*given)[0], sized(*given)[2]], "the key is the query once more"),
        (lambda inputs, q, k, v: [inputs @ q, inputs @ k], "project_at_once returns three things"),
        (lambda inputs, q, k, v: [torch.inner(inputs, matrix.T) for matrix in (q, k, v)], "all three are right, but"),
        (lambda inputs, *matrices: (inputs @ torch.cat(matrices, 1)).chunk(3, -1), "the product is cut in three"),
        (lambda *given: split_at([3, 3, 3, 3], *given)[:3], "the value is cut short"),
        (lambda *given: [part.T for part in sized(*given)], "the query gives shape (3, 5), but (5, 3)"),
        (
            lambda inputs, *matrices: [inputs @ matrix for matrix in matrices],
            "all three are right, but took 3 products",
        ),
    ],
    check_read_one: [
        (lambda query, key, value: None, "read_one with 4 tokens, d_k = 4 and d_v = 4 gives None"),
        (lambda query, key, value: weigh(key @ query) @ value, "the scale is missing"),
        (lambda query, key, value: weigh(key @ query * 2) @ value, "multiplied by the root"),
        (lambda query, key, value: weigh(key @ query / len(query)) @ value, "divided by the head size itself"),
        (lambda query, key, value: weigh(key @ query / len(key) ** 0.5) @ value, "divided by the root of the number"),
        (lambda query, key, value: weigh(key @ query / len(value.T) ** 0.5) @ value, "divided by the root of the val"),
        (lambda query, key, value: weigh(key @ query / 3**0.5) @ value, "divided by the root of a fixed 3"),
        (lambda query, key, value: scored(query, key) @ value, "softmax is missing"),
        (lambda query, key, value: key @ query @ value, "softmax and the scale are missing"),
        (lambda query, key, value: plain(scored(query, key)) @ value, "exp is missing"),
        (lambda query, key, value: plain(key @ query) @ value, "exp is missing"),
        (lambda query, key, value: scored(query, key).exp() @ value, "exp without the division"),
        (lambda query, key, value: weigh(key @ query) / len(query) ** 0.5 @ value, "the scale comes after softmax"),
        (lambda query, key, value: weigh(scored(query, key) @ value), "softmax comes last"),
        (lambda query, key, value: value.mean(0), "this is the plain average"),
        (lambda query, key, value: (torch.softmax(scored(query, key)[None], 0) @ value)[0], "this is the sum of the"),
        (lambda query, key, value: (weigh(scored(query, key))[:, None] * value).mean(0), "this is the mean of the"),
        (lambda query, key, value: read(query, key, key), "the weights average the keys"),
        (lambda query, key, value: read(query, value, key), "key and value are exchanged"),
        (lambda query, key, value: read(query, key.T, value), "the scores are query @ key, which"),
        (lambda query, key, value: value @ weigh(scored(query, key)), "the context is value @ weights"),
        (lambda query, key, value: weigh(scored(query, key)), "these are the weights"),
        (lambda query, key, value: scored(query, key), "these are the scores"),
        (lambda query, key, value: weigh(scored(query, key))[:, None] * value, "these are the weighted values"),
        (lambda query, key, value: read(query, key, value)[None], "one row of context is a matrix still"),
        (lambda query, key, value: (read(query, key, value), weigh(key @ query)), "read_one with 4 tokens, d_k = 4"),
        (lambda query, key, value: query @ key.mT / 2 @ value, "softmax is missing"),
        (
            lambda query, key, value: F.scaled_dot_product_attention(query[None], key, value)[0],
            "the numbers are right, but PyTorch's attention made them",
        ),
    ],
}
