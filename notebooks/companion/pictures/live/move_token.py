"""What each kind of position does to the scores, live: a token is moved, and four score matrices follow."""

import torch

from companion.pictures.live.base import Live, stored
from companion.pictures.palette import INK, ROLES
from companion.pictures.table import label
from companion.pictures.words import labelled, shown
from utils.attention import project, scores
from utils.positions import BASE, alibi, rotate, sinusoidal

MOST_TOKENS = 6  # four matrices of more would not fit on a page


def move_token(inputs, W_query, W_key, tokens, *, follow=0, to=None, pair=(), title="Move a token"):
    """Show the scores of a sentence without positions, with sinusoidal, rotary and ALiBi; any token can be moved.

    inputs: (tokens, d_model), both even, from 2 to 6 tokens; W_query and W_key: (d_model, d_k); ALiBi has the
    slope 1/2, of the first head of eight; follow: index of the token chosen at first; to: the place to which it has
    moved then; pair: indices of two tokens whose scores for each other are framed.
    Raises ValueError for shapes that do not fit, or a token that is not there.
    """
    inputs, W_query, W_key = (torch.as_tensor(each, dtype=torch.float64).detach() for each in (inputs, W_query, W_key))
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
    query, key, *added = (torch.tensor(each, dtype=torch.float64) for each in rows)
    before, four = _four(query, key, *added), _four(query[order], key[order], *added)
    counts = {name: _changed(before[name][order][:, order], now) for name, now in four.items()}
    moved = [tokens[place] for place in order]
    data = dict(zip(("query", "key", "waveQuery", "waveKey"), rows))
    slope = -alibi(8, 2)[0, 1, 0].item()
    data |= {
        "tokens": tokens,
        "order": order,
        "follow": follow,
        "pair": list(pair),
        "slope": slope,
        "base": BASE,
    }
    twin = "".join(_table(f"{name}: {counts[name]} changed", each.tolist(), moved) for name, each in four.items())
    text, sentence = (_say(moved, counts, write) for write in (str, label))
    return Live("move-token", data, twin, text, sentence, title, shared=("drag", "tables"))


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
    head = _row("<td></td>", "th", map(label, tokens), "key")
    body = "".join(
        _row(f'<th style="color:{ROLES["query"].ink}">{label(token)}</th>', "td", map(shown, row), "score")
        for token, row in zip(tokens, rows)
    )
    caption = f'<caption style="text-align:left;font-weight:600;color:{INK}">{name}</caption>'
    return f'<table cellpadding="5" style="font-size:13px">{caption}<tbody>{head}{body}</tbody></table>'


def _row(first, kind, texts, role):
    cells = "".join(f"<{kind}>{text}</{kind}>" for text in texts)
    return f'<tr align="right" style="background:none;color:{ROLES[role].ink}">{first}{cells}</tr>'


def _changed(before, now):
    """Count the scores of two tokens that are no longer what they were, by the digits shown."""
    pairs = zip(before.flatten().tolist(), now.flatten().tolist())
    return sum(shown(one) != shown(other) for one, other in pairs)


def _say(tokens, counts, write):
    counts = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f"“{' '.join(map(write, tokens))}”. Scores that have changed, of {len(tokens) ** 2}: {counts}."
