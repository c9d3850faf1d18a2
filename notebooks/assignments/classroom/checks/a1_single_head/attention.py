"""Checks of the assignment a1_single_head: softmax along rows, and the weights and the context of attention."""

import torch

from classroom.checks.a1_single_head.scores import PROJECTED, SCORED
from classroom.checks.answers import context_and_weights, own_weights
from classroom.checks.graded import graded, table_of, uses
from companion import mistakes as known
from companion.checks.feedback import expect_tensor
from utils.attention import attention, scores

WEIGHED = PROJECTED | SCORED | {"softmax_rows": lambda scores: torch.softmax(scores, -1)}
RIGHT = WEIGHED | {"attention": lambda query, key, value: attention(query, key, value)}


def _slips(scores):
    """Return {message: weights}, without the slips that stop with an error unless rows and columns are equally many."""
    stable = (scores - scores.amax(-1, keepdim=True)).exp()
    by_columns = {"the sums run along the columns: sum each row, along dim=-1": stable / stable.sum(-2, keepdim=True)}
    return known.wrong_softmaxes(scores) | by_columns | known.given_by(known.UNLIKE, scores)


LARGE = {
    known.OVERFLOW: known.less(lambda scores: 0.0),
    "the largest score of all is subtracted, so other rows vanish: take each row's own": known.less(torch.max),
}
BATCH = {known.LAST_AXIS: lambda scores: torch.softmax(scores, 1)}


@graded(of="softmax_rows", mistakes=table_of(_slips, torch.eye(2)))
def check_softmax_rows(student, draw):
    """no weight is negative, and each row sums to 1."""
    size = draw.sizes(1)[0]
    for rows in (size, size + 2):
        sample = draw.normal(rows, size)
        given = student.call("softmax_rows", sample)
        expect_tensor(given, torch.softmax(sample, -1), f"softmax_rows of {rows} rows", _slips(sample))


@graded(of="softmax_rows", mistakes=LARGE)
def check_softmax_large(student, draw):
    """large scores do no harm: each row's own largest one is subtracted first."""
    sample = draw.normal(3, 3)
    cases = {
        "near 1000": sample + 1_000,
        "near -1000": sample - 1_000,
        "of which each row has some near 0, 1000 and 2000": sample + torch.tensor([0.0, 1_000.0, 2_000.0]),
        "near 800 in one row and near -800 in another": sample + torch.tensor([[800.0], [0.0], [-800.0]]),
    }
    for where, large in cases.items():
        given, spacing = student.call("softmax_rows", large), 1e-3  # as floats near 1000 have it, with some room
        mistakes = known.given_by(LARGE, large) | _slips(sample)  # these do not change where all scores grow alike
        expect_tensor(given, torch.softmax(large, -1), f"softmax_rows of scores {where}", mistakes, atol=spacing)


@graded(of="softmax_rows", mistakes=BATCH)
def check_softmax_batch(student, draw):
    """a batch of scores works as well."""
    sample = draw.normal(*draw.sizes(3))
    given, doing = student.call("softmax_rows", sample), f"softmax_rows of a batch {tuple(sample.shape)}"
    mistakes = known.given_by(BATCH, sample) | _slips(sample)
    expect_tensor(given, torch.softmax(sample, -1), doing, mistakes)


def _wrong(query, key, value):
    """Return {message: (context, weights)}: wrong weights and what they mix, then right weights that mix wrongly."""
    raw, weights = scores(query, key), attention(query, key, value)[1]
    read = known.readings(query, key, value)
    del read["divided by the size of query and key itself; take its square root"]  # the same as scaled twice
    twice = torch.softmax(raw / query.shape[-1] ** 0.5, -1)
    wrong = {
        known.NO_SOFTMAX: raw,
        "scaled twice: scaled_scores has divided by the root already": twice,
        known.COLUMNS: torch.softmax(raw, -2),
        **known.given_by(known.UNLIKE, raw),
    }
    return {
        **{message: (each @ value, each) for message, each in wrong.items()},
        **{message: attention(*reading) for message, reading in read.items()},
        "these are the keys, mixed; mix the values": (weights @ key, weights),
    }


MISTAKES = table_of(_wrong, *torch.ones(3, 2, 4))


@graded(of="attention", mistakes=MISTAKES, earlier=WEIGHED)
def check_attention_weights(student, draw):
    """each query shares its attention among the keys."""
    keys, d_k, d_v = draw.sizes(3)
    given = draw.attending(keys, keys, d_k, d_v)
    _, weights = context_and_weights(student.call("attention", *given), attention(*given), "attention")
    _expect_weights(weights, given, f"of {keys} queries and keys")


@graded(of="attention", mistakes=MISTAKES, earlier=WEIGHED)
def check_attention_context(student, draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    given = draw.attending(queries, keys, d_k, d_v)
    context, weights = context_and_weights(student.call("attention", *given), attention(*given), "attention", False)
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    _expect_context(context, weights, given, doing)


@graded(of="attention", mistakes=MISTAKES, earlier=WEIGHED)
def check_attention_batch(student, draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    given = draw.attending(queries, keys, d_k, d_v, batch)
    context, weights = context_and_weights(student.call("attention", *given), attention(*given), "attention", False)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    _expect_context(context, weights, given, f"the context {doing}")
    _expect_weights(weights, given, doing)


def _expect_weights(weights, given, of):
    mistakes = {message: wrong for message, (_, wrong) in _wrong(*given).items()}
    expect_tensor(weights, attention(*given)[1], f"the tensor of weights {of}", mistakes)


def _expect_context(context, weights, given, doing):
    """Compare a context with the values, mixed by the student's own weights: what is wrong with these has a check."""
    mixed = own_weights(weights, attention(*given)[1]).double() @ given[2].double()
    expect_tensor(context, mixed, doing, {message: wrong for message, (wrong, _) in _wrong(*given).items()})


def remarks(sources):
    """Note a softmax that is PyTorch's own."""
    return uses(sources, ["softmax_rows"], r"\b\w++\.(?:log_)?[sS]oftmax\b|\bsoftmax(?=\()")
