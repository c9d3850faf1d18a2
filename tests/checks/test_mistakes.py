"""Every way to get attention wrong that published courses show, and the properties that each of them breaks."""

from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from companion.checks import mistakes
from companion.checks.mistakes import attention_of
from utils.attention import MultiHeadAttention, causal_mask, masked_softmax, scores

D_MODEL, HEADS, HEAD_DIM, TOKENS = 12, 3, 4, 5  # all different, and the batch has 2


class Attention(nn.Module):
    """Multi-head attention. A broken twin replaces one of its steps, or another method."""

    steps = {}
    past = staticmethod(causal_mask)

    def __init__(self):
        super().__init__()
        self.W_query, self.W_key, self.W_value, self.W_output = (nn.Linear(D_MODEL, D_MODEL) for _ in range(4))

    def forward(self, inputs, memory=None, mask=None, causal=False, need_weights=True):
        memory = inputs if memory is None else memory
        features = self.query(inputs), self.key(inputs, memory), self.value(inputs, memory)
        context, weights = attention_of(**self.steps)(*features, HEADS, self.allow(inputs.shape[1], mask, causal))
        return self.finish(context), weights

    def query(self, inputs):
        return self.W_query(inputs)

    def key(self, inputs, memory):
        return self.W_key(memory)

    def value(self, inputs, memory):
        return self.W_value(memory)

    def allow(self, tokens, mask, causal):
        mask = mask if mask is None else mask.unsqueeze(1)
        if not causal:
            return mask
        return self.past(tokens) if mask is None else self.past(tokens) & mask

    def finish(self, context):
        return self.W_output(context)


def allow_if(training):
    """Be causal in one mode only."""
    return lambda self, tokens, mask, causal: Attention.allow(self, tokens, mask, causal and self.training == training)


def place_in_batch(inputs):
    return torch.arange(len(inputs))[:, None, None]


def seed_every_head(self):
    Attention.__init__(self)
    for layer in (self.W_query, self.W_key, self.W_value):
        heads = []
        for _ in range(HEADS):
            torch.manual_seed(0)
            heads.append(nn.Linear(D_MODEL, HEAD_DIM))
        layer.weight, layer.bias = (
            nn.Parameter(torch.cat([head.get_parameter(name) for head in heads])) for name in ("weight", "bias")
        )


def split(wrong):
    return {"split": wrong, "split_value": wrong}


STEPS = {  # {twin: (the properties it breaks, the steps that are wrong)}
    "K @ Q.T": ("alone cross", {"score": lambda query, key: scores(key, query)}),
    "scale missing": ("alone cross", {"score": mistakes.scaled(0)}),
    "scale by d_model": ("alone cross", {"score": lambda query, key: scores(query, key) * (HEAD_DIM / D_MODEL) ** 0.5}),
    "scale without root": ("alone cross", {"score": mistakes.scaled(-1)}),
    "scale multiplied": ("alone cross", {"score": mistakes.scaled(1 / 2)}),
    "softmax over queries": ("alone cross sums causal in_eval padding", {"weigh": mistakes.over(-2)}),
    "softmax over heads": ("alone cross sums", {"weigh": mistakes.over(-3)}),
    "softmax over all at once": ("alone cross sums causal in_eval padding", {"weigh": mistakes.over_all}),
    "maximum not subtracted": ("large", {"weigh": mistakes.less(lambda scores: 0.0)}),
    "weights rounded": ("alone cross sums", {"weigh": lambda *given: masked_softmax(*given).round(decimals=2)}),
    "mask ignored": ("causal in_eval padding blind", {"weigh": mistakes.ignored}),
    "mask inverted": ("sums causal in_eval past padding blind", {"weigh": mistakes.inverted}),
    "mask after softmax": ("sums causal in_eval padding", {"weigh": mistakes.after_softmax}),
    "mask added": ("causal in_eval padding blind", {"weigh": mistakes.added}),
    "masked scores are 0": ("causal in_eval padding blind", {"weigh": mistakes.filled(0.0)}),
    "masked scores 0, then hidden": ("sums padding", {"weigh": mistakes.before_and_after}),
    "nothing allowed gives nan": ("blind", {"weigh": mistakes.filled(-torch.inf)}),
    "nothing allowed reads all": ("blind", {"weigh": mistakes.filled(-1e9)}),
    "split without transpose": ("alone cross causal in_eval order padding", split(mistakes.split_by_view)),
    "split in turn": ("alone cross", split(mistakes.SPLIT[mistakes.IN_TURN])),
    "split in reverse": ("alone cross", split(mistakes.SPLIT[mistakes.REVERSED])),
    "joined without transpose": ("alone cross causal in_eval order padding", {"join": mistakes.join_by_view}),
    "joined in turn": ("alone cross", {"join": mistakes.JOINED[mistakes.IN_TURN]}),
    "joined in reverse": ("alone cross", {"join": mistakes.JOINED[mistakes.REVERSED]}),
}
BROKEN = {name: (broken, {"steps": steps}) for name, (broken, steps) in STEPS.items()} | {
    "cannot see itself": ("sums past", {"past": staticmethod(mistakes.past(-1))}),
    "sees the next": ("causal in_eval", {"past": staticmethod(mistakes.past(1))}),
    "causal in train() only": ("in_eval", {"allow": allow_if(True)}),
    "causal in eval() only": ("causal", {"allow": allow_if(False)}),
    "output not projected": ("alone cross", {"finish": lambda self, context: context}),
    "output projected twice": ("alone cross", {"finish": lambda self, context: self.W_output(self.W_output(context))}),
    "weights transposed": ("alone cross", {"query": lambda self, x: x @ self.W_query.weight + self.W_query.bias}),
    "keys and values swapped": ("alone cross", {"key": Attention.value, "value": Attention.key}),
    "keys of the inputs": ("cross", {"key": lambda self, inputs, memory: self.W_key(inputs)}),
    "values of the inputs": ("cross", {"value": lambda self, inputs, memory: self.W_value(inputs)}),
    "place from the batch axis": ("alone cross batch", {"query": lambda self, x: self.W_query(x + place_in_batch(x))}),
    "seed in __init__": ("heads", {"__init__": seed_every_head}),
}


def draw(*axes):
    """Inputs that give scores of order 1. Larger ones saturate softmax, and then any scale passes."""
    return 2 * torch.randn(*axes, D_MODEL, dtype=torch.float64)


def close(ours, reference):
    return torch.allclose(ours, reference, rtol=0, atol=1e-9)


def output(module, inputs, **options):
    return module(inputs, need_weights=True, **options)[0]


def pytorchs(module):
    twin, ours = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=torch.float64), module.state_dict()
    joined = {
        f"in_proj_{kind}": torch.cat([ours[f"W_{role}.{kind}"] for role in ("query", "key", "value")])
        for kind in ("weight", "bias")
    }
    twin.load_state_dict(joined | {f"out_proj.{kind}": ours[f"W_output.{kind}"] for kind in ("weight", "bias")})
    return twin


def equals_pytorch(module, inputs, memory):
    expected = pytorchs(module)(inputs, memory, memory, average_attn_weights=False)
    return all(close(*pair) for pair in zip(module(inputs, memory, need_weights=True), expected))


def alone(module, scale=1):
    """On one sequence, without a mask, it equals PyTorch's module."""
    inputs = scale * draw(2, TOKENS)
    return equals_pytorch(module, inputs, inputs)


def cross(module):
    """Reading another sequence, it equals PyTorch's module. Equal lengths: nothing may be caught by its shape."""
    return equals_pytorch(module, draw(2, TOKENS), draw(2, TOKENS))


def sums(module):
    """Behind a causal mask, the weights of each query sum to 1."""
    weights = module(draw(2, TOKENS), causal=True, need_weights=True)[1].sum(dim=-1)
    return close(weights, torch.ones_like(weights))


def moved_by_each_token(module):
    """Which outputs move (queries) if one token is changed (keys), behind a causal mask."""
    inputs, columns = draw(2, TOKENS), []
    for changed in range(TOKENS):
        other = inputs.index_add(1, torch.tensor([changed]), draw(2, 1))
        moved = output(module, other, causal=True) - output(module, inputs, causal=True)
        columns.append(moved.abs().amax(dim=(0, 2)) > 1e-9)
    return torch.stack(columns, dim=-1)


def causal(module):
    """No token moves an output before its own."""
    return not moved_by_each_token(module.train()).triu(1).any()


def in_eval(module):
    """Nor does it in eval()."""
    return not moved_by_each_token(module.eval()).triu(1).any()


def past(module):
    """Each token moves its own output and all later ones."""
    return (moved_by_each_token(module) | ~torch.ones(TOKENS, TOKENS).tril().bool()).all()


def order(module):
    """Without a mask, reordered tokens get reordered outputs."""
    inputs, places = draw(2, TOKENS), torch.randperm(TOKENS)
    return close(output(module, inputs[:, places]), output(module, inputs)[:, places])


def padding(module):
    """Padding behind a sentence changes nothing at its tokens."""
    inputs = draw(2, TOKENS + 2)
    mask = (torch.arange(TOKENS + 2) < TOKENS).expand(2, 1, -1)
    return close(output(module, inputs, mask=mask)[:, :TOKENS], output(module, inputs[:, :TOKENS]))


def large(module):
    """Large scores give no nan."""
    return output(module, 1000 * draw(2, TOKENS)).isfinite().all()


def blind(module):
    """A query that may attend to nothing gets no weights, and no nan."""
    mask = torch.ones(2, TOKENS, TOKENS).bool()
    mask[:, 1] = False
    outputs, weights = module(draw(2, TOKENS), mask=mask, need_weights=True)
    return outputs.isfinite().all() and not weights[..., 1, :].any()


def heads(module):
    """Two heads attend differently from the start."""
    weights = module(draw(2, TOKENS), need_weights=True)[1]
    return not close(weights[:, 0], weights[:, 1])


def batch(module):
    """A sentence has the same output alone as in a batch, at any place."""
    inputs = draw(2, TOKENS)
    return close(output(module, inputs), torch.cat([output(module, inputs[:1]), output(module, inputs[1:])]))


PROPERTIES = [alone, cross, sums, causal, in_eval, past, order, padding, large, blind, heads, batch]


def broken_properties(build, seed):
    broken = set()
    for has_property in PROPERTIES:
        torch.manual_seed(seed)
        if not has_property(build().double()):
            broken.add(has_property.__name__)
    return broken


def test_what_overflows_gives_nan_as_in_a_readers_own_code():
    weights = mistakes.less(lambda scores: 0.0)(torch.tensor([[1000.0, 0], [-1000, -1000]]))
    assert weights.isnan().any(-1).all()


def twin_of(name):
    return type("Twin", (Attention,), BROKEN[name][1])


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_twin_breaks_exactly_the_properties_beside_it(name):
    assert broken_properties(twin_of(name), seed=0) == {*BROKEN[name][0].split()} != set()


def test_every_property_is_broken_by_some_twin():
    assert {prop.__name__ for prop in PROPERTIES} == {name for names, _ in BROKEN.values() for name in names.split()}


@pytest.mark.parametrize("build", [partial(MultiHeadAttention, D_MODEL, HEADS), Attention], ids=["utils", "twins' own"])
@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1))
def test_the_right_module_has_every_property(build, seed):
    assert broken_properties(build, seed) == set()


@pytest.mark.parametrize("name", [name for name in STEPS if name.startswith("scale")])
def test_scores_that_saturate_softmax_would_let_any_scale_pass(name):
    torch.manual_seed(0)
    twin = twin_of(name)().double()
    assert alone(twin, scale=1000) and not alone(twin)
