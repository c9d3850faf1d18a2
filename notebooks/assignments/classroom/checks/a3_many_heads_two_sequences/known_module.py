"""A student's multi-head module with weights that we know, and what its parts must give, given the parts before."""

import torch

from classroom.checks.graded import Inputs, Student
from classroom.checks.shared import load_projections, make_module, usable_weights, wrong_layers
from companion import mistakes as known
from companion.checks.feedback import Mistake, expect, expect_parts, expect_tensor, is_close
from utils.attention import MultiHeadAttention, masked_softmax, merge_heads, scores, split_heads

MODULE = "MultiHeadAttention"
LAYERS = ("W_query", "W_key", "W_value", "W_output")
WEIGHTS, BIASES = ([f"{name}.{kind}" for name in LAYERS] for kind in ("weight", "bias"))
TRANSPOSED = "a weight is used transposed, which square ones hide: call the layer, or write X @ weight.T + bias"
OVER_HEADS = "softmax runs over the heads: each head's rows sum to 1 over the keys, the last axis"
AVERAGED = "the weights are averaged over the heads; return one matrix for each head"
OWN_VALUES = "the values come from query_input; key_value_input answers"
ADDED = "query_input is added to the output: that is for what stands around this module"
HEADS = {"split_heads": split_heads, "merge_heads": merge_heads}  # what the class may be built on


def make_steps(name: str, table: dict) -> dict[str, dict]:
    """Return {fault: {name: step}} of a {fault: a step of `attention_of`}."""
    return {fault: {name: function} for fault, function in table.items()}


ROWS = {  # what goes wrong with the rows of the weights, whatever the scale: {fault: steps of `attention_of`}
    OVER_HEADS: {"weigh": known.softmax_over(1)},
    known.COLUMNS: {"weigh": known.softmax_over(-2)},
    known.NO_SOFTMAX: {"weigh": known.then_hidden(lambda scores, mask: scores)},
    **make_steps("weigh", known.NOT_SOFTMAX),
    known.EXCHANGED: {"score": lambda query, key: scores(key, query)},
    **make_steps("split", known.SPLIT),
}


class Right(MultiHeadAttention):
    """A right module, called as the assignment's. A wrong one has other steps of `attention_of`."""

    steps = {}

    def forward(self, query_input, key_value_input=None, mask=None):
        answering = query_input if key_value_input is None else key_value_input
        features = self.W_query(query_input), self.W_key(answering), self.W_value(answering)
        head_mask = mask if mask is None or mask.ndim == 2 else mask.unsqueeze(1)
        context, weights = known.attention_of(**self.steps)(*features, self.num_heads, head_mask)
        return self.W_output(context), weights


def make_classes(table: dict) -> dict[str, type]:
    """Return {fault: a wrong class} of {fault: steps}."""
    return {fault: type(MODULE, (Right,), {"steps": steps}) for fault, steps in table.items()}


class KnownModule:
    """A student's module with fresh weights. plain_output: W_output hands on what it gets, so that only what stands
    before it counts; any_order: whether the weights may come first."""

    def __init__(self, student: Student, fresh: Inputs, num_heads, head_dim, plain_output=False, any_order=True):
        self.num_heads, self.head_dim, self.d_model = num_heads, head_dim, num_heads * head_dim
        self.any_order = any_order
        self.student_module = make_module(student, MODULE, self.d_model, num_heads)
        self.layers = load_projections(self.student_module, fresh, dict.fromkeys(LAYERS, (self.d_model, self.d_model)))
        self.layers[""] = torch.eye(self.d_model), torch.zeros(self.d_model)  # what no layer makes
        if plain_output:
            self.hand_on("W_output")

    def hand_on(self, layer, factor=1.0):
        """Let a layer hand on what it gets, times a factor."""
        present = [name for name in self.student_module.values() if name in (layer, f"{layer}.weight", f"{layer}.bias")]
        plain = factor * torch.eye(self.d_model), torch.zeros(self.d_model)
        self.student_module.load({name: plain[name.endswith("bias")] for name in present})
        self.layers[layer] = plain

    def __call__(self, *args, **kwargs):
        """Return the student's output and weights."""
        answer = expect_parts(self.student_module(*args, **kwargs), ("output", "weights"), "forward")
        axes = [getattr(part, "ndim", 0) for part in answer]
        expect(axes != [4, 3] or self.any_order, "forward gives the weights first: return output, weights")
        return answer[::-1] if axes == [4, 3] else answer

    def project(self, name, inputs):
        matrix, bias = self.layers[name]
        return inputs.to(matrix.dtype) @ matrix + bias

    def wrong_features(self, name, inputs):
        """Return {fault: the features that it gives} for the known ways to use a layer wrongly."""
        matrix, bias = self.layers[name]
        return {TRANSPOSED: inputs @ matrix.T + bias, "a bias is left out: call the whole layer": inputs @ matrix}

    def right_scores(self, asking, answering):
        query, key = self.project("W_query", asking), self.project("W_key", answering)
        return scores(split_heads(query, self.num_heads), split_heads(key, self.num_heads))

    def right_weights(self, asking, answering):
        return torch.softmax(self.right_scores(asking, answering), -1)

    def find_faults(self, weights, asking, answering):
        """Return (fault of the rows, fault of the scale) of weights; "" is no fault. None: nothing that is known."""
        cases = self._known_weights(asking, answering)  # (batch, heads, queries, keys)
        return next((faults for faults, known_weights in cases if is_close(weights, known_weights)), None)

    def _known_weights(self, asking, answering):
        """Yield ((fault of the rows, fault of the scale), weights): what is right, and then one slip each."""
        query, key = self.project("W_query", asking), self.project("W_key", answering)
        others = {"d_model (a head's products have fewer terms)": self.d_model, "num_heads": self.num_heads}
        scales = {"": self.head_dim**-0.5} | known.wrong_scales(self.head_dim, others, "head_dim")
        for fault, factor in scales.items():
            yield ("", fault), self._weigh(query * (factor * self.head_dim**0.5), key)
        for fault, steps in ROWS.items():
            yield (fault, ""), self._weigh(query, key, **steps)
        for fault, (query_layer, key_layer) in wrong_layers("queries", "keys").items():
            yield (fault, ""), self._weigh(self.project(query_layer, asking), self.project(key_layer, answering))
        turned = self.wrong_features("W_query", asking)[TRANSPOSED], self.wrong_features("W_key", answering)[TRANSPOSED]
        yield (TRANSPOSED, ""), self._weigh(*turned)

    def _weigh(self, query, key, split=split_heads, score=scores, weigh=masked_softmax):
        return weigh(score(split(query, self.num_heads), split(key, self.num_heads)))

    def expect_weights(self, weights, asking, answering, part: str):
        """Judge weights. part: "rows" or "scale"; a fault of the other is charged elsewhere."""
        faults = self.find_faults(weights, asking, answering)
        if faults is not None:
            if fault := faults[("rows", "scale").index(part)]:
                raise Mistake(fault, known=[fault])
            return
        right = self.right_weights(asking, answering)
        doing = f"the tensor of weights (batch, heads, queries, keys) with {self.num_heads} heads"
        expect_tensor(weights, right, doing, {AVERAGED: right.mean(1)})

    def mix(self, weights, value):
        """Return these values cut into heads, mixed and joined."""
        return merge_heads(weights @ split_heads(value.to(weights.dtype), self.num_heads))

    def contexts(self, weights, answering):
        return self.mix(weights, self.project("W_value", answering))

    def output(self, weights, answering):
        return self.project("W_output", self.contexts(weights, answering))

    def expect_values(self, *inputs):
        """Judge what is mixed and joined, with a plain W_output, by the student's own weights."""
        (output, weights), asking, answering = self(*inputs), inputs[0], inputs[-1]
        weights = usable_weights(weights, self.right_weights(asking, answering))

        def wrong_outputs():
            own = {OWN_VALUES: self.contexts(weights, asking)} if asking.shape == answering.shape else {}
            added = {ADDED: self.contexts(weights, answering) + asking}
            return own | added | self._wrong_contexts(weights, answering)

        doing = f"the output of {asking.shape[1]} queries and {answering.shape[1]} keys with {self.num_heads} heads"
        right_output = self.output(weights, answering)
        expect_tensor(output, right_output, f"{doing}, when W_output changes nothing,", wrong_outputs)

    def _wrong_contexts(self, weights, answering):
        """Return {mistake: the joined contexts that it gives with these weights}."""
        value = self.project("W_value", answering).to(weights.dtype)
        heads, values = split_heads(value, self.num_heads), self.wrong_features("W_value", answering)
        values |= {fault: self.project(layer, answering) for fault, (layer,) in wrong_layers("values").items()}
        joined = known.given_by(known.JOINED, weights @ heads)
        return {
            **{fault: self.mix(weights, features) for fault, features in values.items()},
            known.LAST_VALUE: merge_heads(weights[..., :-1] @ heads[..., :-1, :]),
            **{f"where the heads are joined, {fault}": context for fault, context in joined.items()},
        }
