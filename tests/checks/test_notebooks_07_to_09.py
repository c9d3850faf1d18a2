from itertools import combinations, product

import pytest
import torch
import torch.nn.functional as F

from utils.attention import attention, causal_mask, padding_mask
from utils.checks.notebook_07 import check_mask_from_ids, check_window_mask
from utils.checks.notebook_08 import check_head_contributions, check_twins
from utils.checks.notebook_09 import check_align, check_read_memory


def window(sees):
    """Make a mask of a rule for how far back a query may see, which may be a wrong one."""
    return lambda num_tokens, width: torch.tensor(
        [[sees(i - j, width) for j in range(num_tokens)] for i in range(num_tokens)]
    )


def window_by_filling(num_tokens, width):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, max(0, i + 1 - width) : i + 1] = True
    return mask


def window_without_maximum(num_tokens, width):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, i + 1 - width : i + 1] = True
    return mask


def window_in_blocks(num_tokens, width):
    block = torch.arange(num_tokens) // width
    return causal_mask(num_tokens) & (block[:, None] == block)


def band(num_tokens, width):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril().triu(1 - width)


def band_of_diagonals(num_tokens, width):
    return sum(torch.ones(num_tokens - back).diag(-back) for back in range(width)).bool()


def masked(differs=torch.ne, past=causal_mask, join=torch.logical_and, axis=1):
    """Compose the mask from its decisions, any of which may be a wrong one."""
    return lambda ids, pad_id: join(past(ids.shape[1]), differs(ids, pad_id).unsqueeze(axis))


def masked_by_loop(ids, pad_id):
    return torch.tensor(
        [[[j <= i and row[j] != pad_id for j in range(len(row))] for i in range(len(row))] for row in ids]
    )


def masked_by_counting(ids, pad_id):
    return causal_mask(ids.shape[1]) & padding_mask((ids != pad_id).sum(-1), ids.shape[1])


def contributions(rows=lambda W_output, head, heads, head_dim: W_output[head * head_dim : (head + 1) * head_dim]):
    """Let each head meet its part of W_output, which may be a wrong one."""
    return lambda context, W_output: torch.stack(
        [part @ rows(W_output, h, len(context), part.shape[-1]) for h, part in enumerate(context)]
    )


def contributions_amid_zeros(context, W_output):
    alone = torch.eye(len(context))[:, None, :, None] * context.transpose(0, 1)
    return alone.flatten(-2) @ W_output


def joined(context, W_output):
    return context.transpose(0, 1).flatten(1) @ W_output


def gap(one, other):
    return float((one - other).abs().max())


def pairs(agree=lambda one, other: gap(one, other) < 1e-6, among=combinations):
    """List the pairs of heads that agree, by a rule that may be a wrong one."""
    return lambda weights: [(i, j) for i, j in among(range(len(weights)), 2) if agree(weights[i], weights[j])]


def pairs_by_distance(weights):
    near = torch.cdist(weights.flatten(1), weights.flatten(1), p=torch.inf) < 1e-6
    return list(map(tuple, near.triu(1).nonzero().tolist()))


def pairs_from_the_later(weights):
    return [(i, j) for j in range(len(weights)) for i in range(j) if torch.allclose(weights[i], weights[j])]


def first_partners(weights):
    found = {}
    for i, j in pairs()(weights):
        found.setdefault(i, j)
    return list(found.items())


def every_pair(heads, _):
    return product(heads, heads)


def either_order(heads, _):
    return ((i, j) for i in heads for j in heads if i != j)


def neighbours(heads, _):
    return zip(heads, heads[1:])


def real_keys(lengths, keys):
    return (torch.arange(keys) < lengths[:, None])[:, None, :]


def masked_afterwards(inputs, memory, W_query, W_key, W_value, lengths):
    _, weights = attention(inputs @ W_query, memory @ W_key, memory @ W_value)
    return weights * real_keys(lengths, memory.shape[1]) @ (memory @ W_value)


def reading(ask="inputs", find="memory", give="memory", hide=real_keys):
    """Compose the reading from its decisions, any of which may be a wrong one."""

    def answer(inputs, memory, W_query, W_key, W_value, lengths):
        given = {"inputs": inputs, "memory": memory}
        mask = hide(lengths, memory.shape[1])
        return attention(given[ask] @ W_query, given[find] @ W_key, given[give] @ W_value, mask)[0]

    return answer


def read_by_cutting(inputs, memory, W_query, W_key, W_value, lengths):
    memories = [part[:length] for part, length in zip(memory, lengths)]
    read = [attention(one @ W_query, part @ W_key, part @ W_value)[0] for one, part in zip(inputs, memories)]
    return torch.stack(read)


def read_by_pytorch(inputs, memory, W_query, W_key, W_value, lengths):
    mask = padding_mask(lengths, memory.shape[1])
    return F.scaled_dot_product_attention(inputs @ W_query, memory @ W_key, memory @ W_value, mask)


def read_in_place(inputs, memory, W_query, W_key, W_value, lengths):
    scores = (inputs @ W_query).div_(len(W_query.T) ** 0.5) @ (memory @ W_key).mT
    scores.masked_fill_(torch.arange(1, memory.shape[1] + 1) > lengths[:, None, None], -torch.inf)
    return scores.softmax(-1) @ (memory @ W_value)


def read_scaled_by_value(inputs, memory, W_query, W_key, W_value, lengths):
    W_query = W_query * (len(W_query.T) / len(W_value.T)) ** 0.5
    return reading()(inputs, memory, W_query, W_key, W_value, lengths)


def aligned(sure=lambda weight: weight >= 0.5, pair=lambda target, source: (target, source), axis=-1):
    """Compose the alignment from its decisions, any of which may be a wrong one."""
    return lambda weights, targets, sources: [
        pair(target, sources[best] if sure(weight) else None)
        for target, weight, best in zip(targets, weights.amax(axis), weights.argmax(axis))
    ]


def aligned_by_sorting(weights, targets, sources):
    best = [max(zip(row, sources)) for row in weights.tolist()]
    return [(target, None if weight < 0.5 else source) for target, (weight, source) in zip(targets, best)]


def aligned_by_search(weights, targets, sources):
    sure = [[source for weight, source in zip(row, sources) if weight >= 0.5] for row in weights]
    return list(zip(targets, [found[0] if found else None for found in sure]))


RIGHT = {
    check_window_mask: [
        window(lambda back, width: 0 <= back < width),
        window_by_filling,
        band,
        lambda num_tokens, width: causal_mask(num_tokens) ^ causal_mask(num_tokens).tril(-width),
    ],
    check_mask_from_ids: [
        masked(),
        masked_by_loop,
        lambda ids, pad_id: torch.stack([causal_mask(len(row)) * (row != pad_id) for row in ids]),
        lambda ids, pad_id: (ids != pad_id)[:, None].repeat(1, ids.shape[1], 1).tril(),
    ],
    check_head_contributions: [
        contributions(),
        contributions_amid_zeros,
        lambda context, W_output: context.double() @ W_output.double().unflatten(0, (len(context), -1)),
        lambda context, W_output: torch.einsum(
            "htd,hdm->htm", context, W_output.view(len(context), -1, len(W_output.T))
        ),
    ],
    check_twins: [
        pairs(),
        pairs_by_distance,
        pairs_from_the_later,
        pairs(lambda one, other: torch.isclose(one, other, rtol=0, atol=1e-6).all()),
    ],
    check_read_memory: [
        reading(),
        read_by_cutting,
        read_by_pytorch,
        read_in_place,
        lambda *given: reading()(*(part.double() for part in given)),
    ],
    check_align: [aligned(), aligned_by_sorting, aligned_by_search],
}
WRONG_WINDOWS = [
    (lambda back, width: 0 <= back <= width, "the window is one too wide"),
    (lambda back, width: 0 <= back < width - 1, "the window is one too narrow"),
    (lambda back, width: back >= 0, "there is no end to the window"),
    (lambda back, width: abs(back) < width, "the window looks ahead, too"),
    (lambda back, width: -width < back <= 0, "the window looks ahead only"),
    (lambda back, width: not 0 <= back < width, "the mask is turned round: True means 'may attend'"),
    (lambda back, width: 0 < back < width, "a token cannot see itself"),
    (lambda back, width: 0 < back <= width, "window_mask(6, 3) is False at (0, 0), but True was expected"),
    (lambda back, width: 0 <= back < 3, "window_mask(4, 1) is True at (1, 0), but False was expected"),
    (lambda back, width: 0 <= back < min(width, 3) - (width > 3), "window_mask(3, 9), wider than the text is False"),
    (lambda back, width: int(0 <= back < width), "window_mask(6, 3) has dtype torch.int64; a mask is boolean"),
    (lambda back, width: float(0 <= back < width), "window_mask(6, 3) has dtype torch.float32; a mask is boolean"),
]
WRONG = {
    check_window_mask: [
        *((window(sees), message) for sees, message in WRONG_WINDOWS),
        (lambda num_tokens, width: None, "window_mask(6, 3) gives None; did you forget `return`?"),
        (lambda num_tokens, width: band(num_tokens, width).tolist(), "window_mask(6, 3) gives a list, but a tensor"),
        (lambda num_tokens, width: band(6, width), "window_mask(4, 1) gives shape (6, 6), but (4, 4)"),
        (window_without_maximum, "window_mask(6, 3) is False at (0, 0), but True was expected"),
        (window_in_blocks, "window_mask(6, 3) is False at (3, 1), but True was expected"),
        (band_of_diagonals, "your function stopped with RuntimeError"),
    ],
    check_mask_from_ids: [
        (lambda *given: ~masked()(*given), "the mask is turned round: True means 'may attend'"),
        (masked(past=lambda num_tokens: torch.ones(num_tokens, 1) == 1), "the padding is hidden, but the future is"),
        (masked(differs=lambda ids, pad_id: ids == ids), "the future is hidden, but the padding is not"),
        (masked(differs=lambda ids, pad_id: ids != 0), "the future is hidden, but the padding is not"),
        (masked(join=torch.logical_or), "a token may attend if one OR the other mask allows it"),
        (masked(join=torch.add), "a token may attend if one OR the other mask allows it"),
        (masked(axis=2), "the padding is on the axis of the queries"),
        (masked(past=lambda num_tokens: causal_mask(num_tokens).T), "the future and the past are exchanged"),
        (masked(differs=torch.eq), "padding may be seen and words may not"),
        (lambda *given: masked()(*given) & masked(axis=2)(*given), "rows of padding are emptied, too"),
        (masked_by_counting, "the words are counted, which misses padding before them"),
        (masked(past=lambda num_tokens: causal_mask(num_tokens).tril(-1)), "mask_from_ids with 3 sentences of 4 ids"),
        (masked(differs=lambda ids, pad_id: ids != 9), "mask_from_ids with padding 0 is True at (0, 1, 1), but False"),
        (masked(differs=torch.lt), "mask_from_ids with padding 0 is False at (0, 0, 0), but True"),
        (
            masked(join=torch.mul, past=lambda n: causal_mask(n).long()),
            "mask_from_ids with 3 sentences of 4 ids, padding",
        ),
        (lambda ids, pad_id: (ids != pad_id)[:, None], "mask_from_ids with 3 sentences of 4 ids"),
        (lambda *given: masked()(*given).tolist(), "mask_from_ids with 3 sentences of 4 ids, padding 9 gives a list"),
        (lambda *given: None, "mask_from_ids with 3 sentences of 4 ids, padding 9 gives None; did you forget"),
        (lambda ids, pad_id: causal_mask(len(ids)) & (ids != pad_id), "your function stopped with RuntimeError"),
    ],
    check_head_contributions: [
        (joined, "this is the whole output already; keep the heads apart"),
        (lambda *given: contributions()(*given).sum(0), "this is the whole output already; keep the heads apart"),
        (lambda context, W_output: contributions()(context, W_output.T), "the columns of W_output are cut"),
        (contributions(lambda W, head, heads, head_dim: W[:head_dim]), "every head meets the first rows of W_output"),
        (contributions(lambda W, head, heads, head_dim: W[head::heads]), "every fourth row is taken"),
        (lambda *given: contributions()(*given).flip(0), "the heads come in reverse order"),
        (lambda *given: contributions()(*given) / 4, "head_contributions with 4 heads of size 4 has the right shape"),
        (lambda *given: contributions()(*given).round(decimals=2), "head_contributions with 4 heads of size 4 is"),
        (lambda *given: contributions()(*given).transpose(0, 1), "head_contributions with 4 heads of size 4"),
        (lambda *given: list(contributions()(*given)), "head_contributions with 4 heads of size 4 gives a list"),
        (lambda *given: None, "head_contributions with 4 heads of size 4 gives None; did you forget"),
        (
            contributions(lambda W, head, heads, head_dim: W[head * (len(W) // 4) :][:head_dim]),
            "head_contributions with 3 heads of size 2 has the right shape",
        ),
        (lambda context, W_output: context @ W_output.view(4, 4, -1), "your function stopped with RuntimeError"),
    ],
    check_twins: [
        (pairs(among=every_pair), "three different heads: twins(weights) gives [(0, 0), (1, 1), (2, 2)], but []"),
        (pairs(lambda one, other: abs(one.sum() - other.sum()) < 1e-5), "three different heads: twins(weights) gives"),
        (lambda weights: torch.tensor(pairs()(weights)), "three different heads: twins(weights) gives a Tensor"),
        (lambda weights: set(pairs()(weights)), "three different heads: twins(weights) gives a set, but a list"),
        (lambda weights: None, "three different heads: twins(weights) gives None; did you forget `return`?"),
        (pairs(among=either_order), "heads 0 and 2 are equal, and 1 and 4: twins(weights) gives [(0, 2), (1, 4), (2"),
        (pairs(among=neighbours), "heads 0 and 2 are equal, and 1 and 4: twins(weights) gives []"),
        (lambda weights: [*map(list, pairs()(weights))], "heads 0 and 2 are equal, and 1 and 4: twins(weights)"),
        (lambda weights: [(i + 1, j + 1) for i, j in pairs()(weights)], "heads 0 and 2 are equal, and 1 and 4"),
        (first_partners, "three equal heads are three pairs: twins(weights) gives [(0, 1), (1, 2)]"),
        (pairs(lambda one, other: gap(one, other) < 0.1), "two heads that differ in one weight, the last"),
        (pairs(lambda one, other: (one - other).max() < 1e-6), "two heads that differ in one weight, the last"),
        (pairs(lambda one, other: gap(one[0], other[0]) < 1e-6), "two heads that differ in one weight, the last"),
        (pairs(lambda one, other: one.argmax(-1).equal(other.argmax(-1))), "two heads that differ in one weight"),
        (pairs(lambda one, other: torch.isclose(one, other).any()), "two heads that differ in one weight, the last"),
        (pairs(torch.equal), "two heads that differ by a rounding error: twins(weights) gives [], but [(0, 1)]"),
        (pairs(lambda one, other: one == other), "your function stopped with RuntimeError: Boolean value of Tensor"),
    ],
    check_read_memory: [
        (reading(hide=lambda lengths, keys: None), "the padding is read: hide it with a mask"),
        (reading(hide=lambda lengths, keys: real_keys(lengths.amax(0, True), keys)), "the padding is read"),
        (reading(hide=lambda lengths, keys: ~real_keys(lengths, keys)), "the mask is turned round"),
        (reading(hide=lambda lengths, keys: real_keys(lengths, keys).mT), "the mask is on the axis of the queries"),
        (reading(hide=lambda lengths, keys: real_keys(lengths + 1, keys)), "one token of padding is read"),
        (reading(give="inputs"), "the values come from the inputs; what is handed over is in the memory"),
        (reading(find="inputs"), "the keys come from the inputs; what is found is in the memory"),
        (reading("memory", "inputs", "inputs"), "the sequences are exchanged: the inputs ask, the memory answers"),
        (lambda X, M, q, k, v, lengths: reading()(X, M, q, v, k, lengths), "key and value are exchanged"),
        (reading(find="inputs", give="inputs"), "the inputs read themselves; the memory is not used"),
        (
            reading(find="inputs", give="inputs", hide=lambda lengths, keys: None),
            "the inputs read themselves; memory and lengths are not used",
        ),
        (reading(ask="memory"), "the memory reads itself; the inputs must ask"),
        (masked_afterwards, "the mask comes after softmax"),
        (reading(hide=lambda lengths, keys: real_keys(lengths - 1, keys)), "read_memory with 5 queries and 5 keys has"),
        (lambda *given: (reading()(*given), None), "read_memory with 5 queries and 5 keys gives a tuple, but a tensor"),
        (lambda *given: None, "read_memory with 5 queries and 5 keys gives None; did you forget `return`?"),
        (lambda *given: reading()(*given).round(decimals=2), "read_memory with 5 queries and 5 keys is rounded"),
        (read_scaled_by_value, "read_memory with 3 queries and 7 keys of another size has the right shape"),
        (reading(hide=lambda lengths, keys: real_keys(lengths, keys)[:, 0]), "your function stopped with ValueError"),
        (reading(hide=lambda lengths, keys: real_keys(lengths, 5)), "your function stopped with ValueError"),
    ],
    check_align: [
        (answer, f"align with 5 targets and 3 sources (a weight of exactly one half is enough) gives {message}")
        for answer, message in [
            (aligned(sure=lambda weight: weight > 0.5), "[('white', 'blanche'), ('house'"),
            (aligned(sure=lambda weight: True), "[('white', 'blanche'), ('house', 'maison'), ('well', 'maison')"),
            (aligned(sure=lambda weight: round(float(weight), 1) >= 0.5), "[('white', 'blanche'), ('house'"),
            (aligned(pair=lambda target, source: (source, target)), "[('blanche', 'white'), ("),
            (aligned(pair=lambda target, source: [target, source]), "[['white', 'blanche'], ['house', 'maison'], ['we"),
            (lambda *given: [pair for pair in aligned()(*given) if all(pair)], "[('white', 'blanche'), ('house', 'mai"),
            (lambda *given: [*dict(aligned()(*given)).items()], "[('white', 'blanche'), ('house', 'vieille'), ('well'"),
            (lambda *given: aligned()(*given[:2], range(3)), "[('white', 1), ('house', 0), ('well', None), ('old', 0)"),
            (lambda *given: sorted(aligned()(*given), key=str), "[('house', 'maison'), ('house', 'vieille'), ('old'"),
            (lambda *given: dict(aligned()(*given)), "a dict, but a list was expected"),
            (lambda *given: zip(*aligned()(*given)), "a zip, but a list was expected"),
            (lambda *given: None, "None; did you forget `return`?"),
        ]
    ]
    + [(aligned(axis=0), "your function stopped with IndexError: list index out of range")],
}


@pytest.mark.parametrize("check, right", [(check, right) for check, answers in RIGHT.items() for right in answers])
def test_any_right_answer_is_correct(check, right, verdict):
    assert verdict(check, right) == f"correct: {check.__doc__}"


@pytest.mark.parametrize("check, wrong, message", [(check, *case) for check, cases in WRONG.items() for case in cases])
def test_each_mistake_is_told_its_own_cause(check, wrong, message, verdict):
    assert verdict(check, wrong).startswith(f"not yet: {message}")
