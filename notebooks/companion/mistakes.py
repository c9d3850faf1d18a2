"""Known ways to get attention wrong, step by step, and the words that tell a reader.

A check compares an answer with what a mistake gives on the same inputs; the tests and the assignment a4_bug_hunt
build whole attentions with a wrong step. Axes and masks are those of `utils.attention`.
"""

import math

import torch

from utils.attention import causal_mask, masked_softmax, merge_heads, split_heads
from utils.attention import scores as scores_of

ALL_AXES = ".T turns all axes of a batch round; .transpose(-2, -1) only the last two"
BY_KEYS = "divided by the root of the number of keys; take d_k"
COLUMNS = "the columns sum to 1, over the queries, not the rows over the keys: softmax, or its sum, runs along dim=-1"
EVEN = "a query that may attend to nothing gets equal weights (from finite scores?); give it zeros, as PyTorch does"
EXCHANGED = "query and key are exchanged: row i belongs to query i, so write query @ key.transpose(-2, -1)"
IGNORED = "the mask has no effect"
INVERTED = "the mask is turned round: True means 'may attend'"
KEY_AND_VALUE = "key and value are exchanged: scores come from the keys, the context from the values"
LAST_VALUE = "the last value is left out of the sum; its weight counts, too"
LAST_AXIS = "softmax runs over axis 1, the queries of a batch: use axis -1, the keys of a matrix and of a batch"
NO_SOFTMAX = "these are the scores; the weights come after softmax"
OVERFLOW = "large scores give nan: exp overflows, or every exp is 0; subtract each row's own largest score first"
SECOND_AXIS = "d_k is the last axis, query.shape[-1]; shape[1] is another one in a batch"


def given_by(mistakes, *inputs):
    """Return {message: what each mistake of a table gives on these inputs}."""
    return {message: wrong(*inputs) for message, wrong in mistakes.items()}


def table_of(answers, *example):
    """Return {message: function} of one function, where answers(*inputs) is {message: what a mistake gives on them}."""
    return {message: lambda *inputs, message=message: answers(*inputs)[message] for message in answers(*example)}


def attention_of(score=scores_of, weigh=masked_softmax, split=split_heads, split_value=split_heads, join=merge_heads):
    """Return a multi-head attention without projections, made of these steps.

    It takes query (batch, queries, d_model), key (batch, keys, d_model), value (batch, keys, d_value), num_heads and a
    mask that broadcasts to (batch, heads, queries, keys), and returns context and weights.
    """

    def attention(query, key, value, num_heads, mask=None):
        measured = score(split(query, num_heads), split(key, num_heads))
        weights = weigh(measured, mask if mask is None else mask.expand_as(measured))
        return join(weights @ split_value(value, num_heads)), weights

    return attention


# score(query, key)


def scaled(power):
    """Multiply q·k by the head size to this power: right is -1/2."""
    return lambda query, key: scores_of(query, key, "dot") * query.shape[-1] ** power


def all_axes_turned(query, key):
    """Write key.T, which turns round the batch, too."""
    return query @ key.permute(*reversed(range(key.ndim))) / query.shape[-1] ** 0.5


def by_second_axis(query, key):
    return query @ key.mT / query.shape[1] ** 0.5  # d_k of a matrix, another size of a batch


POWERS = {
    "the scale is missing: divide by the square root of {}": 0,
    "multiplied by the root of {} where it should be divided": 1 / 2,
    "divided by {} itself; take its square root": -1,
}
SCALED = {words.format("d_k (query.shape[-1])"): scaled(power) for words, power in POWERS.items()}
SCORED = {
    EXCHANGED: lambda query, key: scores_of(key, query),
    **SCALED,
    BY_KEYS: lambda query, key: query @ key.mT / key.shape[-2] ** 0.5,
    ALL_AXES: all_axes_turned,
}
BASES = {f"softmax has the base {base}, not e": math.log(base) for base in (2, 10)}  # what the scores grow by


def wrong_scales(size, other_sizes, name="the size of query and key"):
    """Return {message: what q·k is multiplied by}. size: of query and key; other_sizes: {name: taken for it}."""
    return {
        **{words.format(name): size**power for words, power in POWERS.items()},
        **{f"divided by the root of {other}; take {name}": number**-0.5 for other, number in other_sizes.items()},
    }


def misread_inputs(query, key, value, d_model=None):
    """Return {message: (query, key, value) from which right attention makes this mistake}."""
    size, other_sizes = query.shape[-1], {"the number of keys": key.shape[-2], "the values' size": value.shape[-1]}
    other_sizes["the number of queries"] = query.shape[-2]
    if d_model:
        other_sizes["d_model, the inputs' size"] = d_model
    factors = wrong_scales(size, other_sizes) | {message: factor / size**0.5 for message, factor in BASES.items()}
    wrong_inputs = {message: (query * (factor * size**0.5), key, value) for message, factor in factors.items()}
    if query.shape == key.shape:
        wrong_inputs[EXCHANGED] = key, query, value
    if key.shape == value.shape:
        wrong_inputs[KEY_AND_VALUE] = query, value, key
    return wrong_inputs


# weigh(scores, mask)


def softmax_over(axis):
    """Let softmax run along another axis."""

    def weigh(scores, mask=None):
        allowed = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
        return torch.softmax(allowed, axis).nan_to_num(0.0)

    return weigh


def softmax_over_all(scores, mask=None):
    """Let one softmax run over the whole map of a head."""
    return masked_softmax(scores.flatten(-2), None if mask is None else mask.flatten(-2)).view_as(scores)


def exp_minus(largest, least=0.0):
    """Subtract what `largest` finds in the scores, in place of each row's own largest one.

    least: the sum that divides is made no smaller; 0.0 leaves nan where every exp is 0.
    """

    def weigh(scores, mask=None):
        exps = (scores - largest(scores)).exp() * (1 if mask is None else mask)
        weights = exps / exps.sum(dim=-1, keepdim=True).clamp(min=least)
        return weights if mask is None else weights.masked_fill(~mask, 0.0)

    return weigh


def filled_with(number):
    """Give what the mask forbids this score, where -inf is right, except that it makes nan of rows that see nothing."""
    return lambda scores, mask=None: torch.softmax(scores if mask is None else scores.masked_fill(~mask, number), -1)


def then_hidden(weigh):
    """Take the weight of forbidden keys away, when it is in the sum that divides already."""
    return lambda scores, mask=None: weigh(scores, mask) * (1 if mask is None else mask)


after_softmax = then_hidden(lambda scores, mask: masked_softmax(scores))


def but_the_last(scores):
    """Return a mask (queries, keys) that hides the last key."""
    return torch.ones(scores.shape[-2:], dtype=torch.bool).index_fill(-1, torch.tensor(scores.shape[-1] - 1), False)


def but_the_later(scores):
    """Return a mask (queries, keys) that hides what comes after a query."""
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril()


def seeing_only(visible):
    """Hide keys that nobody asked to hide. visible: makes a mask of the scores."""
    return lambda scores, mask=None: masked_softmax(scores, visible(scores) if mask is None else visible(scores) & mask)


def mask_ignored(scores, mask=None):
    return masked_softmax(scores)


nan_in_empty_rows = filled_with(-torch.inf)


def mask_inverted(scores, mask=None):
    return masked_softmax(scores, mask if mask is None else ~mask)


def mask_added(scores, mask=None):
    """Add a boolean mask as if it were one of 0 and -inf."""
    return masked_softmax(scores if mask is None else scores + mask)


WRONG_MASKINGS = {
    EVEN: filled_with(-1e9),
    "the mask comes after softmax, so the rows no longer sum to 1: set the scores to -inf before": after_softmax,
    "masked scores are 0, and exp(0) is 1: use -inf": filled_with(0.0),
    "masked scores are 0, and exp(0) is 1, in the sum that divides, too: use -inf": then_hidden(filled_with(0.0)),
    "the mask is added as 0 and 1; set the scores to -inf where it is False": mask_added,
    "masked scores are -10, and exp(-10) is not 0: use -inf": filled_with(-10.0),
    "masked scores are -10, and exp(-10) is not 0 in the sum that divides: use -inf": then_hidden(filled_with(-10.0)),
}
NOT_SOFTMAX = {  # what the weights are instead of a softmax of the scores
    "softmax runs twice": lambda scores, mask=None: masked_softmax(masked_softmax(scores, mask), mask),
    "all keys weigh the same: the scores have no effect": lambda scores, mask=None: masked_softmax(scores * 0, mask),
    "this is a sigmoid of each score; in softmax, each row sums to 1": then_hidden(lambda scores, _: scores.sigmoid()),
}
LEFT_OUT = {  # keys or values that do not count
    "the last key is left out: softmax runs over all keys": seeing_only(but_the_last),
    LAST_VALUE: lambda scores, mask=None: masked_softmax(scores, mask) * but_the_last(scores),
    "keys behind the query are left out, by a causal mask that nobody asked for here": seeing_only(but_the_later),
}


def wrong_softmaxes(scores):
    """Return {message: what a softmax written by hand gives with this mistake}."""
    exps, stable = scores.exp(), (scores - scores.amax(-1, keepdim=True)).exp()
    wrong_weights = {
        COLUMNS: torch.softmax(scores, -2),
        "all numbers together sum to 1: sum along the last axis only": exps / exps.sum(),
        "exp is missing: dividing by the sum alone keeps negative numbers": scores / scores.sum(-1, keepdim=True),
        "exp without the division: the rows do not sum to 1": exps,
        "the largest score is subtracted, but the division by the sum is missing: the rows do not sum to 1": stable,
        "these are logarithms of weights; take exp of them": torch.log_softmax(scores, -1),
        **{message: torch.softmax(scores * factor, -1) for message, factor in BASES.items()},
        "the rows do not sum to 1: the sum of the exps runs down the columns; give it dim=-1 and keepdim=True": (
            stable / stable.sum(-2, keepdim=True)
        ),
    }
    if scores.shape[-2] == scores.shape[-1]:  # elsewhere, what lacks keepdim stops with an error
        lacking = (scores - scores.amax(-1)).exp()
        sums = "the sums lack keepdim=True, so they run along the columns"
        largest = "the largest scores lack keepdim=True, so each is subtracted from a column"
        wrong_weights[sums] = exps / exps.sum(-1)
        wrong_weights["the sums lack keepdim=True, so row i's sum divides column i"] = stable / stable.sum(-1)
        wrong_weights[largest] = lacking / lacking.sum(-1, keepdim=True)
        wrong_weights[f"keepdim=True is missing twice: {sums}, and {largest}"] = lacking / lacking.sum(-1)
    return wrong_weights


# The mask


def diagonal_moved(diagonal):
    """Shift the diagonal of the causal mask: 0 is right."""
    return lambda num_tokens: torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril(diagonal)


CAUSAL = {  # what a token reads instead of its past, by the number of tokens
    "every token reads all tokens: the causal mask is missing": lambda n: torch.ones(n, n, dtype=torch.bool),
    "the mask is turned round: each token reads only what comes after it": lambda n: ~causal_mask(n),
    "the diagonal is off by one: each token sees its successor": diagonal_moved(1),
    "the diagonal is off by one: a token cannot see itself": diagonal_moved(-1),
    "rows and columns are exchanged: each token reads itself and what comes after": lambda n: causal_mask(n).T,
}


# split(features, num_heads) and join(context)


def split_by_view(features, num_heads):
    *batch, tokens, size = features.shape
    return features.reshape(*batch, num_heads, tokens, size // num_heads)


def join_by_view(context):
    *batch, num_heads, tokens, head_dim = context.shape
    return context.reshape(*batch, tokens, num_heads * head_dim)


IN_TURN = "the features are dealt out in turn; head 0 has the first head_dim features, head 1 the next"
REVERSED = "the heads come in reverse order: head 0 stands first"
SPLIT = {
    "view alone mixes the tokens: first cut the features into heads, then transpose heads and tokens": split_by_view,
    IN_TURN: lambda features, num_heads: features.unflatten(-1, (-1, num_heads)).movedim(-1, -3),
    REVERSED: lambda features, num_heads: split_heads(features, num_heads).flip(-3),
}
JOINED = {
    "view alone mixes the tokens: first transpose heads and tokens back, then join the heads": join_by_view,
    IN_TURN: lambda context: context.movedim(-3, -1).flatten(-2),
    REVERSED: lambda context: merge_heads(context.flip(-3)),
}
