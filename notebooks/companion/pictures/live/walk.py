"""All of attention for one word, live: it asks, each word answers, and what they give adds up."""

from functools import partial

from matplotlib.colors import to_hex

from companion.pictures.live.base import Live, doubles, stored
from companion.pictures.palette import fills, ink_on
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import describe_query, labelled, shown
from utils.attention import attention, scores

FEATURES = 3  # of each vector: enough to see that it is one


def walk(query, key, value, tokens, *, follow=1):
    """Follow one word's numbers through attention: query, keys, scores, weights, values and context.

    query and key: (tokens, d_k); value: (tokens, d_v), of each of which the first three features are shown;
    follow: index of the word followed at first.
    Raises ValueError for shapes that do not fit, numbers that are not finite, or a word that is not there.
    """
    query, key, value = doubles(query, key, value)
    for name, vectors in (("query", query), ("key", key), ("value", value)):
        _check(name, vectors, len(tokens))
    context, weights = attention(query, key, value)
    logits, words, _ = labelled("scores", scores(query, key), tokens)
    if follow not in range(len(words)):
        raise ValueError(f"follow is {follow}, but the tokens have the numbers 0 to {len(words) - 1}")
    vectors = {"query": query, "key": key, "value": value}
    data = {name: stored(each[:, :FEATURES].tolist()) for name, each in vectors.items()}
    data |= {"scores": stored(logits.tolist()), "words": words, "follow": follow}
    data |= {"head_dim": query.shape[1], "d_v": value.shape[1]}
    row = weights[follow].tolist()
    says = partial(describe_query, words[follow], row, words)
    twin = _table(words, follow, query, key, logits[follow].tolist(), row, value, context)
    return Live("walk", data, twin, says, "What a word takes from each word", shared=("words",))


def _check(name, vectors, count):
    if vectors.ndim != 2 or len(vectors) != count or not vectors.numel():
        raise ValueError(f"{name} has shape {tuple(vectors.shape)}, but {count} tokens need ({count}, features)")
    if not vectors.isfinite().all():
        raise ValueError(f"{name} has a number that is nan or infinite; look for 0 / 0 or inf − inf on the way to it")


def _table(words, follow, query, key, logits, weights, value, context):
    """Return a row for what the followed word asks, one for each word's answer, and one for what comes out."""
    asking, root = f"“{label(words[follow])}”", query.shape[1]
    heads = ["", "each word answers with its key", f"score: query · key / √{root}"]
    heads += ["softmax makes shares: weight", "so much of each value"]
    roles = ["key", "key", "score", "weight", "value"]
    rows = [role_row(heads, roles, "th", "center")]
    rows.append(role_row([f"{asking} asks: query", _vector(query[follow])], ["query"] * 2, align="center"))
    for word, k, score, weight, face, v in zip(words, key, logits, weights, fills([weights])[0], value):
        share = f'<span style="background:{to_hex(face)};color:{ink_on(face)};padding:0.3em">{shown(weight)}</span>'
        cells = [label(word), _vector(k), shown(score), share, _vector(v)]
        rows.append(role_row(cells, roles, align="center"))
    total = [f"add: the context of {asking}", "", "", "", _vector(context[follow])]
    return plain_table(*rows, role_row(total, ["context"] * 5, align="center"))


def _vector(numbers):
    return ", ".join(map(shown, numbers[:FEATURES].tolist())) + ", …" * (len(numbers) > FEATURES)
