"""All of attention for one word, live: it asks, each word answers, and what they give adds up."""

import torch
from matplotlib.colors import to_hex

from companion.pictures.live.base import Live, stored
from companion.pictures.palette import ROLES, fills, ink_on
from companion.pictures.table import label
from companion.pictures.words import describe_query, labelled, shown
from utils.attention import attention, scores

FEATURES = 3  # of each vector: enough to see that it is one
CENTRED = "text-align:center"


def walk(query, key, value, tokens, *, follow=1):
    """Follow one word's numbers through attention: query, keys, scores, weights, values and context.

    query and key: (tokens, d_k); value: (tokens, d_v), of each of which the first three features are shown;
    follow: index of the word followed at first.
    Raises ValueError for shapes that do not fit, numbers that are not finite, or a word that is not there.
    """
    query, key, value = (torch.as_tensor(each, dtype=torch.float64).detach() for each in (query, key, value))
    for name, vectors in (("query", query), ("key", key), ("value", value)):
        _check(name, vectors, len(tokens))
    context, weights = attention(query, key, value)
    logits, words, _ = labelled("scores", scores(query, key), tokens)
    if follow not in range(len(words)):
        raise ValueError(f"follow is {follow}, but the tokens have the numbers 0 to {len(words) - 1}")
    first = {"query": query[:, :FEATURES], "key": key[:, :FEATURES], "value": value[:, :FEATURES]}
    data = {
        **{name: stored(vectors.tolist()) for name, vectors in first.items()},
        "scores": stored(logits.tolist()),
        "words": words,
        "follow": follow,
        "head_dim": query.shape[1],
        "d_v": value.shape[1],
    }
    row = weights[follow].tolist()
    text, sentence = (describe_query(words[follow], row, words, [True] * len(words), write) for write in (str, label))
    twin = _table(words, follow, query, key, logits[follow].tolist(), row, value, context)
    return Live("walk", data, twin, text, sentence, "What a word takes from each word", shared=("words",))


def _check(name, vectors, count):
    if vectors.ndim != 2 or len(vectors) != count or not vectors.numel():
        raise ValueError(f"{name} has shape {tuple(vectors.shape)}, but {count} tokens need ({count}, features)")
    if not vectors.isfinite().all():
        raise ValueError(f"{name} has a number that is nan or infinite; look for 0 / 0 or inf − inf on the way to it")


def _table(words, follow, query, key, logits, weights, value, context):
    """Return a row for what the followed word asks, one for each word's answer, and one for what comes out."""
    asking, root = f"“{label(words[follow])}”", query.shape[1]
    head = (
        ("key", "each word answers with its key"),
        ("score", f"score: query · key / √{root}"),
        ("weight", "softmax makes shares: weight"),
        ("value", "so much of each value"),
    )
    rows = [f"<th></th>{''.join(_cell('th', role, text) for role, text in head)}"]
    rows += [f"{_cell('th', 'query', f'{asking} asks: query')}{_cell('td', 'query', _vector(query[follow]))}"]
    for word, k, score, weight, face, v in zip(words, key, logits, weights, fills([weights])[0], value):
        share = f'<td style="background:{to_hex(face)};color:{ink_on(face)};{CENTRED}">{shown(weight)}</td>'
        numbers = _cell("td", "key", _vector(k)), _cell("td", "score", shown(score)), share
        rows += [f"{_cell('th', 'key', label(word))}{''.join(numbers)}{_cell('td', 'value', _vector(v))}"]
    total = _cell("td", "context", _vector(context[follow]))
    rows += [f'{_cell("th", "context", f"add: the context of {asking}")}<td colspan="3"></td>{total}']
    body = "".join(f'<tr style="background:none">{row}</tr>' for row in rows)
    return f'<table cellpadding="5" style="font-size:13px">{body}</table>'


def _cell(kind, role, text):
    nowrap = ";white-space:nowrap" if kind == "td" else ""
    return f'<{kind} style="color:{ROLES[role].ink};font-weight:400;{CENTRED}{nowrap}">{text}</{kind}>'


def _vector(numbers):
    return ", ".join(map(shown, numbers[:FEATURES].tolist())) + ", …" * (len(numbers) > FEATURES)
