"""Checks of the exercises in notebook 09 (cross-attention)."""

import torch
from torch import nn
from torch.nn import functional as F

from companion import nine_words
from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, close, expect, expect_like, expect_parts, expect_tensor
from companion.checks.mistakes import (
    ALL_AXES,
    COLUMNS,
    IGNORED,
    INVERTED,
    MASKED,
    NO_SOFTMAX,
    TRANSPOSED,
    all_axes_turned,
    before_and_after,
    given_by,
    readings,
)
from utils.attention import attention, masked_softmax, padding_mask, project, scores

ELSEWHERE = {  # where query, key and value come from: 0 is the inputs, 1 the memory
    (0, 1, 0): "the values come from the inputs; what is handed over is in the memory",
    (0, 0, 1): "the keys come from the inputs; what is found is in the memory",
    (1, 0, 0): "the sequences are exchanged: the inputs ask, the memory answers",
    (1, 0, 1): "query and key come from the wrong sequences: the inputs ask, the memory is found",
    (1, 1, 0): "query and value come from the wrong sequences: the inputs ask, the memory hands over",
    (0, 0, 0): "the inputs read themselves; the memory is not used",
    (1, 1, 1): "the memory reads itself; the inputs must ask",
}


@exercise
def check_read_memory(read_memory):
    """the inputs ask, the memory answers, and nobody reads the padding."""
    # all sizes equal: most mistakes then give numbers, which tell their cause, and not an error
    inputs, memory, lengths = torch.randn(5, 5, 5), torch.randn(5, 5, 5), torch.tensor([5, 2, 3, 2, 4])
    _read(read_memory, inputs, memory, torch.randn(3, 5, 5) / 2, lengths, "with 5 queries and 5 keys")
    inputs, memory, lengths = torch.randn(2, 3, 6), torch.randn(2, 7, 4), torch.tensor([7, 1])
    matrices = torch.randn(6, 5), torch.randn(4, 5), torch.randn(4, 8)
    _read(read_memory, inputs, memory, matrices, lengths, "with 3 queries and 7 keys of another size")


def _read(read_memory, inputs, memory, matrices, lengths, doing):
    given = read_memory(inputs, memory, *matrices, lengths)
    mask = padding_mask(lengths, memory.shape[1])
    query, key, value = right = tuple(each @ W for each, W in zip((inputs, memory, memory), matrices))
    raw, wrong = scores(query, key), _wrong(query, key, value, inputs, memory)
    masks = {
        INVERTED: ~mask,
        "the mask is on the axis of the queries; the padding is among the keys": mask.mT,
        "one token of padding is read: places count from 0, so the real ones are below the length": (
            padding_mask((lengths + 1).clamp(max=memory.shape[1]), memory.shape[1])
        ),
        "one real token is hidden: places count from 0, so the real ones are below the length": (
            padding_mask(lengths - 1, memory.shape[1])
        ),
    }
    if inputs.shape == memory.shape:
        masks["the mask lacks the axis of the queries: it is (batch, 1, keys)"] = mask[:, 0]
        wrong |= _elsewhere(project(inputs, *matrices), project(memory, *matrices))
        wrong[TRANSPOSED] = tuple(each @ W.mT for each, W in zip((inputs, memory, memory), matrices))
    else:
        masks = {message: each for message, each in masks.items() if each.shape == mask.shape}
    found = {"the padding is read: hide it with a mask": attention(*right)[0]}
    found |= {message: attention(*right, each)[0] for message, each in masks.items()}
    found |= {message: attention(*each, mask)[0] for message, each in wrong.items()}
    found |= {f"{message}; and no mask hides the padding": attention(*each)[0] for message, each in wrong.items()}
    weights = {"a memory set to 0 still scores 0, and exp(0) is 1: set the scores to -inf": before_and_after(raw, mask)}
    weights |= given_by(MASKED, raw, mask) | _turned(query, key, mask)
    found |= {message: each @ value for message, each in weights.items()}
    _expect(given, attention(*right, mask)[0], f"read_memory {doing}", found)


def _wrong(query, key, value, inputs, memory):
    """Return {message: (query, key, value) from which right attention makes this mistake}."""
    found = readings(query, key, value, inputs.shape[-1])
    scaled = query * (query.shape[-1] / memory.shape[-1]) ** 0.5
    found["divided by the root of d_memory, the memory's size; take the size of query and key"] = scaled, key, value
    return found


def _elsewhere(of_inputs, of_memory):
    both = of_inputs, of_memory
    return {
        message: tuple(both[source][part] for part, source in enumerate(sources))
        for sources, message in ELSEWHERE.items()
    }


def _turned(query, key, mask):
    """Return {message: weights} for a key with all axes turned, where the sizes let that pass."""
    fits = query.ndim == 3 and len({*query.shape, *key.shape}) == 1
    return {ALL_AXES: masked_softmax(all_axes_turned(query, key), mask)} if fits else {}


def _expect(given, wanted, doing, mistakes):
    """Compare as `expect_tensor` does; rows of nan, softmax over nothing, count as the zeros of `attention`."""
    if isinstance(given, torch.Tensor) and given.isnan().any():
        for message, wrong in mistakes.items():
            expect(not close(given.nan_to_num(0.0), wrong), message)
    expect_tensor(given, wanted, doing, mistakes)


BATCH = "softmax runs over the sentences of a batch: each row of weights runs over the keys, dim=-1"
LAYERS = {"W_query": "d_model", "W_key": "d_memory", "W_value": "d_memory"}  # and whose features each one reads


@exercise
def check_cross_attention(CrossAttention):
    """the inputs ask, the memory answers, each with features of its own, and all three layers can learn."""
    uneven = _built(CrossAttention, d_model=6, d_memory=4, d_out=7)
    layer = _built(CrossAttention, d_model=5, d_memory=5, d_out=5)  # with which most mistakes give numbers
    inputs, memory = torch.randn(5, 5, 5), torch.randn(5, 5, 5)
    _compare(_called(layer, inputs, memory), layer, inputs, memory, None, "with 5 queries and 5 keys")
    some = torch.eye(5, dtype=torch.bool)  # so that each row and column has both: nobody is left with nothing
    mask = ((torch.rand(5, 5, 5) < 0.5) | some.roll(1, dims=0)) & ~some.roll(2, dims=0)
    _compare(layer(inputs, memory, mask), layer, inputs, memory, mask, "with a mask")
    inputs, memory = torch.randn(3, 6), torch.randn(8, 4)
    given, doing = uneven(inputs, memory), "with 3 queries of 6 features and 8 keys of 4, and no batch"
    _compare(given, uneven, inputs, memory, None, doing)
    context = given[0]
    expect(context.requires_grad, "the context has no gradient, so nothing can learn: leave out detach and no_grad")
    context.square().sum().backward()
    for name in LAYERS:
        grad = getattr(uneven, name).weight.grad
        expect(grad is not None, f"{name} gets no gradient, so it cannot learn: leave out detach, no_grad and .data")


def _built(kind, **sizes):
    """Make the module, look at its layers, and give them numbers that tell one mistake from another."""
    d_model, d_memory, d_out = sizes.values()
    doing = f"CrossAttention({d_model}, {d_memory}, {d_out})"
    try:
        layer = kind(d_model, d_memory, d_out)
    except AttributeError as error:
        expect("before Module.__init__() call" not in str(error), "begin __init__ with super().__init__()")
        raise
    expect(layer is not None, f"{doing} gives None; did you forget `return`?")
    given = type(layer).__name__
    expect(isinstance(layer, nn.Module), f"{doing} gives a {given}, but a module was expected: class ...(nn.Module)")
    for name, reads in LAYERS.items():
        found = getattr(layer, name, None)
        expect(found is not None, f"there is no layer self.{name}; make the three layers in __init__")
        is_layer = isinstance(found, nn.Linear)
        expect(is_layer, f"{name} is a {type(found).__name__}; make it an nn.Linear, whose weight an optimizer finds")
        expect(found.bias is None, f"{name} has a bias; write bias=False")
        shape = found.in_features, found.out_features
        whose = "reads the inputs" if reads == "d_model" else "reads the memory"
        wanted = f"nn.Linear({reads}, d_out): nn.Linear{(sizes[reads], d_out)} in this test"
        expect(
            shape == (sizes[reads], d_out),
            f"{name} {whose}, so it is {wanted}, and yours is nn.Linear{shape}",
        )
        nn.init.normal_(found.weight, std=0.4)
    return layer


def _called(layer, *given):
    try:
        return layer(*given)
    except NotImplementedError as error:
        unwritten = "now write the method forward(self, inputs, memory, mask=None)"
        raise Mistake(f"the layers are right; {unwritten}") from error


def _compare(given, layer, inputs, memory, mask, doing):
    """Compare what forward gives with PyTorch's own attention, and name what went wrong."""
    context, weights = expect_parts(given, ("context", "weights"), f"forward {doing}")
    query, key, value = layer.W_query(inputs), layer.W_key(memory), layer.W_value(memory)
    right, raw = F.scaled_dot_product_attention(query, key, value, mask), scores(query, key)
    right_weights = attention(query, key, value, mask)[1]
    if isinstance(context, torch.Tensor) and isinstance(weights, torch.Tensor):
        turned = close(context, right_weights) or close(weights, right)
        expect(not turned, "the order is: context first, then the weights")
    inputs_wrong = {message: (*wrong, mask) for message, wrong in _wrong(query, key, value, inputs, memory).items()}
    if mask is not None:
        inputs_wrong |= {IGNORED: (query, key, value), INVERTED: (query, key, value, ~mask)}
        inputs_wrong["the mask lies on its side: rows are queries, columns are keys"] = query, key, value, mask.mT
    if inputs.shape == memory.shape:
        of_inputs, of_memory = ([getattr(layer, name)(each) for name in LAYERS] for each in (inputs, memory))
        inputs_wrong |= {message: (*wrong, mask) for message, wrong in _elsewhere(of_inputs, of_memory).items()}
    both = {message: attention(*wrong) for message, wrong in inputs_wrong.items()}
    wrong_weights = {COLUMNS: torch.softmax(raw, -2), BATCH: torch.softmax(raw, 0)} | _turned(query, key, mask)
    wrong_weights |= given_by(MASKED, raw, mask) if mask is not None else {}
    both |= {message: (wrong @ value, wrong) for message, wrong in wrong_weights.items()}
    _expect(context, right, f"the context of forward {doing}", {why: wrong for why, (wrong, _) in both.items()})
    mistakes = {NO_SOFTMAX: raw} | {why: wrong for why, (_, wrong) in both.items()}
    _expect(weights, right_weights, f"the weights of forward {doing}", mistakes)


def _hiding(mask_of):
    """Return a second look with another mask, made of the weights of the first."""
    return lambda reader, inputs, memory: reader(inputs, memory, mask_of(reader(inputs, memory)[1]))


def _from_all(weights):
    """Return a mask that hides each key that some query reads most from every query."""
    mask = torch.ones_like(weights, dtype=torch.bool)
    mask[..., weights.argmax(dim=-1)] = False
    return mask


def _set_to_zero(reader, inputs, memory):
    _, weights = reader(inputs, memory)
    weights = weights * (weights < weights.amax(dim=-1, keepdim=True))
    return weights @ reader.W_value(memory), weights


@exercise(
    mistakes={
        "nothing is hidden: does the second call of reader get the mask, and is it False at the largest weight of each "
        "row? (That is not smaller than itself, so compare with <, not with <=.)": lambda reader, *both: reader(*both),
        "the mask is turned round, so only what was read most is left: True means 'may attend'": (
            _hiding(lambda weights: weights == weights.amax(dim=-1, keepdim=True))
        ),
        "the largest weight is looked for in each column: a row belongs to a query, so it is dim=-1": (
            _hiding(lambda weights: weights < weights.amax(dim=-2, keepdim=True))
        ),
        "each row is compared with the largest weight of another: add keepdim=True": (
            _hiding(lambda weights: weights < weights.amax(dim=-1))
        ),
        "one weight of the whole table is hidden: each query hides a key of its own, so it is dim=-1": (
            _hiding(lambda weights: weights < weights.max())
        ),
        "a key is hidden from all queries: hide it only from the query that reads it most": _hiding(_from_all),
        "the key that is read least is hidden: hide the one with the largest weight": (
            _hiding(lambda weights: weights > weights.amin(dim=-1, keepdim=True))
        ),
        "the largest weight is set to 0, and then a row does not sum to 1: let reader read again, with a mask": (
            _set_to_zero
        ),
        "the order is: context first, then the weights": lambda *given: nine_words.second_look(*given)[::-1],
    }
)
def check_second_look(second_look):
    """each query reads again without the key that it read most."""
    reader = nine_words.CrossAttention(6, 4, 5)
    for inputs, memory, doing in (
        (torch.randn(5, 6), torch.randn(5, 4), "with 5 queries and 5 keys"),
        (torch.randn(2, 3, 6), torch.randn(2, 8, 4), "with a batch of 2, 3 queries and 8 keys"),
    ):
        for layer in (reader.W_query, reader.W_key, reader.W_value):
            nn.init.normal_(layer.weight, std=0.4)
        given = reader, inputs, memory
        mistakes, parts = check_second_look.mistakes, ("context", "weights")
        expect_like(second_look, nine_words.second_look, given, f"second_look {doing}", mistakes, parts)
