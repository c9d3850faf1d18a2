"""Checks of the exercises in notebook 10 (cross-attention)."""

import torch
from torch import nn

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, expect, expect_like
from companion.checks.modules import built, expect_linear, expect_trainable, twins
from companion.steps import forward_of_steps
from companion.worlds import nine_words
from utils.attention import masked_softmax, scores

OUTPUTS = ("context", "weights")
SOURCES = {  # {message: where query, key and value come from}, 0: the inputs, 1: the memory
    "the values come from the inputs; what is handed over is in the memory": {"sources": (0, 1, 0)},
    "the keys come from the inputs; what is found is in the memory": {"sources": (0, 0, 1)},
    "the inputs read themselves; the memory is not used": {"sources": (0, 0, 0)},
}
WRONG_STEPS = SOURCES | {  # {message: the step that is wrong}
    known.KEY_AND_VALUE: {"layers": (0, 2, 1)},
    **{message: {"score": wrong} for message, wrong in known.SCORED.items()},
    known.COLUMNS: {"weigh": known.softmax_over(-2)},
}
WRONG_MASKS = {  # wrong ways to mask; the first, of a query that may attend to nothing, does not show here
    message: {"weigh": wrong} for message, wrong in list(known.MASKED.items())[1:]
}


def crossed(project, inputs, memory, mask, sources=(0, 1, 1), layers=(0, 1, 2), score=scores, weigh=masked_softmax):
    """Let one sequence read another by these steps. project(layer, sequence): query, key or value, by its number."""
    sequences = [(inputs, memory)[source] for source in sources]
    query, key, value = map(project, layers, sequences)
    weights = weigh(score(query, key), mask)
    return weights @ value, weights


@forward_of_steps(nine_words.CrossAttention)
def _cross_attention_with(
    self, inputs, memory, mask=None, *, mask_of=lambda mask: mask, finish=lambda *both: both, **steps
):
    layers, mask = (self.W_query, self.W_key, self.W_value), mask if mask is None else mask_of(mask)
    return finish(*crossed(lambda part, sequence: layers[part](sequence), inputs, memory, mask, **steps))


CROSSES = {  # {message: wrong CrossAttention}
    "the order is: context first, then the weights": _cross_attention_with(
        finish=lambda context, weights: (weights, context)
    ),
    known.IGNORED: _cross_attention_with(lambda mask: None),
    known.INVERTED: _cross_attention_with(torch.logical_not),
    **{message: _cross_attention_with(**steps) for message, steps in (WRONG_STEPS | WRONG_MASKS).items()},
}
READ = {"d_model": "the inputs, which ask", "d_memory": "the memory"}  # {features: whose they are}
LAYERS = {"W_query": ("d_model", "d_out"), "W_key": ("d_memory", "d_out"), "W_value": ("d_memory", "d_out")}


@exercise(mistakes=CROSSES)
def check_cross_attention(CrossAttention):
    """the inputs ask, the memory answers, each with features of its own, and all three layers can learn."""
    some = torch.eye(5, dtype=torch.bool)  # so that each row and column has both: nobody is left with nothing
    mask = ((torch.rand(5, 5, 5) < 0.5) | some.roll(1, dims=0)) & ~some.roll(2, dims=0)
    equal = torch.randn(5, 5, 5), torch.randn(5, 5, 5)
    for d_model, d_memory, d_out, cases in (
        (5, 5, 5, {"5 queries and 5 keys": equal, "a mask": (*equal, mask)}),
        (6, 4, 7, {"3 queries of 6 features and 8 keys of 4, and no batch": (torch.randn(3, 6), torch.randn(8, 4))}),
    ):
        sizes = {"d_model": d_model, "d_memory": d_memory, "d_out": d_out}
        layer = built(CrossAttention, "CrossAttention", *sizes.values())
        _expect_own_features(layer, sizes)
        expect_linear(layer, LAYERS, sizes, bias=False)
        for matrix in layer.parameters():
            nn.init.normal_(matrix, std=0.4)  # numbers that tell one mistake from another
        wrong = twins(CROSSES, layer, *sizes.values())
        right = twins({"": nine_words.CrossAttention}, layer, *sizes.values())[""]
        for case, inputs in cases.items():
            try:
                expect_like(layer, right, inputs, f"forward with {case}", wrong, OUTPUTS)
            except NotImplementedError as error:
                unwritten = "now write the method forward(self, inputs, memory, mask=None)"
                raise Mistake(f"the layers are right; {unwritten}") from error
    expect_trainable(layer, layer(*inputs)[0])


def _expect_own_features(layer, sizes):
    """Name a layer that has the size of the other sequence: the memory's for the query, or the inputs' for the rest."""
    for name, (features, _) in LAYERS.items():
        (foreign,) = READ.keys() - {features}
        its_size = getattr(getattr(layer, name, None), "in_features", None)
        reads = f"{name} reads {READ[features]}, with {features} features"
        advice = f"{reads}, but you gave it {foreign}: nn.Linear({features}, d_out, ...)"
        expect(sizes[features] == sizes[foreign] or its_size != sizes[foreign], advice)


def _answer_with(answer):
    """Return a wrong looks_elsewhere, which makes its answer from where each row has its largest weight."""
    return lambda weights, memory_ids, right_ids: answer(weights.argmax(dim=-1), memory_ids, right_ids)


ELSEWHERE = {  # {message: wrong looks_elsewhere}
    "True and False are exchanged: True is for a word that looks elsewhere": lambda *inputs: (
        ~nine_words.looks_elsewhere(*inputs)
    ),
    "argmax gives a position in the memory, not a word: look up which id is there": _answer_with(
        lambda most, memory_ids, right_ids: most != right_ids
    ),
    "these are the ids that are read most: compare them with right_ids": _answer_with(
        lambda most, memory_ids, right_ids: memory_ids.gather(-1, most)
    ),
    "look for the largest in each row, dim=-1: a column holds what one French word gets": (
        lambda weights, memory_ids, right_ids: memory_ids.gather(-1, weights.argmax(dim=-2)) != right_ids
    ),
}
AT_EACH_SENTENCE = "memory_ids[...] picks sentences of a batch, not words: take memory_ids.gather(-1, positions)"


@compared_with(nine_words.looks_elsewhere, ELSEWHERE, {"out of bounds": AT_EACH_SENTENCE})
def check_looks_elsewhere(looks_elsewhere):
    """each word that reads another word than its own most is found."""
    ids, right_ones = torch.randperm(9)[:5], torch.tensor([3.0, 0, 1, 0, 1])  # who finds its own
    weights = (torch.rand(5, 5) + torch.diag(right_ones).roll(-1, dims=1)).softmax(dim=-1)
    yield "looks_elsewhere for one sentence of 5 words", (weights, ids, ids.roll(1))
    ids = torch.stack([torch.randperm(9)[:6] for _ in range(4)])
    weights = (3 * torch.randn(4, 3, 6)).softmax(dim=-1)
    yield "looks_elsewhere for a batch of 4, with 3 words that read 6", (weights, ids, ids[:, [1, 4, 2]])


def _look_with(mask_of):
    """Return a second look with another mask, made of the weights of the first."""
    return lambda reader, inputs, memory: reader(inputs, memory, mask_of(reader(inputs, memory)[1]))


LOOKS = {  # {message: wrong second_look}
    "nothing is hidden: does the second call of reader get the mask, and is it False at the largest weight of each "
    "row? (That is not smaller than itself, so compare with <, not with <=.)": lambda reader, *both: reader(*both),
    "what was read most is left: invert the mask": _look_with(
        lambda weights: weights == weights.amax(-1, keepdim=True)
    ),
    "look for the largest in each row, dim=-1": _look_with(lambda weights: weights < weights.amax(-2, keepdim=True)),
    "the largest of all is looked for: each row has a largest weight of its own, .amax(dim=-1, keepdim=True)": (
        _look_with(lambda weights: weights < weights.max())
    ),
    "a row meets the largest weight of another: keepdim=True": _look_with(
        lambda weights: weights < weights.amax(dim=-1)
    ),
    "the order is: context first, then the weights": lambda *inputs: nine_words.second_look(*inputs)[::-1],
}


AT_EACH_ROW = "a mask filled by mask[torch.arange(n), ...] works without a batch; compare with the largest: {error}"


@compared_with(nine_words.second_look, LOOKS, {"shape mismatch": AT_EACH_ROW}, parts=OUTPUTS)
def check_second_look(second_look):
    """each query reads again without the key that it read most."""
    reader = nine_words.CrossAttention(6, 4, 5)
    for matrix in reader.parameters():
        nn.init.normal_(matrix, std=0.4)
    yield "second_look with 5 queries and 5 keys", (reader, torch.randn(5, 6), torch.randn(5, 4))
    batch = torch.randn(2, 3, 6), torch.randn(2, 8, 4)
    yield "second_look with a batch of 2, 3 queries and 8 keys", (reader, *batch)
