"""What each kind of position does to the scores, live: a token is moved, and four score matrices follow."""

from functools import partial

from companion.pictures.live.base import Live, doubles, stored
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, shown
from utils.attention import project, scores
from utils.positions import BASE, alibi, rotate, sinusoidal

MOST_TOKENS = 6  # four matrices of more would not fit on a page


def move_token(inputs, W_query, W_key, tokens, *, follow=0, to=None, pair=()):
    """Show the scores of a sentence without positions, with sinusoidal, rotary and ALiBi; any token can be moved.

    inputs: (tokens, d_model), both even, from 2 to 6 tokens; W_query and W_key: (d_model, d_k); ALiBi has the
    slope 1/2, of the first head of eight; follow: index of the token chosen at first; to: the place to which it has
    moved then; pair: indices of two tokens whose scores for each other are framed.
    Raises ValueError for shapes that do not fit, or a token that is not there.
    """
    inputs, W_query, W_key = doubles(inputs, W_query, W_key)
    if not 2 <= len(tokens) <= MOST_TOKENS or inputs.shape[:-1] != (len(tokens),):
        raise ValueError(
            f"inputs has shape {tuple(inputs.shape)} and there are {len(tokens)} tokens; "
            f"give one row for each token, from 2 to {MOST_TOKENS} of them"
        )
    to = follow if to is None else to
    for name, place in {"follow": follow, "to": to}.items():
        if place not in range(len(tokens)):
            raise ValueError(f"{name} is {place}, but the tokens have the numbers 0 to {len(tokens) - 1}")
    waves = sinusoidal(*inputs.shape).double()
    rows = [each for X in (inputs, waves) for each in project(X, W_query, W_key, W_key)[:2]]
    _, tokens, _ = labelled("scores", scores(*rows[:2]), tokens)
    rows = [stored(each.tolist()) for each in rows]
    order = [place for place in range(len(tokens)) if place != follow]
    order.insert(to, follow)
    query, key, *added = doubles(*rows)
    before, four = _four(query, key, *added), _four(query[order], key[order], *added)
    counts = {name: _changed(before[name][order][:, order], now) for name, now in four.items()}
    moved = [tokens[place] for place in order]
    data = dict(zip(("query", "key", "waveQuery", "waveKey"), rows))
    slope = -alibi(8, 2)[0, 1, 0].item()
    data |= {"tokens": tokens, "order": order, "follow": follow, "pair": list(pair), "slope": slope, "base": BASE}
    twin = "".join(_table(f"{name}: {counts[name]} changed", each.tolist(), moved) for name, each in four.items())
    return Live("move-token", data, twin, partial(_say, moved, counts), "Move a token", shared=("drag",))


def _four(query, key, wave_query, wave_key):
    """Return {kind of positions: scores (tokens, tokens)}. To add a position to a token adds to its query and key."""
    plain = scores(query, key)
    return {
        "no positions": plain,
        "sinusoidal": scores(query + wave_query, key + wave_key),
        "rotary": scores(rotate(query), rotate(key)),
        "ALiBi": plain + alibi(8, len(plain))[0],
    }


def _table(name, rows, tokens):
    """Return the scores as a table without colours: with them, four would make a large output."""
    head = role_row(["", *map(label, tokens)], ["key"] * (len(tokens) + 1), "th")
    roles = ["query", *["score"] * len(tokens)]
    lines = [role_row([label(token), *map(shown, row)], roles) for token, row in zip(tokens, rows)]
    return plain_table(head, *lines, caption=name)


def _changed(before, now):
    """Count the scores of two tokens that are no longer what they were, by the digits shown."""
    pairs = zip(before.flatten().tolist(), now.flatten().tolist())
    return sum(shown(one) != shown(other) for one, other in pairs)


def _say(tokens, counts, write):
    counts = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f"“{' '.join(map(write, tokens))}”. Scores that have changed, of {len(tokens) ** 2}: {counts}."
