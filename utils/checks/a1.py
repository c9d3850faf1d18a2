"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

import torch

from utils.attention import attention, scores
from utils.checks.feedback import ALL_AXES, LAST_AXIS, OVERFLOW, expect, expect_equal, expect_tensor
from utils.checks.graded import graded

UNKNOWN = "<unk>"
COLUMNS = "the columns sum to 1, over the queries, not the rows over the keys: look at softmax's dim"


@graded
def check_encode_order(student, draw):
    """each word became its place in the vocabulary, in the order of the sentence."""
    known = draw.words(6)
    vocabulary = [*known, UNKNOWN]
    words = draw.choices(known[1:], k=5) + [known[0], known[0]]
    sentence = " ".join(words)
    given = _ids(student.call("encode", sentence, vocabulary))
    wanted = [vocabulary.index(word) for word in words]
    doing = f"encode({sentence!r}, {vocabulary!r})"
    for message, wrong in {
        "the ids are sorted; keep the order of the sentence": sorted(wanted),
        "a word that comes twice gets its id twice": list(dict.fromkeys(wanted)),
        "these are ids of a sorted vocabulary; take the place in the list as it is given": [
            sorted(vocabulary).index(word) for word in words
        ],
        "the ids are one too large: the first place is 0": [place + 1 for place in wanted],
        "every word came out as <unk>: compare whole words, not letters": [len(known)] * len(words),
    }.items():
        expect(given != wrong or wrong == wanted, f"{doing}: {message}")
    expect_equal(given, wanted, doing)


@graded
def check_encode_case(student, draw):
    """capitals and punctuation marks make no new words."""
    known = draw.words(5)
    vocabulary = [*known, UNKNOWN]
    for sentence, hint in (
        (f"{known[0].capitalize()} {known[1]} {known[2].upper()}", "capitals: call .lower() on the sentence"),
        (f"{known[3]}, {known[4]}! {known[0]}? {known[1]}.", "marks: strip , . ! ? from each word"),
        (f"  {known[2]}   {known[1]} ", "spaces: .split() without an argument takes any number of them"),
    ):
        cleaned = sentence.lower().translate(str.maketrans("", "", ",.!?")).split()
        wanted = [vocabulary.index(word) for word in cleaned]
        doing = f"{hint}; encode({sentence!r}, {vocabulary!r})"
        expect_equal(_ids(student.call("encode", sentence, vocabulary)), wanted, doing)


@graded
def check_encode_unknown(student, draw):
    """a word that is not in the vocabulary gets the id of <unk>, wherever that stands."""
    *known, stranger, longer = draw.words(6)
    for place in (len(known), 0, 2):
        vocabulary = known[:place] + [UNKNOWN] + known[place:]
        sentence = f"{known[1]} {stranger} {known[0]} {longer}{known[0]}"
        wanted = [vocabulary.index(known[1]), place, vocabulary.index(known[0]), place]
        given = _ids(student.call("encode", sentence, vocabulary))
        expect(given != [wanted[0], wanted[2]], "unknown words are left out; each gets the id of <unk>")
        message = "the id of <unk> is not always the last one: look it up in the vocabulary"
        expect(given == wanted or given != [x if x != place else len(known) for x in wanted], message)
        expect_equal(given, wanted, f"encode({sentence!r}, {vocabulary!r})")


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
        for name, part, matrix in zip(("query", "key", "value"), given, matrices):
            right = inputs @ matrix
            other = matrices[1] if name == "query" else matrices[0]
            mistakes = {
                f"{name} is made with another matrix than its own": inputs @ other,
                "each column is a token here; tokens are rows: X @ W, not W.T @ X.T": right.transpose(-2, -1),
                f"{name} is divided by a root; the scale belongs to the scores": right / d_k**0.5,
            }
            expect_tensor(part, right, f"{name} of project with inputs {tuple(inputs.shape)}", mistakes)


@graded
def check_scores_rows(student, draw):
    """row i holds query i's dot products with all keys, whatever their scale."""
    queries, keys, d_k = draw.sizes(3)
    for number in (queries, keys):  # first as many queries as keys, then not
        query, key = draw.normal(keys, d_k), draw.normal(number, d_k)
        right = scores(query, key)
        given = student.call("scaled_scores", query, key)
        mistakes = {"these are weights already: no softmax yet": torch.softmax(right, dim=-1)}
        if number == keys:
            mistakes["row i holds key i's products: write query @ key.transpose(-2, -1), not key @ query"] = right.T
        doing = f"scaled_scores with {keys} queries and {number} keys"
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
    sample = draw.normal(4, 5)
    for offset in (1_000.0, -1_000.0):
        given = _softmax(student, sample + offset)
        expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), OVERFLOW)
        expect_tensor(given, torch.softmax(sample + offset, -1), f"softmax_rows of scores near {offset:.0f}")
    mixed = draw.normal(3, 4) + torch.tensor([[800.0], [0.0], [-800.0]])
    mistakes = {
        "the largest score of all is subtracted, so other rows vanish: take each row's own": torch.nan_to_num(
            (mixed - mixed.max()).exp() / (mixed - mixed.max()).exp().sum(-1, keepdim=True), nan=-1.0
        )
    }
    given = _softmax(student, mixed)
    if isinstance(given, torch.Tensor) and given.is_floating_point():
        given = torch.nan_to_num(given, nan=-1.0)
    expect_tensor(given, torch.softmax(mixed, -1), "softmax_rows of one row near 800 and one near -800", mistakes)


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
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    expect_tensor(context, wanted, doing)


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


def _ids(given):
    """A tensor of whole numbers is as good as a list."""
    if isinstance(given, torch.Tensor) and given.ndim == 1 and not given.is_floating_point():
        return given.tolist()
    return given


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
