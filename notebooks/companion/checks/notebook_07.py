"""Checks of the exercises in notebook 07 (the self-attention module)."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_mask, expect_parts, expect_tensor
from utils.attention import attention, causal_mask, masked_softmax, padding_mask, scores

ROUNDING = 1e-6  # an output has moved unless all its numbers stay within it, which nan does not


def moved_outputs(read, inputs):
    """Return which outputs of read(inputs) move with which input, (outputs, inputs): the course's own `who_moves`."""
    before, columns = read(inputs), []
    for place in range(len(inputs)):
        changed = inputs.clone()
        changed[place] += torch.linspace(1, 2, inputs.shape[-1])  # each feature by another number
        columns.append(~((read(changed) - before).abs() <= ROUNDING).all(dim=-1))
    return torch.stack(columns, dim=-1)


@exercise
def check_future_blind(future_blind):
    """each token sees itself and what stands before it."""
    expect_mask(future_blind(5), causal_mask(5), "future_blind(5)", known.given_by(known.CAUSAL, 5))
    for size in (1, 3):
        expect_mask(future_blind(size), causal_mask(size), f"future_blind({size})")


@exercise
def check_who_moves(who_moves):
    """every input was changed, every output was looked at, and nothing stayed changed."""
    inputs, some, others = torch.randn(5, 4), torch.randn(4, 1), torch.randn(4, 1)
    matrix = torch.cat([some, -some, others], dim=1) / 2  # whatever moves, moves up in one feature, down in another
    reads = torch.zeros(5, 5)  # who reads whom: (outputs, inputs)
    reads[[0, 1, 2, 2, 4, 4, 4], [0, 2, 1, 2, 0, 2, 4]] = 1
    right, nothing = reads == 1, torch.zeros(5, 5, dtype=torch.bool)

    def mixed(inputs):
        return reads @ (inputs @ matrix)

    def distance(changed):
        return reads @ (changed - inputs).square().sum(dim=-1, keepdim=True)

    _expect_moves(who_moves(mixed, inputs), right, "who_moves", _misread(right))
    zeros = "a row of zeros stays as it is when it is multiplied, or set to 0: add to it"
    given = who_moves(mixed, inputs.index_fill(0, torch.tensor([2]), 0.0))
    _expect_moves(given, right, "who_moves, with a row of zeros,", {zeros: right & (torch.arange(5) != 2)})
    sign = "counts as moved: take .abs() of the difference"
    hidden = {  # what moves: (read, why a test may see nothing of it)
        "outputs that only shrink": (lambda changed: -distance(changed), f"only what grows {sign}"),
        "outputs that only grow": (distance, f"only what shrinks {sign}"),
        "features that move in opposite directions": (
            lambda inputs: mixed(inputs)[:, :1] * torch.tensor([1.0, -1.0]),
            "differences of opposite sign cancel in a sum or a mean: look at each number by itself",
        ),
        "outputs of a thousandth": (lambda inputs: mixed(inputs) / 1000, "small moves are missed: compare with 1e-6"),
        "outputs of which the last of many features moves": (
            lambda inputs: F.pad(mixed(inputs)[:, -1:] / 30, (299_999, 0)),
            "one moving feature among many is lost, in a mean or unseen: look at each number by itself",
        ),
        "outputs that become nan": (
            lambda changed: (-distance(changed)).sqrt(),
            "nan > 1e-6 is False: ask which outputs stay, (... <= 1e-6).all(dim=-1), and turn that round with ~",
        ),
        "inputs less the mean of their features": (
            lambda inputs: mixed(inputs - inputs.mean(dim=-1, keepdim=True)),
            "each feature grows by the same number, which is lost where a token's mean is taken away",
        ),
    }
    for about, (read, cause) in hidden.items():
        _expect_moves(who_moves(read, inputs), right, f"who_moves, for {about},", {cause: nothing})
    mistakes = {"a change in the last digit counts as moved; it is rounding, so ask for more than 1e-6": ~nothing}
    given = who_moves(lambda inputs: mixed(inputs).tanh() / 50 + 2e-7 * inputs.sum().sin(), inputs)
    _expect_moves(given, right, "who_moves, with rounding errors,", mistakes)
    given = who_moves(lambda inputs: attention(inputs, inputs, inputs @ matrix, causal_mask(5))[0], inputs)
    _expect_moves(given, causal_mask(5), "who_moves, for a causal head,")


def _expect_moves(given, wanted, doing, mistakes=None):
    kind = getattr(given, "dtype", torch.bool)
    expect(kind == torch.bool, f"{doing} has dtype {kind}; return a boolean tensor: True where an output moves")
    expect_mask(given, wanted, doing, mistakes)


def _misread(right):
    """Return {likely cause: the matrix that it gives}, for a `right` that is neither symmetric nor causal."""
    return {
        "rows and columns are exchanged: entry (i, j) says if output i moves with input j": right.T,
        "True and False are exchanged: True means that the output moves": ~right,
        "each change stays when the next comes: change a fresh inputs.clone() each time": right.cumsum(1) > 0,
        "all inputs change at once: change one at a time, each in its own copy": right.any(1, True).expand(5, 5),
        "one verdict on all outputs together: look at each row of outputs": right.any(0).expand(5, 5),
        "only the output of the changed token is looked at: others may move, too": right & torch.eye(5).bool(),
        "only the first input is changed: change each in turn": right & (torch.arange(5) == 0),
        "only the last input is changed: change each in turn": right & (torch.arange(5) == 4),
        "what stands before the changed token is not looked at: that is where a leak shows": right.tril(),
        "what stands behind the changed token is not looked at": right.triu(),
        "nothing ever moves: compare the numbers before and after, and change by about 1": right & False,
    }


@exercise
def check_one_head(OneHead):
    """training finds three matrices, any batch fits, and any mask is kept to."""
    head = _made(OneHead)
    _expect_layers(head, {"W_query": (6, 4), "W_key": (6, 4), "W_value": (6, 5)})
    with torch.no_grad():
        for layer in (head.W_query, head.W_key, head.W_value):
            layer.weight.copy_(torch.randn(layer.weight.shape) / 2)
    one, batch = torch.randn(7, 6), torch.randn(3, 7, 6)
    _expect_reading(head, one, None, "without a mask, the head")
    _expect_reading(head, batch, None, "for a batch, the head")
    _expect_reading(head, one, causal_mask(7), "with a causal mask, the head")
    _expect_reading(head, batch, padding_mask([7, 0, 3], 7), "with padding, one sentence nothing else, the head")
    head(one)[0].square().sum().backward()
    for name, weight in head.named_parameters():
        expect(weight.grad is not None, f"training cannot reach {name}: .data, .detach() or no_grad() cuts it off")


def _made(OneHead):
    try:
        head = OneHead(6, 4, 5)
    except AttributeError as error:
        early = "nothing can be registered yet: call super().__init__() first, with its parentheses"
        expect("Module.__init__" not in str(error), early)
        raise
    expect(head is not None, "OneHead(6, 4, 5) gives None; did you forget `return`?")
    wrong = f"OneHead(6, 4, 5) gives a {type(head).__name__}, but a module, an nn.Module, was expected"
    expect(isinstance(head, nn.Module), wrong)
    return head


def _expect_layers(head, wanted):
    for name, sizes in wanted.items():
        layer = getattr(head, name, None)
        expect(layer is not None, f"there is no {name}: give self.{name} a layer")
        plain = isinstance(layer, torch.Tensor) and not isinstance(layer, nn.Parameter)
        expect(not plain, f"{name} is a plain tensor, which training would not find: make it an nn.Linear")
        expect(isinstance(layer, nn.Linear), f"{name} is a {type(layer).__name__}; make it an nn.Linear")
        expect(layer.bias is None, f"{name} has a bias; write bias=False")
        given = layer.in_features, layer.out_features
        expect(given != sizes[::-1], f"{name} has its sizes exchanged: nn.Linear(in, out)")
        expect(given == sizes, f"{name} goes from {given[0]} to {given[1]} features, but {sizes} was expected")
    expect(head.W_query is not head.W_key, "query and key share one layer; each needs its own")
    owned = {"parameters() finds": dict(head.named_parameters()), "state_dict() holds": head.state_dict()}
    for what, names in owned.items():
        others = sorted(set(names) - {f"{name}.weight" for name in wanted})
        expect(not others, f"{what} {', '.join(others)}, too; the head owns three matrices and nothing else")
        expect(len(names) == 3, f"{what} only {', '.join(names) or 'nothing'}: assign each layer to self")


def _expect_reading(head, inputs, mask, doing):
    """Compare context and weights with PyTorch's function and the course's, on the same three matrices."""
    try:
        given = head(inputs) if mask is None else head(inputs, mask)
    except RuntimeError as error:
        asked = "Boolean value of Tensor" in str(error)
        expect(not asked, "`if mask:` asks a whole tensor whether it is True: write `if mask is not None:`")
        expect(inputs.ndim == 2 or mask is not None, f"a batch stops it, one sentence does not; a .T? ({error})")
        raise
    context, weights = expect_parts(given, ["context", "weights"], doing)
    with torch.no_grad():
        query, key, value = (inputs @ layer.weight.mT for layer in (head.W_query, head.W_key, head.W_value))
        wrong = _misweighed(query, key, value, mask)
        right = masked_softmax(scores(query, key), mask)
        wanted = F.scaled_dot_product_attention(query, key, value, mask)
    exchanged = {"the context and the weights are exchanged: (context, weights)": right}
    contexts = {message: each @ value for message, each in wrong.items()}
    expect_tensor(context, wanted, f"{doing}'s context", {**exchanged, **contexts})
    expect_tensor(weights, right, f"{doing}'s weights", wrong)


def _misweighed(query, key, value, mask):
    raw = scores(query, key)
    found = {message: attention(*reading, mask)[1] for message, reading in known.readings(query, key, value, 6).items()}
    fixed = "divided by √24, the notebook's size, whatever the size of the query is: take query.shape[-1]"
    found[fixed] = attention(query * (query.shape[-1] / 24) ** 0.5, key, value, mask)[1]
    found |= {known.COLUMNS: known.over(-2)(raw, mask), known.NO_SOFTMAX: raw}
    if raw.ndim == 3:
        found = {known.LAST_AXIS: known.over(1)(raw, mask), **found}
    if mask is None:
        hidden = "the future is hidden without being asked: only the mask that is handed over may hide it"
        causal, dots = causal_mask(raw.shape[-1]), scores(query, key, "dot")
        both = f"the scale is missing, and {hidden}"
        return found | {hidden: masked_softmax(raw, causal), both: masked_softmax(dots, causal)}
    seen = torch.softmax(raw.masked_fill(mask, -torch.inf), -1)
    nan = "a query that may see nothing gets nan: give it zeros, as the course's attention does"
    return {
        known.IGNORED: masked_softmax(raw),
        known.INVERTED: masked_softmax(raw, ~mask),
        f"{known.INVERTED}; masked_fill takes what to hide, ~mask": seen,
        f"{known.INVERTED}, so masked_fill takes ~mask": seen.masked_fill(~mask, 0.0),
        nan: torch.softmax(raw.masked_fill(~mask, -torch.inf), -1),  # right where each query may see something
        **known.given_by(known.MASKED, raw, mask),
    } | found
