"""Checks of the exercises in notebook 07 (the self-attention module)."""

import torch
from torch import nn

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_like
from utils import attention as course

ROUNDING = 1e-6  # an output has moved unless all its numbers stay within it, which nan does not


def _head(reads):
    """Make a head that goes wrong in how it reads: reads(head, inputs, query, key, value, mask)."""

    class OneHead(course.SelfAttention):
        def forward(self, inputs, mask=None):
            return reads(inputs, self.W_query(inputs), self.W_key(inputs), self.W_value(inputs), mask)

    return OneHead


def _causal(mask, query):
    past = course.causal_mask(query.shape[-2])
    return past if mask is None else past & mask


@exercise(
    mistakes={
        "context and weights are exchanged: return context, weights": _head(
            lambda inputs, query, key, value, mask: course.attention(query, key, value, mask)[::-1]
        ),
        "query and key are exchanged: my_attention(query, key, value, mask)": _head(
            lambda inputs, query, key, value, mask: course.attention(key, query, value, mask)
        ),
        "key and value are exchanged: my_attention(query, key, value, mask)": _head(
            lambda inputs, query, key, value, mask: course.attention(query, value, key, mask)
        ),
        "query and key are made by the same layer: each has its own": _head(
            lambda inputs, query, key, value, mask: course.attention(query, query, value, mask)
        ),
        "the inputs stand where their queries, keys and values should: use the three layers": _head(
            lambda inputs, query, key, value, mask: course.attention(inputs, inputs, inputs, mask)
        ),
        f"{known.IGNORED}: hand it on, my_attention(query, key, value, mask)": _head(
            lambda inputs, query, key, value, mask: course.attention(query, key, value)
        ),
        "the mask is turned round: hand it on as it is, True = may attend": _head(
            lambda inputs, query, key, value, mask: course.attention(query, key, value, mask if mask is None else ~mask)
        ),
        "the future is hidden without being asked: only the mask that is handed over hides anything": _head(
            lambda inputs, query, key, value, mask: course.attention(query, key, value, _causal(mask, query))
        ),
    }
)
def check_one_head(OneHead):
    """training finds three matrices, any batch fits, and any mask is kept to."""
    head, right = _made(OneHead), course.SelfAttention(6, 4)
    _expect_layers(head)
    right.load_state_dict(head.state_dict())
    wrong = {message: _with(right, kind) for message, kind in check_one_head.mistakes.items()}
    one, batch = torch.randn(7, 6), torch.randn(3, 7, 6)
    cases = {
        "the head without a mask": (one,),
        "the head with a batch": (batch,),
        "the head with a causal mask": (one, course.causal_mask(7)),
        "the head with padding": (batch, course.padding_mask([7, 2, 3], 7)),
    }
    for doing, inputs in cases.items():
        expect_like(head, right, inputs, doing, wrong, parts=("context", "weights"))
    head(one)[0].square().sum().backward()
    for name, weight in head.named_parameters():
        expect(weight.grad is not None, f"training cannot reach {name}: .data, .detach() or no_grad() cuts it off")


def _made(OneHead):
    try:
        head = OneHead(6, 4)
    except AttributeError as error:
        early = "nothing can be registered yet: call super().__init__() first, with its parentheses"
        expect("Module.__init__" not in str(error), early)
        raise
    expect(head is not None, "OneHead(6, 4) gives None; did you forget `return`?")
    expect(isinstance(head, nn.Module), f"OneHead(6, 4) gives a {type(head).__name__}, but an nn.Module was expected")
    return head


def _expect_layers(head):
    names = ["W_query", "W_key", "W_value"]
    for name in names:
        layer = getattr(head, name, None)
        expect(layer is not None, f"there is no {name}: give self.{name} a layer")
        linear = f"{name} is a {type(layer).__name__}, which is not what training needs here: make it an nn.Linear"
        expect(isinstance(layer, nn.Linear), linear)
        expect(layer.bias is None, f"{name} has a bias; write bias=False")
        given = layer.in_features, layer.out_features
        expect(given == (6, 4), f"OneHead(6, 4).{name} goes from {given[0]} to {given[1]} features; nn.Linear(in, out)")
    expect(len({id(getattr(head, name)) for name in names}) == 3, "two of the three share one layer; each has its own")
    others = sorted(set(head.state_dict()) ^ {f"{name}.weight" for name in names})
    expect(not others, f"the head owns three matrices and nothing else; look at {', '.join(others)}")


def _with(right, kind):
    """Return a wrong head that holds the same matrices."""
    head = kind(6, 4)
    head.load_state_dict(right.state_dict())
    return head


@exercise(mistakes=known.CAUSAL)
def check_causal_mask(causal_mask):
    """each token sees itself and what stands before it, and nothing after it."""
    for size, mistakes in ((5, known.CAUSAL), (1, {}), (3, {})):
        expect_like(causal_mask, course.causal_mask, (size,), f"causal_mask({size})", mistakes)


def _places(compare):
    """Make a padding mask that goes wrong in how it compares the places with the lengths, a column."""
    return lambda lengths, num_tokens: compare(torch.arange(num_tokens), torch.tensor(lengths)[:, None])[:, None]


@exercise(
    mistakes={
        "True and False are exchanged: True = may attend, for the real tokens": _places(lambda all, ends: all >= ends),
        "off by one: positions are numbered from 0, so a real one is below the length": _places(
            lambda all, ends: all <= ends
        ),
        "the padding stands behind the real tokens, not before them": _places(lambda all, ends: all.flip(0) < ends),
        "the axis of size 1 is missing: (batch, 1, num_tokens), one row for all queries": (
            lambda lengths, num_tokens: course.padding_mask(lengths, num_tokens)[:, 0]
        ),
        "the axis of size 1 stands last, so queries are hidden; keys are to be hidden: (batch, 1, num_tokens)": (
            lambda lengths, num_tokens: course.padding_mask(lengths, num_tokens).mT
        ),
        "the axis of size 1 stands first, where the batch should: (batch, 1, num_tokens)": (
            lambda lengths, num_tokens: course.padding_mask(lengths, num_tokens).transpose(0, 1)
        ),
        "a row for each query is not needed: with an axis of size 1, (batch, 1, num_tokens), one row serves them all": (
            lambda lengths, num_tokens: course.padding_mask(lengths, num_tokens).repeat(1, num_tokens, 1)
        ),
        "the longest sentence decides the width here; it is num_tokens, which may be more": (
            lambda lengths, num_tokens: course.padding_mask(lengths, max(lengths))
        ),
    }
)
def check_padding_mask(padding_mask):
    """real tokens may be seen, padding may not, in a batch of any size."""
    for lengths, num_tokens in (([2, 5, 3], 6), ([4, 4], 4), ([1], 3)):
        doing = f"padding_mask({lengths}, {num_tokens})"
        expect_like(padding_mask, course.padding_mask, (lengths, num_tokens), doing, check_padding_mask.mistakes)


def moved_outputs(read, inputs):
    """Return which outputs of read(inputs) move with which input, (outputs, inputs): the course's own `who_moves`."""
    return _tried(change=lambda token: token + torch.linspace(1, 2, token.shape[-1]))(read, inputs)


def _stay(gap):
    return ~(gap.abs() <= ROUNDING).all(dim=-1)


def _tried(change=lambda token: token + torch.randn(token.shape), moves=_stay, copy=torch.clone, places=range):
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


def _judged(on):
    """Make a wrong answer from the right matrix."""
    return lambda read, inputs: on(moved_outputs(read, inputs))


def _all_at_once(read, inputs):
    return _stay(read(inputs + torch.randn(inputs.shape)) - read(inputs))[:, None].expand(len(inputs), len(inputs))


@exercise(
    mistakes={  # what shows in the fewest cases comes first
        "nan > 1e-6 is False: ask which outputs stay, (... <= 1e-6).all(dim=-1), and turn that round with ~": (
            _tried(moves=lambda gap: (gap.abs() > ROUNDING).any(-1))
        ),
        "each feature grows by the same number, which is lost where a token's mean is taken away: add torch.randn": (
            _tried(change=lambda token: token + 1)
        ),
        "a change in the last digit counts as moved; it is rounding, so ask for more than 1e-6": (
            _tried(moves=lambda gap: (gap != 0).any(-1))
        ),
        "small moves are missed: compare with 1e-6": _tried(moves=lambda gap: (gap.abs() > 1e-2).any(-1)),
        "one moving feature among many is lost, in a mean or unseen: look at each number by itself": (
            _tried(moves=lambda gap: gap.abs().mean(-1) > ROUNDING)
        ),
        "differences of opposite sign cancel in a sum or a mean: look at each number by itself": (
            _tried(moves=lambda gap: gap.sum(-1).abs() > ROUNDING)
        ),
        "only what grows counts as moved: take .abs() of the difference": (
            _tried(moves=lambda gap: (gap > ROUNDING).any(-1))
        ),
        "a row of zeros stays as it is when it is multiplied, or set to 0: add to it": (
            _tried(change=lambda token: token * 2)
        ),
        "each change stays when the next comes: change a fresh inputs.clone() each time": (
            lambda read, inputs: _tried(copy=lambda kept: kept)(read, inputs.clone())
        ),
        "rows and columns are exchanged: entry (i, j) says if output i moves with input j": _judged(torch.t),
        "True and False are exchanged: True means that the output moves": _judged(torch.logical_not),
        "all inputs change at once: change one at a time, each in its own copy": _all_at_once,
        "one verdict on all outputs together: look at each row of outputs": (
            _tried(moves=lambda gap: (gap.abs() > ROUNDING).any())
        ),
        "only the output of the changed token is looked at: others may move, too": (
            _judged(lambda moved: moved & torch.eye(len(moved)).bool())
        ),
        "only the first input is changed: change each in turn": _tried(places=lambda size: [0]),
        "only the last input is changed: change each in turn": _tried(places=lambda size: [size - 1]),
        "what stands before the changed token is not looked at: that is where a leak shows": _judged(torch.tril),
        "what stands behind the changed token is not looked at": _judged(torch.triu),
        "nothing ever moves: compare the numbers before and after, and change by about 1": (
            _tried(change=lambda token: token + 1e-8)
        ),
    }
)
def check_who_moves(who_moves):
    """every input was changed, every output was looked at, and nothing stayed changed."""
    inputs, some, others = torch.randn(5, 4), torch.randn(4, 1), torch.randn(4, 1)
    matrix = torch.cat([some, -some, others], dim=1) / 2  # whatever moves, moves up in one feature, down in another
    reads = torch.zeros(5, 5)  # who reads whom, neither symmetric nor causal: (outputs, inputs)
    reads[[0, 1, 2, 2, 4, 4, 4], [0, 2, 1, 2, 0, 2, 4]] = 1

    def mixed(inputs):
        return reads @ (inputs @ matrix)

    def shrinking(changed):
        return -(reads @ (changed - inputs).square().sum(dim=-1, keepdim=True))

    zeroed = inputs.index_fill(0, torch.tensor([2]), 0.0)
    cases = {
        "": (mixed, inputs),
        ", with a row of zeros": (mixed, zeroed),
        ", for outputs that only shrink": (shrinking, inputs),
        ", for features that move in opposite directions": (
            lambda x: mixed(x)[:, :1] * torch.tensor([1.0, -1]),
            inputs,
        ),
        ", for outputs of a thousandth": (lambda x: mixed(x) / 1000, inputs),
        ", for outputs of which the last of many features moves": (
            lambda x: nn.functional.pad(mixed(x)[:, -1:] / 30, (299_999, 0)),
            inputs,
        ),
        ", for outputs that become nan": (lambda x: shrinking(x).sqrt(), inputs),
        ", for inputs less the mean of their features": (lambda x: mixed(x - x.mean(dim=-1, keepdim=True)), inputs),
        ", with rounding errors": (lambda x: mixed(x).tanh() / 50 + 2e-7 * x.sum().sin(), inputs),
        ", for a causal head": (lambda x: course.attention(x, x, x @ matrix, course.causal_mask(5))[0], inputs),
    }
    for about, given in cases.items():
        doing = f"who_moves{about}{',' * bool(about)}"
        expect_like(who_moves, moved_outputs, given, doing, check_who_moves.mistakes)
