"""Checks of the exercises in notebook 10 (cross-attention)."""

import torch
from torch import nn

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, expect
from companion.checks.modules import expect_linear, expect_module, expect_trainable, made_module
from companion.slips import slips
from companion.worlds import nine_words
from utils.attention import masked_softmax, scores

OUTPUTS = ("context", "weights")


def crossed(project, inputs, memory, mask):
    """Let one sequence read another. project(layer, sequence): query, key or value, by its number."""
    query, key, value = project(0, inputs), project(1, memory), project(2, memory)
    weights = masked_softmax(scores(query, key), mask)
    return weights @ value, weights


CROSS_SLIPS = {  # {message: what a wrong `crossed` has instead}
    "the values come from the inputs; what is handed over is in the memory": {"(2, memory)": "(2, inputs)"},
    "the keys come from the inputs; what is found is in the memory": {"(1, memory)": "(1, inputs)"},
    "the inputs read themselves; the memory is not used": {"memory)": "inputs)"},
    known.KEY_AND_VALUE: {"query, key, value =": "query, value, key ="},
    **{message: {"scores": wrong} for message, wrong in known.SCORED.items()},
    known.COLUMNS: {"masked_softmax": known.softmax_over(-2)},
    # a query that may attend to nothing does not occur here
    **{message: {"masked_softmax": wrong} for message, wrong in known.WRONG_MASKINGS.items() if message != known.EVEN},
}


class RightCross(nine_words.CrossAttention):
    """Cross-attention whose steps are those of `crossed`."""

    def forward(self, inputs, memory, mask=None):
        """Return context (..., queries, d_out) and weights (..., queries, keys)."""
        layers = self.W_query, self.W_key, self.W_value
        return crossed(lambda layer, sequence: layers[layer](sequence), inputs, memory, mask)


CROSSED = {  # {message: what a wrong CrossAttention has instead}
    "the order is: context first, then the weights": {"weights @ value, weights": "weights, weights @ value"},
    known.IGNORED: {"key), mask": "key), None"},
    known.INVERTED: {"key), mask": "key), mask if mask is None else ~mask"},
    **CROSS_SLIPS,
}
CROSSES = slips(RightCross, {message: {"crossed": wrong} for message, wrong in slips(crossed, CROSSED).items()})
READ = {"d_model": "the inputs, which ask", "d_memory": "the memory"}  # {features: whose they are}
LAYERS = {"W_query": ("d_model", "d_out"), "W_key": ("d_memory", "d_out"), "W_value": ("d_memory", "d_out")}


@exercise(mistakes=CROSSES)
def check_cross_attention(CrossAttention):
    """the inputs ask, the memory answers, each with features of its own, and all three layers can learn."""
    some = torch.eye(5, dtype=torch.bool)  # so that each row and column has both: nobody is left with nothing
    mask = ((torch.rand(5, 5, 5) < 0.5) | some.roll(1, dims=0)) & ~some.roll(2, dims=0)
    equal, uneven = (torch.randn(5, 5, 5), torch.randn(5, 5, 5)), (torch.randn(3, 6), torch.randn(8, 4))
    for d_model, d_memory, d_out, cases in (
        (5, 5, 5, {"forward with 5 queries and 5 keys": equal, "forward with a mask": (*equal, mask)}),
        (6, 4, 7, {"forward with 3 queries of 6 features and 8 keys of 4, and no batch": uneven}),
    ):
        sizes = {"d_model": d_model, "d_memory": d_memory, "d_out": d_out}
        layer = made_module(CrossAttention, "CrossAttention", *sizes.values())
        _expect_own_features(layer, sizes)
        expect_linear(layer, LAYERS, sizes, bias=False)
        for matrix in layer.parameters():
            nn.init.normal_(matrix, std=0.4)  # numbers that tell one mistake from another
        try:
            expect_module(layer, nine_words.CrossAttention, sizes.values(), cases, CROSSES, OUTPUTS)
        except NotImplementedError as error:
            unwritten = "now write the method forward(self, inputs, memory, mask=None)"
            raise Mistake(f"the layers are right; {unwritten}") from error
    expect_trainable(layer, layer(*uneven)[0])


def _expect_own_features(layer, sizes):
    """Name a layer that has the size of the other sequence: the memory's for the query, or the inputs' for the rest."""
    for name, (features, _) in LAYERS.items():
        (foreign,) = READ.keys() - {features}
        its_size = getattr(getattr(layer, name, None), "in_features", None)
        reads = f"{name} reads {READ[features]}, with {features} features"
        advice = f"{reads}, but you gave it {foreign}: nn.Linear({features}, d_out, ...)"
        expect(sizes[features] == sizes[foreign] or its_size != sizes[foreign], advice)


ELSEWHERE = {  # {message: what a wrong looks_elsewhere has instead}
    "True and False are exchanged: True is for a word that looks elsewhere": {"!=": "=="},
    "argmax gives a position in the memory, not a word: look up which id is there": {
        "memory_ids.gather(-1, weights.argmax(dim=-1))": "weights.argmax(dim=-1)"
    },
    "these are the ids that are read most: compare them with right_ids": {" != right_ids": ""},
    "look for the largest in each row, dim=-1: a column holds what one French word gets": {"dim=-1": "dim=-2"},
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


LOOKS = {  # {message: what a wrong second_look has instead}
    "nothing is hidden: does the second call of reader get the mask, and is it False at the largest weight of each "
    "row? (That is not smaller than itself, so compare with <, not with <=.)": {"weights < ": "weights <= "},
    "what was read most is left: invert the mask": {"weights < ": "weights == "},
    "look for the largest in each row, dim=-1": {"dim=-1": "dim=-2"},
    "the largest of all is looked for: each row has a largest weight of its own, .amax(dim=-1, keepdim=True)": {
        "amax(dim=-1, keepdim=True)": "max()"
    },
    "a row meets the largest weight of another: keepdim=True": {", keepdim=True": ""},
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
