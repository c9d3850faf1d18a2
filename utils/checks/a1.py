"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

import torch

from utils.attention import attention, scores
from utils.checks.a1_sentence import check_encode_case as check_encode_case
from utils.checks.a1_sentence import check_encode_order as check_encode_order
from utils.checks.a1_sentence import check_encode_unknown as check_encode_unknown
from utils.checks.a1_sentence import check_most_read as check_most_read
from utils.checks.a1_sentence import check_sentence_context as check_sentence_context
from utils.checks.a1_sentence import variation as variation
from utils.checks.feedback import ALL_AXES, COLUMNS, LAST_AXIS, OVERFLOW, expect, expect_tensor
from utils.checks.graded import graded


@graded
def check_project(student, draw):
    """each of the three is the inputs times its own matrix."""
    for batch in ((), (2,)):
        tokens, d_in, d_k, d_v = draw.sizes(4)
        inputs = draw.normal(*batch, tokens, d_in)
        matrices = draw.normal(d_in, d_k), draw.normal(d_in, d_k), draw.normal(d_in, d_v)
        given = student.call("project", inputs, *matrices)
        three = isinstance(given, (tuple, list)) and len(given) == 3
        expect(three, "project gives three tensors: return query, key, value")
        names = "query", "key", "value"
        for name, part, matrix in zip(names, given, matrices):
            right = inputs @ matrix
            mistakes = {
                f"{name} is made with the matrix of {other}; each has its own": inputs @ wrong
                for other, wrong in zip(names, matrices)
                if other != name
            }
            mistakes |= {
                "each column is a token here; tokens are rows: X @ W, not W.T @ X.T": right.transpose(-2, -1),
                f"{name} is divided by a root; the scale belongs to the scores": right / d_k**0.5,
            }
            expect_tensor(part, right, f"{name} of project with inputs {tuple(inputs.shape)}", mistakes)


@graded
def check_scores_rows(student, draw):
    """row i holds query i's dot products with all keys, whatever their scale."""
    queries, keys, d_k = draw.sizes(3)
    for number in (keys, queries):  # first as many queries as keys, then not
        query, key = draw.normal(number, d_k), draw.normal(keys, d_k)
        right = scores(query, key)
        given = student.call("scaled_scores", query, key)
        mistakes = {"these are weights already: no softmax yet": torch.softmax(right, dim=-1)}
        if number == keys:
            mistakes["row i holds key i's products: write query @ key.transpose(-2, -1), not key @ query"] = right.T
        doing = f"scaled_scores with {number} queries and {keys} keys"
        expect_tensor(_unscaled(given, right), right, doing, {k: _unscaled(v, right) for k, v in mistakes.items()})


@graded
def check_scores_scale(student, draw):
    """the scores are divided by the square root of the head size."""
    tokens, d_k, keys = draw.sizes(3, low=5, high=12)
    query, key = draw.normal(tokens, d_k), draw.normal(keys, d_k)
    right, root = scores(query, key), d_k**0.5
    given = student.call("scaled_scores", query, key)
    mistakes = {
        "the scale is missing: divide by the square root of the head size": right * root,
        "multiplied by the root where it should be divided": right * root**2,
        "divided by the head size itself; take its square root": right / root,
        "divided by the root of the number of queries; take the last axis, the head size": right * root / tokens**0.5,
        "divided by the root of the number of keys; take the last axis, the head size": right * root / keys**0.5,
    }
    expect_tensor(given, right, f"scaled_scores with head size {d_k}", mistakes)


@graded
def check_scores_batch(student, draw):
    """a batch gives one matrix of scores a sentence."""
    queries, keys, d_k = draw.sizes(3)
    query, key = draw.normal(queries, queries, d_k), draw.normal(queries, keys, d_k)
    right = scores(query, key)
    given = student.call("scaled_scores", query, key)
    expect_tensor(_unscaled(given, right), right, f"scaled_scores on a batch {tuple(query.shape)}; {ALL_AXES}")


@graded
def check_softmax_rows(student, draw):
    """no weight is negative, and each row sums to 1."""
    size = draw.sizes(1)[0]
    for rows in (size, size + 2):
        sample = draw.normal(rows, size)
        exps = sample.exp()
        mistakes = {
            COLUMNS: torch.softmax(sample, 0),
            "all numbers together sum to 1: sum along the last axis only": exps / exps.sum(),
            "exp without the division: the rows do not sum to 1": exps,
            "exp is missing: dividing by the sum alone keeps negative numbers": sample / sample.sum(-1, keepdim=True),
            "these are logarithms of weights; take exp of them": torch.log_softmax(sample, -1),
        }
        if rows == size:
            mistakes["the sums lack keepdim=True, so they run along the columns"] = exps / exps.sum(-1)
        expect_tensor(_softmax(student, sample), torch.softmax(sample, -1), f"softmax_rows of {rows} rows", mistakes)


@graded
def check_softmax_large(student, draw):
    """large scores do no harm: each row's own largest one is subtracted first."""
    sample, spacing = draw.normal(4, 5), 1e-3  # of floats near 1000, with some room: a logarithm there is no finer
    for offset in (1_000.0, -1_000.0):
        given = _softmax(student, sample + offset)
        expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), OVERFLOW)
        right = torch.softmax(sample + offset, -1)
        expect_tensor(given, right, f"softmax_rows of scores near {offset:.0f}", atol=spacing)
    mixed = draw.normal(3, 4) + torch.tensor([[800.0], [0.0], [-800.0]])
    mistakes = {
        "the largest score of all is subtracted, so other rows vanish: take each row's own": torch.nan_to_num(
            (mixed - mixed.max()).exp() / (mixed - mixed.max()).exp().sum(-1, keepdim=True), nan=-1.0
        )
    }
    given = _softmax(student, mixed)
    if isinstance(given, torch.Tensor) and given.is_floating_point():
        given = torch.nan_to_num(given, nan=-1.0)
    doing = "softmax_rows of one row near 800 and one near -800"
    expect_tensor(given, torch.softmax(mixed, -1), doing, mistakes, atol=spacing)


@graded
def check_softmax_batch(student, draw):
    """a batch of scores is no harder."""
    sample = draw.normal(*draw.sizes(3))
    mistakes = {LAST_AXIS: torch.softmax(sample, 1)}
    doing = f"softmax_rows of a batch {tuple(sample.shape)}"
    expect_tensor(_softmax(student, sample), torch.softmax(sample, -1), doing, mistakes)


@graded
def check_attention_weights(student, draw):
    """each query shares its attention among the keys."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(keys, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    _, weights = _attention(student, query, key, value)
    raw = query @ key.T
    mistakes = {
        "these are the scores; the weights come after softmax": scores(query, key),
        "the scale is missing: divide by the square root of the head size": torch.softmax(raw, -1),
        COLUMNS: torch.softmax(scores(query, key), 0),
        "query and key are exchanged: row i must hold query i's weights": attention(key, query, value)[1],
    }
    expect_tensor(weights, attention(query, key, value)[1], f"the weights of {keys} queries and keys", mistakes)


@graded
def check_attention_context(student, draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(queries, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    context, weights = _attention(student, query, key, value)
    right, right_weights = attention(query, key, value)
    # A slip in the weights is charged by the check of the weights, not twice.
    fits = isinstance(weights, torch.Tensor) and weights.shape == right_weights.shape and weights.is_floating_point()
    fits = fits and torch.allclose(weights.sum(-1).double(), torch.ones(queries, dtype=torch.float64), atol=1e-4)
    wanted = weights.double() @ value.double() if fits else right
    mistakes = {
        "these are the keys, mixed; mix the values": right_weights @ key,
        "these are the values added up; weigh them first": value.sum(0).expand(queries, -1),
    }
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    expect_tensor(context, wanted, doing, mistakes)


@graded
def check_attention_batch(student, draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    given = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k), draw.normal(batch, keys, d_v)
    context, weights = _attention(student, *given)
    right_context, right_weights = attention(*given)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    expect_tensor(weights, right_weights, f"the weights {doing}")
    expect_tensor(context, right_context, f"the context {doing}")


def _softmax(student, sample):
    return student.call("softmax_rows", sample)


def _attention(student, query, key, value):
    given = student.call("attention", query, key, value)
    pair = isinstance(given, (tuple, list)) and len(given) == 2
    expect(pair, "attention gives two tensors: return context, weights")
    return given


def _unscaled(given, right):
    """Give a tensor the largest absolute number of the right one: only its direction counts here."""
    if not isinstance(given, torch.Tensor) or not given.numel() or not given.is_floating_point():
        return given
    largest = given.double().abs().max()
    return given.double() * (right.abs().max() / largest) if 0 < largest < float("inf") else given
