"""Right and wrong answers to the exercises in notebook 07 (the self-attention module)."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks.mistakes import after_softmax, filled, over
from companion.checks.notebook_07 import check_future_blind, check_one_head, check_who_moves, moved_outputs
from utils.attention import SelfAttention, attention, causal_mask, masked_softmax, scores


def ruled(sees):
    """Make a mask of a rule for how far back a query may see, which may be a wrong one."""
    return lambda num_tokens: torch.tensor([[sees(i - j) for j in range(num_tokens)] for i in range(num_tokens)])


def blind_by_filling(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, : i + 1] = True
    return mask


def three_by_hand(num_tokens):
    return torch.tensor([[True, False, False], [True, True, False], [True, True, True]])


def another(changed):
    """Change one input in place by other numbers for each feature."""
    return changed + torch.randn(changed.shape)


def tried(change=another, moves=lambda gap: ~(gap.abs() <= 1e-6).all(-1), copy=torch.clone, places=range):
    """Compose the test from its decisions, any of which may be a wrong one."""

    def who_moves(read, inputs):
        before, size = read(inputs), len(inputs)
        moved = torch.zeros(size, size, dtype=torch.bool)
        for place in places(size):
            changed = copy(inputs)
            changed[place] = change(changed[place])
            moved[:, place] = moves(read(changed) - before)
        return moved

    return who_moves


def undone(read, inputs):
    """Change in place, and put back what was there."""
    before, columns = read(inputs), []
    for place in range(len(inputs)):
        kept = inputs[place].clone()
        inputs[place] = another(kept)
        columns.append(~torch.isclose(read(inputs), before, rtol=0, atol=1e-6).all(1))
        inputs[place] = kept
    return torch.stack(columns, 1)


def by_loops(read, inputs):
    rows = []
    for output in range(len(inputs)):
        rows.append([])
        for place in range(len(inputs)):
            changed = inputs.clone()
            changed[place] = another(inputs[place])
            gap = read(changed)[output] - read(inputs)[output]
            rows[-1].append(not gap.norm().item() <= 1e-6)
    return torch.tensor(rows)


def all_at_once(read, inputs):
    return ((read(another(inputs)) - read(inputs)).abs() > 1e-6).any(-1, True).expand(len(inputs), len(inputs))


def all_copies(read, inputs):
    """Build every changed sentence first, and then read each."""
    size = len(inputs)
    copies = inputs.expand(size, *inputs.shape) + torch.eye(size)[:, :, None] * torch.randn(inputs.shape)
    stay = torch.stack([torch.isclose(read(each), read(inputs), rtol=0, atol=1e-6).all(-1) for each in copies])
    return ~stay.T


def only_shapes(read, inputs):
    return torch.full((len(inputs), len(inputs)), read(inputs).shape != read(inputs + 1).shape)


def judged(on):
    """Look at a part of the right matrix."""
    return lambda read, inputs: on(moved_outputs(read, inputs))


def layers(head, d_in, d_k, d_v, make=nn.Linear, **options):
    head.W_query, head.W_key, head.W_value = (make(d_in, size, **options) for size in (d_k, d_k, d_v))


def head_with(reads=attention, build=lambda head, *sizes: layers(head, *sizes, bias=False), start=nn.Module.__init__):
    """Compose a head from how it is made and how it reads, either of which may be wrong."""

    class OneHead(nn.Module):
        def __init__(self, d_in, d_k, d_v):
            start(self)
            build(self, d_in, d_k, d_v)

        def forward(self, inputs, mask=None):
            return reads(self.W_query(inputs), self.W_key(inputs), self.W_value(inputs), mask)

    return OneHead


def weighed(weigh=masked_softmax, score=scores):
    """Compose a reading from its steps."""

    def reads(query, key, value, mask):
        weights = weigh(score(query, key), mask)
        return weights @ value, weights

    return reads


def fused(query, key, value, mask):
    eye = torch.eye(key.shape[-2]).expand(*key.shape[:-1], key.shape[-2])
    weights = F.scaled_dot_product_attention(query, key, eye, mask)
    return F.scaled_dot_product_attention(query, key, value, mask), weights


def by_einsum(query, key, value, mask):
    raw = torch.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
    exps = raw.exp() * (1 if mask is None else mask)
    weights = exps / exps.sum(-1, keepdim=True).clamp(min=1e-9)
    return torch.einsum("...qk,...kd->...qd", weights, value), weights


def by_one_sum(query, key, value, mask):
    """Add a mask of numbers: 0 where it may attend, -inf where not."""
    raw = query.matmul(key.mT) * query.size(-1) ** -0.5
    hidden = torch.zeros_like(raw) if mask is None else torch.zeros_like(raw).masked_fill(~mask, float("-inf"))
    weights = (raw + hidden).softmax(-1).nan_to_num(0.0)
    return weights.matmul(value), weights


def asking_the_mask(query, key, value, mask):
    return attention(query, key, value, mask if mask else None)


class FromTheCourse(SelfAttention):
    def __init__(self, d_in, d_k, d_v):
        super().__init__(d_in, d_k)
        self.W_value = nn.Linear(d_in, d_v, bias=False)


class WithoutParentheses(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__  # noqa: B018
        layers(self, d_in, d_k, d_v, bias=False)


class WithPlainTensors(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.W_query, self.W_key, self.W_value = torch.rand(d_in, d_k), torch.rand(d_in, d_k), torch.rand(d_in, d_v)


class WithoutForward(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        layers(self, d_in, d_k, d_v, bias=False)


def parameter(size_in, size_out):
    return nn.Parameter(torch.rand(size_in, size_out))


def exchanged(size_in, size_out):
    return nn.Linear(size_out, size_in, bias=False)


def listed(head, d_in, d_k, d_v):
    """Hide the layers from training in a list."""
    made = [nn.Linear(d_in, size, bias=False) for size in (d_k, d_k, d_v)]
    head.__dict__.update(zip(("W_query", "W_key", "W_value"), made))


def shared(head, *sizes):
    layers(head, *sizes, bias=False)
    head.W_key = head.W_query


def with_output(head, *sizes):
    layers(head, *sizes, bias=False)
    head.W_output = nn.Linear(4, 4)


def with_mask(head, *sizes):
    layers(head, *sizes, bias=False)
    head.register_buffer("mask", causal_mask(7))


def always_causal(query, key, value, mask):
    past = causal_mask(query.shape[-2])
    return attention(query, key, value, past if mask is None else past & mask)


def like_the_page(query, key, value, mask):
    return always_causal(query * query.shape[-1] ** 0.5, key, value, None)


def hiding_the_seen(scores, mask):
    return torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)


def zeroed(weights, mask):
    return weights if mask is None else weights.masked_fill(~mask, 0.0)


def detached(query, key, value, mask):
    return attention(query.detach(), key, value, mask)


def turned(mask):
    return None if mask is None else ~mask


def with_nan(scores, mask):
    return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -torch.inf), -1)


RIGHT = {
    check_future_blind: [
        ruled(lambda back: back >= 0),
        blind_by_filling,
        lambda num_tokens: ~torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu(1),
        lambda num_tokens: torch.arange(num_tokens) <= torch.arange(num_tokens)[:, None],
        lambda num_tokens: torch.eye(num_tokens).cumsum(0) == 1,
    ],
    check_who_moves: [
        moved_outputs,
        tried(),
        tried(moves=lambda gap: gap.abs().nan_to_num(1).amax(-1) > 1e-6),
        tried(moves=lambda gap: (gap.abs() > 1e-6).any(-1) | gap.isnan().any(-1)),
        tried(moves=lambda gap: gap.square().sum(-1).le(1e-12).logical_not()),
        all_copies,
        tried(change=torch.randn_like),
        tried(places=lambda size: reversed(range(size))),
        undone,
        by_loops,
    ],
    check_one_head: [
        head_with(),
        head_with(fused),
        head_with(by_einsum),
        head_with(by_one_sum),
        head_with(weighed(lambda scores, mask: with_nan(scores, mask).nan_to_num(0))),
        FromTheCourse,
    ],
}
WRONG = {
    check_future_blind: [
        (ruled(lambda back: back <= 0), "rows and columns are exchanged"),
        (ruled(lambda back: back < 0), "the mask is turned round: each token reads only what comes after it"),
        (ruled(lambda back: back > 0), "the diagonal is off by one: a token cannot see itself"),
        (ruled(lambda back: back >= -1), "the diagonal is off by one: each token sees its successor"),
        (ruled(lambda back: True), "every token reads all tokens: the causal mask is missing"),
        (ruled(lambda back: 0 <= back < 3), "future_blind(5) is False at (3, 0), but True was expected"),
        (ruled(lambda back: int(back >= 0)), "future_blind(5) has dtype torch.int64; a mask is boolean"),
        (ruled(lambda back: 0.0 if back >= 0 else -torch.inf), "future_blind(5) has dtype torch.float32; a mask is"),
        (three_by_hand, "future_blind(5) gives shape (3, 3), but (5, 5) was expected"),
        (lambda num_tokens: blind_by_filling(5), "future_blind(1) gives shape (5, 5), but (1, 1) was expected"),
        (lambda num_tokens: blind_by_filling(num_tokens).tolist(), "future_blind(5) gives a list, but a tensor"),
        (lambda num_tokens: None, "future_blind(5) gives None; did you forget `return`?"),
    ],
    check_who_moves: [
        (judged(torch.t), "rows and columns are exchanged: entry (i, j)"),
        (judged(torch.logical_not), "True and False are exchanged"),
        (tried(copy=lambda inputs: inputs), "an input is changed in place"),
        (lambda read, inputs: tried(copy=lambda kept: kept)(read, inputs.clone()), "each change stays when the next"),
        (all_at_once, "all inputs change at once"),
        (tried(moves=lambda gap: gap.sum().abs() > 1e-6), "one verdict on all outputs together"),
        (tried(moves=lambda gap: (gap.abs() > 1e-6).any()), "one verdict on all outputs together"),
        (judged(lambda moved: moved & torch.eye(5).bool()), "only the output of the changed token"),
        (tried(places=lambda size: [0]), "only the first input is changed"),
        (tried(places=lambda size: [size - 1]), "only the last input is changed"),
        (judged(torch.tril), "what stands before the changed token is not looked at"),
        (judged(torch.triu), "what stands behind the changed token is not looked at"),
        (only_shapes, "nothing ever moves: compare the numbers"),
        (tried(change=lambda token: token + 1e-8), "nothing ever moves: compare the numbers"),
        (tried(change=lambda token: token * 2), "a row of zeros stays as it is"),
        (tried(change=torch.zeros_like), "a row of zeros stays as it is"),
        (tried(moves=lambda gap: gap.sum(-1).abs() > 1e-6), "differences of opposite sign cancel in a sum"),
        (tried(moves=lambda gap: gap[:, 0].abs() > 1e-6), "one moving feature among many is lost"),
        (tried(moves=lambda gap: gap.abs().mean(-1) > 1e-6), "one moving feature among many is lost"),
        (tried(moves=lambda gap: (gap.abs() > 1e-6).any(-1)), "nan > 1e-6 is False"),
        (tried(moves=lambda gap: gap.abs().amax(-1) > 1e-6), "nan > 1e-6 is False"),
        (tried(moves=lambda gap: (gap > 1e-6).any(-1)), "only what grows counts as moved"),
        (tried(moves=lambda gap: (gap < -1e-6).any(-1)), "only what shrinks counts as moved"),
        (tried(change=lambda token: token + 1), "each feature grows by the same number"),
        (tried(moves=lambda gap: (gap != 0).any(-1)), "a change in the last digit counts as moved"),
        (tried(moves=lambda gap: (gap.abs() > 1e-2).any(-1)), "small moves are missed"),
        (tried(moves=lambda gap: (gap.abs() > 1e-6).any(0)), "your function stopped with RuntimeError"),
        (judged(torch.Tensor.float), "who_moves has dtype torch.float32; return a boolean tensor"),
        (judged(lambda moved: moved.triu(1).any().item()), "who_moves gives a bool, but a tensor was expected"),
        (judged(lambda moved: moved[0]), "who_moves gives shape (5,), but (5, 5) was expected"),
        (lambda *given: None, "who_moves gives None; did you forget `return`?"),
    ],
    check_one_head: [
        (WithoutParentheses, "nothing can be registered yet: call super().__init__() first"),
        (WithPlainTensors, "W_query is a plain tensor, which training would not find"),
        (head_with(build=lambda head, *sizes: layers(head, *sizes)), "W_query has a bias; write bias=False"),
        (head_with(build=lambda head, *sizes: None), "there is no W_query: give self.W_query a layer"),
        (
            head_with(build=lambda head, *sizes: layers(head, *sizes, make=parameter)),
            "W_query is a Parameter; make it an nn.Linear",
        ),
        (
            head_with(build=lambda head, d_in, d_k, d_v: layers(head, d_in, d_k, d_k, bias=False)),
            "W_value goes from 6 to 4 features, but (6, 5) was expected",
        ),
        (
            head_with(
                build=lambda head, *sizes: layers(
                    head, *sizes, make=lambda i, o, bias: nn.Linear(o, i, bias), bias=False
                )
            ),
            "W_query has its sizes exchanged: nn.Linear(in, out)",
        ),
        (head_with(build=listed), "parameters() finds only nothing: assign each layer to self"),
        (head_with(build=shared), "query and key share one layer"),
        (head_with(build=with_output), "parameters() finds W_output.bias, W_output.weight, too"),
        (head_with(build=with_mask), "state_dict() holds mask, too"),
        (WithoutForward, "your class stopped with NotImplementedError: Module [WithoutForward] is missing"),
        (head_with(lambda *given: None), "without a mask, the head gives None; did you forget `return`?"),
        (head_with(lambda *given: attention(*given)[0]), "without a mask, the head returns two things: (context"),
        (head_with(lambda *given: attention(*given)[::-1]), "the context and the weights are exchanged"),
        (head_with(weighed(score=lambda query, key: scores(query, key, "dot"))), "the scale is missing"),
        (head_with(lambda q, k, v, m: attention(q * (4 / 6) ** 0.5, k, v, m)), "divided by the root of d_model"),
        (head_with(lambda q, k, v, m: attention(k, q, v, m)), "query and key are exchanged"),
        (head_with(weighed(over(-2))), "the columns sum to 1"),
        (head_with(weighed(lambda scores, mask: scores)), "these are the scores"),
        (head_with(always_causal), "the future is hidden without being asked"),
        (head_with(weighed(score=lambda q, k: q @ k.T / 24**0.5)), "divided by √24, the notebook's size"),
        (head_with(asking_the_mask), "`if mask:` asks a whole tensor"),
        (head_with(weighed(score=lambda q, k: q @ k.T / 2)), "a batch stops it, one sentence does not"),
        (head_with(weighed(over(1))), "softmax runs over axis 1"),
        (head_with(lambda q, k, v, m: attention(q, k, v)), "the mask has no effect"),
        (head_with(lambda q, k, v, m: attention(q, k, v, turned(m))), "the mask is turned round"),
        (head_with(weighed(hiding_the_seen)), "the mask is turned round"),
        (head_with(weighed(lambda *given: zeroed(hiding_the_seen(*given), given[1]))), "the mask is turned round"),
        (
            head_with(like_the_page),
            "the scale is missing, and the future is hidden",
        ),
        (head_with(weighed(after_softmax)), "the mask comes after softmax"),
        (head_with(weighed(filled(0.0))), "masked scores are 0, and exp(0) is 1"),
        (head_with(weighed(filled(-1e9))), "a query that may attend to nothing gets equal weights"),
        (head_with(weighed(with_nan)), "a query that may see nothing gets nan"),
        (head_with(detached), "training cannot reach W_query.weight"),
    ],
}
