"""Layers written as well-known repositories write them, right and with mistakes that were published: what is found.

All are one layer, `Layer`, with steps of it exchanged; a row says what it promises, and the property that must report.
"""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from companion import mistakes
from handbook import FOLDER
from utils.attention import causal_mask, padding_mask
from utils.positions import alibi, rotate
from utils.properties import examine

WIDTH, HEADS = 16, 4
CAUSAL, ORDER, BOTH = {"causal": True}, {"positions": True}, {"causal": True, "positions": True}
WINDOW, ALONE = {"causal": True, "positions": True, "window": 3}, {"padding": False}
MEMORY = {"extra_keys": True}


class Layer(nn.Module):
    """A block of attention; what `steps` names replaces the method of that name."""

    def __init__(self, steps, causal=False, kv_heads=HEADS, norm=None, bias=True):
        super().__init__()
        torch.manual_seed(0)
        self.causal = causal
        self.query, self.out = (nn.Linear(WIDTH, WIDTH, bias) for _ in range(2))
        self.key, self.value = (nn.Linear(WIDTH, WIDTH // HEADS * kv_heads, bias) for _ in range(2))
        self.table = nn.Parameter(torch.randn(HEADS, 64))
        self.table.requires_grad_("relative" in str(steps.get("bias", "")))
        self.norm = norm or nn.Identity()
        for name, step in steps.items():
            setattr(self, name, step.__get__(self))

    def split(self, x):  # (batch, heads, tokens, head_dim)
        return x.unflatten(-1, (-1, WIDTH // HEADS)).transpose(1, 2)

    def share(self, heads):
        return heads.repeat_interleave(HEADS // heads.shape[1], dim=1)

    def turn(self, query, key):
        return query, key

    def bias(self, scores):
        return scores

    def score(self, query, key):
        return query @ key.mT / query.shape[-1] ** 0.5

    def mask(self, lengths, number):  # (batch, 1, query, key)
        real = padding_mask(lengths, number)[:, None].expand(-1, -1, number, -1)
        return real & causal_mask(number) if self.causal else real

    def hide(self, scores, mask):
        return scores.masked_fill(~mask, -torch.inf)

    def weigh(self, scores, mask):
        return self.hide(scores, mask).softmax(dim=-1)

    def merge(self, context):
        return context.transpose(1, 2).flatten(-2)

    def attend(self, x, lengths):
        query, key, value = (self.split(role(x)) for role in (self.query, self.key, self.value))
        query, key = self.turn(query, self.share(key))
        weights = self.weigh(self.bias(self.score(query, key)), self.mask(lengths, x.shape[1]))
        return self.out(self.merge(weights @ self.share(value)))

    def forward(self, x, lengths):
        return self.attend(x, lengths)


def known(weigh):
    return lambda self, scores, mask: weigh(scores, mask)


def masked(mask_of):
    """Masks by another function, of how many tokens a sentence has and which of them are real (batch, 1, tokens)."""
    return lambda self, lengths, number: mask_of(number, padding_mask(lengths, number)[:, None])


def turned(of_query=True, of_key=True, along=-2):
    def turn(self, *heads):
        def rotated(x):
            return rotate(x.transpose(1, 2)).transpose(1, 2) if along == 1 else rotate(x)

        return tuple(rotated(x) if chosen else x for x, chosen in zip(heads, (of_query, of_key)))

    return turn


def relative(number_of):
    """A learned table of distances: bucket by `number_of` (key minus query)."""

    def bias_relative(self, scores):
        positions = torch.arange(scores.shape[-1])
        return scores + self.table[:, number_of(positions - positions[:, None])]

    return bias_relative


def window(width):
    return masked(lambda n, real: real & causal_mask(n).triu(1 - width))


def around(before):
    """A block: a residual, with a norm behind it or in front."""

    def forward(self, x, lengths):
        return x + self.attend(self.norm(x), lengths) if before else self.norm(x + self.attend(x, lengths))

    return forward


def batch_read(self, x, lengths):  # (batch, tokens) handed to a layer of (tokens, batch)
    x = x.transpose(0, 1)
    return self.attend(x, torch.full((len(x),), x.shape[1])).transpose(0, 1)


def in_place(filled):
    """Step by step, on a cache with room for more, written in place; `filled`: read no further than what is written."""

    def forward(self, x, lengths):
        room, contexts = torch.zeros(2, len(x), HEADS, 10 + x.shape[1], WIDTH // HEADS), []
        for position in range(x.shape[1]):
            token = x[:, position : position + 1]
            room[0, :, :, position], room[1, :, :, position] = (
                self.split(r(token))[:, :, 0] for r in (self.key, self.value)
            )
            key, value = room[:, :, :, : position + 1] if filled else room
            contexts.append(F.scaled_dot_product_attention(self.split(self.query(token)), key, value))
        return self.out(self.merge(torch.cat(contexts, 2)))

    return forward


def linear(normalized, hidden=True):
    """Linear attention, causal or not, without a table of weights."""

    def attend(self, x, lengths):
        query, key, value = (self.split(role(x)) for role in (self.query, self.key, self.value))
        query, key = F.elu(query) + 1, F.elu(key) + 1
        real = padding_mask(lengths, x.shape[1])[:, None].mT if hidden else 1.0
        key = key * real
        context = query @ (key.mT @ value)
        return self.out(self.merge(context / (query @ key.sum(-2)[..., None] + 1e-6) if normalized else context))

    return attend


def with_a_sink(self, scores, mask):
    """Softmax also runs over a score of 0 for a key that nobody wrote, and whose value is 0."""
    return F.pad(self.hide(scores, mask), (1, 0)).softmax(-1)[..., 1:]


def row(name, promises=None, made=None, **steps):
    """A layer: what it promises to `examine`, how `Layer` is made, and its steps."""
    return pytest.param(steps, promises or {}, made or {}, id=name)


def wrong(name, property_name, promises=None, **steps):
    """A wrong layer, and a word of the property that must report."""
    return pytest.param(steps, promises or {}, property_name, id=name)


RIGHT = [
    row("BERT's mask, added in float32", hide=lambda layer, s, m: s + torch.where(m, 0.0, -1e9)),
    row("GPT-2, causal", CAUSAL),
    row("post-norm, eps 1e-12", made={"norm": nn.LayerNorm(WIDTH, eps=1e-12)}, forward=around(before=False)),
    row("post-norm, RMSNorm without eps", made={"norm": nn.RMSNorm(WIDTH)}, forward=around(before=False)),
    row("pre-norm, eps 1e-5", CAUSAL, made={"norm": nn.LayerNorm(WIDTH)}, forward=around(before=True)),
    row("pre-norm, RMSNorm 1e-6", CAUSAL, made={"norm": nn.RMSNorm(WIDTH, 1e-6)}, forward=around(before=True)),
    row("grouped, two key heads, no biases", CAUSAL, made={"kv_heads": 2, "bias": False}),
    row("Llama: rotary, grouped", BOTH, made={"kv_heads": 2, "bias": False}, turn=turned()),
    row("ALiBi", BOTH, bias=lambda layer, scores: scores + alibi(HEADS, scores.shape[-1])),
    row("T5's table of distances", ORDER, bias=relative(lambda far: far.clamp(-8, 8) + 8)),
    row("a table of distances, causal", BOTH, bias=relative(lambda far: (-far).clamp(0, 9))),
    row("Mistral's window of three", WINDOW, turn=turned(), mask=window(3)),
    row("a cache written in place", CAUSAL, forward=in_place(True)),
    row("linear attention", attend=linear(True)),
    row("no padding, as in ViT", ALONE, mask=lambda layer, lengths, n: torch.ones(n, n) > 0),
    row("a sink beside the keys", MEMORY, weigh=with_a_sink),
]

WRONG = [
    wrong("the mask is ones and zeros, added", "alone", weigh=known(mistakes.mask_added)),
    wrong("a fill of -1e-9", "beginning", CAUSAL, weigh=known(mistakes.filled_with(-1e-9))),
    wrong("the filled scores are thrown away", "beginning", CAUSAL, weigh=known(mistakes.mask_ignored)),
    wrong("a fill of -100", "large", weigh=known(mistakes.filled_with(-100.0))),
    wrong("True and False exchanged", "beginning", CAUSAL, weigh=known(mistakes.mask_inverted)),
    wrong("masked after softmax", "copies", CAUSAL, weigh=known(mistakes.after_softmax)),
    wrong("scores multiplied by the mask", "beginning", CAUSAL, hide=lambda layer, s, m: s * m),
    wrong("softmax over queries", "alone", weigh=known(mistakes.softmax_over(-2))),
    wrong("softmax over heads", "copies", weigh=lambda layer, s, m: s.masked_fill(~m, -1e9).softmax(1)),
    wrong("softmax twice", "beginning", CAUSAL, weigh=lambda layer, s, m: layer.hide(s, m).softmax(-1).softmax(-1)),
    wrong("exp without the largest", "large", weigh=known(mistakes.exp_minus(lambda scores: 0.0))),
    wrong("dropout after eval()", "twice", weigh=lambda layer, s, m: F.dropout(layer.hide(s, m).softmax(-1), 0.5)),
    wrong(
        "tril(-1), and one row mended",
        "may_be_read",
        CAUSAL,
        mask=masked(lambda n, _: causal_mask(n).tril(-1) | (torch.arange(n) < 1)),
    ),
    wrong("tril(1)", "beginning", CAUSAL, mask=masked(lambda n, _: torch.ones(n, n).tril(1) > 0)),
    wrong("masks joined by or", "beginning", CAUSAL, mask=masked(lambda n, real: real | causal_mask(n))),
    wrong("padding hides queries", "alone", mask=masked(lambda n, real: real.mT.expand(-1, 1, n, n))),
    wrong("heads cut by view", "order", split=lambda layer, x: x.reshape(len(x), HEADS, -1, WIDTH // HEADS)),
    wrong("heads joined by view", "copies", merge=lambda layer, x: x.reshape(len(x), -1, WIDTH)),
    wrong("batch and tokens exchanged", "apart", forward=batch_read),
    wrong("query times query", "learns", score=lambda layer, q, k: q @ q.mT / 2),
    wrong("keys detached", "learns", score=lambda layer, q, k: q @ k.detach().mT / 2),
    wrong("only queries are rotated", "order", BOTH, turn=turned(of_key=False)),
    wrong("heads rotated, not tokens", "order", BOTH, turn=turned(along=1)),
    wrong("all later tokens in one bucket", "order", ORDER, bias=relative(lambda far: (-far).clamp(0, 9))),
    wrong("a window one too wide", "may_be_read", WINDOW, turn=turned(), mask=window(4)),
    wrong("empty places of a cache are read", "copies", CAUSAL, forward=in_place(False)),
    wrong("linear attention, not normalized", "copies", attend=linear(False)),
    wrong("linear attention reads padding", "alone", attend=linear(True, hidden=False)),
    wrong("scaled by the number of keys", "alone", score=lambda layer, q, k: q @ k.mT / k.shape[-2]),
]

REFERENCE = [
    row("no scale", score=lambda layer, q, k: q @ k.mT),
    row("scaled by the width of the model", score=lambda layer, q, k: q @ k.mT / WIDTH**0.5),
    row("key heads in the wrong order", made={"kv_heads": 2}, share=lambda layer, x: x.repeat(1, 2, 1, 1)),
]


def build(steps, promises, made=None):
    return Layer(steps, promises.get("causal", False), **made or {}).eval()


@pytest.mark.parametrize("steps, promises, made", RIGHT)
def test_nothing_is_told_of_a_right_layer(steps, promises, made):
    assert examine(build(steps, promises, made), WIDTH, **promises) == {}


@pytest.mark.parametrize("steps, promises, property_name", WRONG)
def test_a_published_mistake_is_found(steps, promises, property_name):
    assert any(property_name in name for name in examine(build(steps, promises), WIDTH, **promises))


@pytest.mark.parametrize("steps, promises, made", REFERENCE)
def test_another_attention_is_told_by_a_reference_alone(steps, promises, made):
    layer, right = build(steps, promises, made), build({}, promises, made)
    assert examine(layer, WIDTH) == {}
    assert examine(layer, WIDTH, reference=right).keys() == {"equal_to_the_reference"}


def test_the_clinic_says_how_many_of_these_are_found():
    page = (FOLDER / "clinic.ipynb").read_text(encoding="utf-8")
    counts = len(WRONG) + len(REFERENCE), len(WRONG), len(REFERENCE)
    assert "of {} mistakes that its own tests hold, {} alone and {} beside a reference".format(*counts) in page
