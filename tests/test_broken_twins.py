"""Every way to get attention wrong that published courses show, and the property that each of them breaks."""

from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from utils.attention import MultiHeadAttention

D_MODEL, HEADS, HEAD_DIM, TOKENS = 12, 3, 4, 5  # all different, and the batch has 2


class Attention(nn.Module):
    """Multi-head attention in steps. A broken twin replaces one of them."""

    def __init__(self):
        super().__init__()
        self.W_query, self.W_key, self.W_value, self.W_output = (nn.Linear(D_MODEL, D_MODEL) for _ in range(4))

    def forward(self, inputs, memory=None, mask=None, causal=False, need_weights=True):
        memory = inputs if memory is None else memory
        features = self.query(inputs), self.key(inputs, memory), self.value(inputs, memory)
        query, key, value = (self.split(each) for each in features)
        scores = self.score(query, key)
        weights = self.weigh(scores, self.allow(torch.ones(scores.shape[-2:]).bool(), mask, causal))
        return self.finish(self.join(weights @ value)), weights

    def query(self, inputs):
        return self.W_query(inputs)

    def key(self, inputs, memory):
        return self.W_key(memory)

    def value(self, inputs, memory):
        return self.W_value(memory)

    def split(self, features):
        return features.view(len(features), -1, HEADS, HEAD_DIM).transpose(1, 2)

    def score(self, query, key):
        return query @ key.mT / HEAD_DIM**0.5

    def allow(self, everything, mask, causal, diagonal=0):
        allowed = everything.tril(diagonal) if causal else everything
        return allowed if mask is None else allowed & mask.unsqueeze(1)

    def weigh(self, scores, allowed):
        return self.softmax(scores.masked_fill(~allowed, -torch.inf)).masked_fill(~allowed, 0.0)

    def softmax(self, scores):
        return torch.softmax(scores, dim=-1)

    def join(self, context):
        return context.transpose(1, 2).flatten(2)

    def finish(self, context):
        return self.W_output(context)


def invert(allowed):
    """Only if anything was masked: a learner who inverts a mask that is not there sees it at once."""
    return allowed if allowed.all() else ~allowed


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


BROKEN = {
    "K @ Q.T": {"score": lambda self, query, key: Attention.score(self, key, query)},
    "scale missing": {"score": lambda self, query, key: query @ key.mT},
    "scale by d_model": {"score": lambda self, query, key: query @ key.mT / D_MODEL**0.5},
    "scale without root": {"score": lambda self, query, key: query @ key.mT / HEAD_DIM},
    "scale multiplied": {"score": lambda self, query, key: query @ key.mT * HEAD_DIM**0.5},
    "softmax over queries": {"softmax": lambda self, scores: scores.softmax(dim=-2)},
    "softmax over heads": {"softmax": lambda self, scores: scores.softmax(dim=1)},
    "softmax over all at once": {"softmax": lambda self, scores: scores.flatten(2).softmax(dim=-1).view_as(scores)},
    "maximum not subtracted": {"softmax": lambda self, scores: scores.exp() / scores.exp().sum(dim=-1, keepdim=True)},
    "weights rounded": {"softmax": lambda self, scores: scores.softmax(dim=-1).round(decimals=2)},
    "mask after softmax": {"weigh": lambda self, scores, allowed: self.softmax(scores) * allowed},
    "mask inverted": {"weigh": lambda self, *given: Attention.weigh(self, given[0], invert(given[1]))},
    "nothing allowed gives nan": {
        "weigh": lambda self, *given: self.softmax(given[0].masked_fill(~given[1], -torch.inf))
    },
    "cannot see itself": {"allow": lambda self, *given: Attention.allow(self, *given, diagonal=-1)},
    "sees the next": {"allow": lambda self, *given: Attention.allow(self, *given, diagonal=1)},
    "causal in train() only": {
        "allow": lambda self, *given: Attention.allow(self, *given[:2], given[2] and self.training)
    },
    "causal in eval() only": {
        "allow": lambda self, *given: Attention.allow(self, *given[:2], given[2] and not self.training)
    },
    "split without transpose": {"split": lambda self, features: features.view(len(features), HEADS, -1, HEAD_DIM)},
    "joined without transpose": {"join": lambda self, context: context.reshape(len(context), -1, D_MODEL)},
    "heads in reverse": {"join": lambda self, context: Attention.join(self, context.flip(1))},
    "heads interleaved": {"join": lambda self, context: context.permute(0, 2, 3, 1).flatten(2)},
    "output not projected": {"finish": lambda self, context: context},
    "output projected twice": {"finish": lambda self, context: self.W_output(self.W_output(context))},
    "weights transposed": {"query": lambda self, inputs: inputs @ self.W_query.weight + self.W_query.bias},
    "keys and values swapped": {
        "key": lambda self, inputs, memory: self.W_value(memory),
        "value": lambda self, inputs, memory: self.W_key(memory),
    },
    "keys of the inputs": {"key": lambda self, inputs, memory: self.W_key(inputs)},
    "values of the inputs": {"value": lambda self, inputs, memory: self.W_value(inputs)},
    "place from the batch axis": {"query": lambda self, inputs: self.W_query(inputs + place_in_batch(inputs))},
    "seed in __init__": {"__init__": seed_every_head},
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
    """A query that may attend to nothing gives no nan."""
    mask = torch.ones(2, TOKENS, TOKENS).bool()
    mask[:, 1] = False
    return output(module, draw(2, TOKENS), mask=mask).isfinite().all()


def heads(module):
    """Two heads attend differently from the start."""
    weights = module(draw(2, TOKENS), need_weights=True)[1]
    return not close(weights[:, 0], weights[:, 1])


def batch(module):
    """A sentence has the same output alone as in a batch, at any place."""
    inputs = draw(2, TOKENS)
    return close(output(module, inputs), torch.cat([output(module, inputs[:1]), output(module, inputs[1:])]))


PROPERTIES = [alone, cross, sums, causal, in_eval, past, order, padding, large, blind, heads, batch]

# Which property (column) is broken by which twin (row).
TABLE = """
                            alone  cross  sums  causal  in_eval  past  order  padding  large  blind  heads  batch
K @ Q.T                       x      x     .      .        .      .      .       .       .      .      .      .
scale missing                 x      x     .      .        .      .      .       .       .      .      .      .
scale by d_model              x      x     .      .        .      .      .       .       .      .      .      .
scale without root            x      x     .      .        .      .      .       .       .      .      .      .
scale multiplied              x      x     .      .        .      .      .       .       .      .      .      .
softmax over queries          x      x     x      x        x      .      .       x       .      .      .      .
softmax over heads            x      x     x      .        .      .      .       .       .      .      .      .
softmax over all at once      x      x     x      x        x      .      .       x       .      .      .      .
maximum not subtracted        .      .     .      .        .      .      .       .       x      .      .      .
weights rounded               x      x     x      .        .      .      .       .       .      .      .      .
mask after softmax            .      .     x      x        x      .      .       x       .      .      .      .
mask inverted                 .      .     x      x        x      x      .       x       .      .      .      .
nothing allowed gives nan     .      .     .      .        .      .      .       .       .      x      .      .
cannot see itself             .      .     x      .        .      x      .       .       .      .      .      .
sees the next                 .      .     .      x        x      .      .       .       .      .      .      .
causal in train() only        .      .     .      .        x      .      .       .       .      .      .      .
causal in eval() only         .      .     .      x        .      .      .       .       .      .      .      .
split without transpose       x      x     .      x        x      .      x       x       .      .      .      .
joined without transpose      x      x     .      x        x      .      x       x       .      .      .      .
heads in reverse              x      x     .      .        .      .      .       .       .      .      .      .
heads interleaved             x      x     .      .        .      .      .       .       .      .      .      .
output not projected          x      x     .      .        .      .      .       .       .      .      .      .
output projected twice        x      x     .      .        .      .      .       .       .      .      .      .
weights transposed            x      x     .      .        .      .      .       .       .      .      .      .
keys and values swapped       x      x     .      .        .      .      .       .       .      .      .      .
keys of the inputs            .      x     .      .        .      .      .       .       .      .      .      .
values of the inputs          .      x     .      .        .      .      .       .       .      .      .      .
place from the batch axis     x      x     .      .        .      .      .       .       .      .      .      x
seed in __init__              .      .     .      .        .      .      .       .       .      .      x      .
"""
HEADER, *ROWS = TABLE.strip("\n").splitlines()
MARKS = {row.rsplit(maxsplit=len(PROPERTIES))[0]: row.split()[-len(PROPERTIES) :] for row in ROWS}


def broken_properties(build, seed):
    broken = set()
    for has_property in PROPERTIES:
        torch.manual_seed(seed)
        if not has_property(build().double()):
            broken.add(has_property.__name__)
    return broken


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_twin_breaks_exactly_the_properties_that_the_table_marks(name):
    twin = type("Twin", (Attention,), BROKEN[name])
    expected = {column for column, mark in zip(HEADER.split(), MARKS[name]) if mark == "x"}
    assert broken_properties(twin, seed=0) == expected != set()


def test_the_table_has_each_twin_and_each_property_and_none_is_idle():
    assert list(MARKS) == list(BROKEN)
    assert HEADER.split() == [has_property.__name__ for has_property in PROPERTIES]
    assert all("x" in column for column in zip(*MARKS.values()))


@pytest.mark.parametrize("build", [partial(MultiHeadAttention, D_MODEL, HEADS), Attention], ids=["utils", "twins' own"])
@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1))
def test_the_right_module_has_every_property(build, seed):
    assert broken_properties(build, seed) == set()


@pytest.mark.parametrize("name", [name for name in BROKEN if name.startswith("scale")])
def test_scores_that_saturate_softmax_would_let_any_scale_pass(name):
    torch.manual_seed(0)
    twin = type("Twin", (Attention,), BROKEN[name])().double()
    assert alone(twin, scale=1000) and not alone(twin)
