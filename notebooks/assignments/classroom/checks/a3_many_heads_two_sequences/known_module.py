"""A student's multi-head module with weights that we know, and what its parts must give.

A slip is charged by the check of its own mechanism. So each part is judged given the parts before it: weights may
be made with the student's own `split_heads`, contexts with the weights that the student returns.
"""

import functools

import torch

from classroom.checks.graded import load_projections, make_module
from companion.checks.feedback import close, expect, expect_parts, expect_tensor
from companion.checks.mistakes import BASES, COLUMNS, EXCHANGED, JOINED, LOST, NO_SOFTMAX, SPLIT, given_by, wrong_scales
from utils.attention import merge_heads, split_heads

MODULE = "MultiHeadAttention"
LAYERS = ("W_query", "W_key", "W_value", "W_output")
TRANSPOSED = "a weight is used transposed, which square ones hide: call the layer, or write X @ weight.T + bias"
ACROSS = "tokens read other sentences: axis 0 is the batch, axis 1 the tokens"
NO_BIAS = "a bias is left out: call the whole layer"
DEALT = SPLIT.keys() & JOINED.keys()  # other ways to give features to heads, and to join these again
OVER_HEADS = "softmax runs over the heads: each head's rows sum to 1 over the keys, the last axis"


class Module:
    """A student's module with fresh weights.

    plain_output: W_output hands on what it gets, so that only what stands before it counts.
    """

    def __init__(self, student, draw, num_heads, head_dim, plain_output=False):
        self.student, self.num_heads, self.head_dim, self.d_model = student, num_heads, head_dim, num_heads * head_dim
        self.made = make_module(student, MODULE, self.d_model, num_heads)
        self.layers = load_projections(self.made, draw, dict.fromkeys(LAYERS, (self.d_model, self.d_model)))
        if plain_output:
            self.hand_on("W_output")

    def hand_on(self, layer, factor=1.0):
        """Let a layer hand on what it gets, times a factor."""
        there = [name for name in self.made.values() if name in (layer, f"{layer}.weight", f"{layer}.bias")]
        plain = factor * torch.eye(self.d_model), torch.zeros(self.d_model)
        self.made.load({name: plain[name.endswith("bias")] for name in there})
        self.layers[layer] = plain

    def __call__(self, *args, **kwargs):
        """Return the student's output and weights."""
        given = expect_parts(self.made(*args, **kwargs), ("output", "weights"), "forward")
        axes = [getattr(part, "ndim", 0) for part in given]
        expect(axes != [4, 3], "forward gives the weights first: return output, weights")
        return given

    def project(self, name, inputs):
        matrix, bias = self.layers[name]
        return inputs.to(matrix.dtype) @ matrix + bias

    def slips(self, name, inputs):
        """Return {fault: the features that it gives} for the known ways to use a layer wrongly."""
        matrix, bias = self.layers[name]
        return {TRANSPOSED: inputs @ matrix.T + bias, NO_BIAS: inputs @ matrix}

    def scores(self, asking, answering):
        """Return the right scores, before softmax: (batch, heads, queries, keys)."""
        return next(self._right_products(asking, answering)) / self.head_dim**0.5

    def weights(self, asking, answering):
        """Return the right weights (batch, heads, queries, keys)."""
        return torch.softmax(self.scores(asking, answering), -1)

    def find(self, given, asking, answering):
        """Return {"rows": fault, "scale": fault} of weights; "" is no fault. None: nothing that is known."""
        for rows, scale, known in self._known_weights(asking, answering):
            if close(given, known):
                return {"rows": rows, "scale": scale}
        return None

    def expect_weights(self, given, asking, answering, of):
        """Judge weights. of: "rows" or "scale"; a fault of the other is charged elsewhere."""
        found = self.find(given, asking, answering)
        if found is not None:
            expect(not found[of], found[of])
            return
        right = self.weights(asking, answering)
        mistakes = {
            NO_SOFTMAX: self.scores(asking, answering),
            "the weights are averaged over the heads; return one matrix for each head": right.mean(1),
        }
        expect_tensor(
            given, right, f"the tensor of weights (batch, heads, queries, keys) with {self.num_heads} heads", mistakes
        )

    def contexts(self, weights, answering):
        """Return the joined contexts that these weights give: with our way to split and join, then the student's."""
        return self.mixed(weights, self.project("W_value", answering))

    @functools.cached_property
    def dealt(self):
        """The other way in which the class itself deals features to heads, or "": check_weights_rows charges that."""
        inputs = torch.eye(self.d_model)[None]
        found = self.find(self(inputs)[1], inputs, inputs)
        return found["rows"] if found and found["rows"] in DEALT else ""

    def mixed(self, weights, value):
        """Yield these values cut into heads, mixed and joined: as it is right, and as the student does it."""
        for parts in self._splits(value):
            context = weights.to(parts.dtype) @ parts
            joined = merge_heads(context)
            yield joined
            yield from self._own(joined, "merge_heads", context)
        if self.dealt:
            context = weights.to(value.dtype) @ SPLIT[self.dealt](value, self.num_heads)
            yield from (JOINED[self.dealt](context), merge_heads(context))

    def explains(self, output, weights, answering):
        """Say whether these weights give this output."""
        return any(close(output, self.project("W_output", context)) for context in self.contexts(weights, answering))

    def expect_output(self, output, weights, answering, doing, mistakes):
        """Judge an output by the weights that came with it. mistakes: a function of the weights; see expect_tensor."""
        if not self.explains(output, weights, answering):
            right = self.project("W_output", next(self.contexts(weights, answering)))
            expect_tensor(output, right, doing, mistakes(weights))

    def _known_weights(self, asking, answering):
        """Yield what is right, and then what one known slip gives, at each known scale."""
        scales = self._scales(asking.shape[1])
        for products in self._right_products(asking, answering):
            for scale, factor in scales.items():
                for rows, weights in _softmaxed(products * factor).items():
                    yield rows, scale, weights
        for rows, products in self._wrong_products(asking, answering):
            for scale, factor in scales.items():
                yield rows, scale, torch.softmax(products * factor, -1)

    def _right_products(self, asking, answering):
        query, key = self.project("W_query", asking), self.project("W_key", answering)
        for parts, others in zip(self._splits(query), self._splits(key)):
            yield parts @ others.transpose(-2, -1)

    def _wrong_products(self, asking, answering):
        query, key = self.project("W_query", asking), self.project("W_key", answering)
        queries, keys = self.slips("W_query", asking), self.slips("W_key", answering)
        for fault in queries:
            for pair in ((queries[fault], keys[fault]), (queries[fault], key), (query, keys[fault])):
                yield fault, self._products(*pair)
        if asking.shape[0] == asking.shape[1] == answering.shape[1]:
            yield ACROSS, self._products(query.transpose(0, 1), key.transpose(0, 1))
        for fault, split in SPLIT.items():
            yield fault, split(query, self.num_heads) @ split(key, self.num_heads).transpose(-2, -1)

    def _products(self, query, key):
        return split_heads(query, self.num_heads) @ split_heads(key, self.num_heads).transpose(-2, -1)

    def _scales(self, tokens):
        """Return {fault: the factor that the products of query and key are multiplied by}."""
        others = {
            "d_model (a head's products have fewer terms)": self.d_model,
            "num_heads": self.num_heads,
            "the number of tokens": tokens,
        }
        bases = {fault: factor * self.head_dim**-0.5 for fault, factor in BASES.items()}
        return {"": self.head_dim**-0.5} | wrong_scales(self.head_dim, others, "head_dim") | bases

    def _splits(self, features):
        """Yield the features cut into heads: as it is right, then as the student's own function does it."""
        right = split_heads(features, self.num_heads)
        yield right
        yield from self._own(right, "split_heads", features, self.num_heads)

    def _own(self, right, name, *args):
        """Yield what the student's own function gives, if it has the right numbers in another order."""
        own = self.student.own(name, *args)
        if _rearranged(own, right):
            yield own


def _softmaxed(scores):
    """Return {fault of the rows: weights}."""
    return {
        "": torch.softmax(scores, -1),
        OVER_HEADS: torch.softmax(scores, 1),
        COLUMNS: torch.softmax(scores, -2),
        EXCHANGED: torch.softmax(scores.transpose(-2, -1), -1),
        **given_by(LOST, scores),
    }


def _rearranged(given, right):
    """Say whether a tensor has the right shape and the right numbers, in whatever order."""
    fits = isinstance(given, torch.Tensor) and given.shape == right.shape and given.is_floating_point()
    return fits and close(given.double().flatten().sort().values, right.double().flatten().sort().values)
