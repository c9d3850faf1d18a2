"""What a key-value cache saves: the scores that are computed for each new token, without it and with it."""

from matplotlib.patches import Rectangle

from companion.pictures.palette import FAINT, PAPER, ROLES, ink_on, tint
from companion.pictures.picture import Picture, canvas, styled

TOKENS = 5
GAP = 0.3  # between the scores and what stands beside them
APART = 1.1  # from one token's scores to the next token's
INCHES = 0.27  # a cell


@styled
def cache(caption=None):
    """Draw for each token, as it comes, which numbers are computed, without and with a cache."""
    moments = range(1, TOKENS + 1)
    width, height = sum(n + 1 + GAP + APART for n in moments) - APART, TOKENS + 2 + GAP + 1.9
    figure, axes = canvas(INCHES * width + 0.3, INCHES * 2 * height + 0.5)
    facts = []
    for top, kept, name in ((0, False, "Without a cache"), (height, True, "With a cache")):
        counts = [n if kept else n * (n + 1) // 2 for n in moments]
        facts.append(f"{name}: {' + '.join(map(str, counts))} = {sum(counts)} scores")
        axes.text(0, top + 0.6, facts[-1], fontsize=11, fontweight="bold")
        left = 0
        for n in moments:
            _draw_token(axes, left, top + 1.1, n, kept)
            left += n + 1 + GAP + APART
    names = {"now": "full: computed for this token", "kept": "outlined: kept", "not needed": "dotted: not needed again"}
    for x, role, (state, name) in zip((0, 10.6, 15.6), ("score", "key", "score"), names.items()):
        _draw_cell(axes, x, 2 * height - 0.4, role, state)
        axes.text(x + 1.2, 2 * height + 0.1, name, va="center_baseline", fontsize=9.5)
    axes.set(xlim=(-0.1, width + 0.1), ylim=(2 * height + 0.8, -0.2), aspect="equal")
    axes.axis("off")
    words = f"{TOKENS} tokens, one after the other. {'. '.join(facts)}; keys and values are kept."
    return Picture(figure, words, caption)


def _draw_token(axes, left, top, n, kept):
    """Draw the moment at which token n comes: keys and values above the scores, queries beside them."""
    scores = left + 1 + GAP
    for token in range(n):
        old = kept and token < n - 1
        for row, (symbol, role) in enumerate((("K", "key"), ("V", "value"))):
            _draw_cell(axes, scores + token, top + row, role, "kept" if old else "now", symbol)
        state = "not needed" if old else "now"
        _draw_cell(axes, left, top + 2 + GAP + token, "query", state, "Q")
        for key in range(token + 1):
            _draw_cell(axes, scores + key, top + 2 + GAP + token, "score", state)


def _draw_cell(axes, x, y, role, state, symbol=""):
    """Draw one cell: full if it is computed now, pale if it is kept, a dotted outline if nobody needs it."""
    full = ROLES[role].fill
    looks = {"now": (full, full, "-"), "kept": (tint(full, 0.25), full, "-"), "not needed": (PAPER, FAINT, ":")}
    face, edge, stroke = looks[state]
    axes.add_patch(Rectangle((x + 0.06, y + 0.06), 0.88, 0.88, facecolor=face, edgecolor=edge, linestyle=stroke))
    if symbol and state != "not needed":
        style = {"color": ink_on(face), "fontweight": "bold" if state == "now" else "normal", "fontsize": 9}
        axes.text(x + 0.5, y + 0.5, symbol, ha="center", va="center_baseline", **style)
