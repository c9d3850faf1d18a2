"""Right and wrong answers to the exercises in notebook 09 (cross-attention)."""

import torch
import torch.nn.functional as F

from utils.attention import attention, padding_mask
from utils.checks.notebook_09 import check_align, check_read_memory


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
    check_read_memory: [
        reading(),
        read_by_cutting,
        read_by_pytorch,
        read_in_place,
        lambda *given: reading()(*(part.double() for part in given)),
    ],
    check_align: [aligned(), aligned_by_sorting, aligned_by_search],
}
WRONG = {
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
