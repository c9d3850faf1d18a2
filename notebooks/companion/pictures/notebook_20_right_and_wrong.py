"""The pictures of the clinic: a right layer beside a wrong one."""

from itertools import product

from matplotlib.patches import Rectangle

from companion.pictures.charts import bars
from companion.pictures.palette import CORRECT, MASKED, MUTED, NOT_YET, ROLES, VERDICT_SIGNS, fills, ink_on, tint
from companion.pictures.picture import WIDE, Picture, panels, styled

GREEN = tint(ROLES["context"].fill, 0.45)
WAYS = {"right": VERDICT_SIGNS[CORRECT], "wrong": VERDICT_SIGNS[NOT_YET]}  # of both layers the sign and the color
WRONG = WAYS["wrong"][1]
PALE, PALER = tint(WRONG, 0.15), tint(WRONG, 0.4)
SIDES = {(-1, 0): ((0, 1), (0, 0)), (1, 0): ((0, 1), (1, 1)), (0, -1): ((0, 0), (0, 1)), (0, 1): ((1, 1), (0, 1))}


def looks_right(percents, caption=None):
    """Draw how often heads are right, by whether an error shows. percents: {what is changed: percent}, first none."""
    groups = {"✓ no error": GREEN, "✗ an error that nobody sees": WRONG, "✗ an error that shows": PALER}
    drawn, names = {group: {} for group in groups}, [*groups]
    for place, (name, percent) in enumerate(percents.items()):
        drawn[names[bool(place) + (percent < 100)]][name] = percent
    colors = {name: groups[group] for group, heads in drawn.items() for name in heads}
    return bars(drawn, "% right", colors, {"a blind guess": 33}, caption)


@styled
def readers(right, wrong, caption=None, columns="input", sentence=0):
    """Draw side by side which outputs of a right and of a wrong layer move with each input, and where they part.

    right, wrong: (real tokens, all tokens), 0 where nothing moves; columns: what is changed; sentence: its number.
    A + stands where only the wrong layer's output moves, and a − where only the right one's does, both framed.
    Raises ValueError if the shapes do not fit.
    """
    tokens = _tokens(right, wrong)

    def cell(moves, i, j):
        read, meant = bool(moves[i, j]), bool(right[i, j])
        if read == meant:
            return (GREEN, "●", {"fontsize": 8, "color": MUTED}) if read else (MASKED, "", {})
        return PALE, "+" if read else "−", {"fontweight": "bold", "fontsize": 12}

    parts = {"Only in the wrong one": (right == 0) & (wrong > 0), "Only in the right one": (right > 0) & (wrong == 0)}
    signs = [sign for sign, where in zip(("+ moves in error", "− no longer moves"), parts.values()) if where.any()]
    words = (f"output ↓ {columns} →", f"sentence {sentence}: ● moves", "\n".join(signs))
    parting = ((right > 0) != (wrong > 0)).nonzero().tolist()
    figure = _beside((right, wrong), tokens[: len(right)], tokens, words, cell, parting)
    facts = [
        f"{name}: {', '.join(f'{tokens[i]} reads {tokens[j]}' for i, j in where.nonzero().tolist()) or 'nothing'}"
        for name, where in parts.items()
    ]
    return Picture(figure, f"Outputs (rows) that move with the {columns} (columns). {'. '.join(facts)}.", caption)


@styled
def shares(right, wrong, caption=None, of=""):
    """Draw side by side the weights of a right and of a wrong layer in percents, and beside each row its sum.

    right, wrong: (real tokens, all tokens), between 0 and 1. A weight that only one of the layers has is framed, and
    so is a sum that is not 1; without either, every weight that differs as written. The line below says which.
    of: the sentence and the head. Raises ValueError if the shapes do not fit.
    """
    tokens, maps = _tokens(right, wrong), (right.detach(), wrong.detach())

    def cell(weights, i, j):
        weight = float(weights[i, j])
        face = fills([[weight]])[0][0] if weight else MASKED
        return face, f"{100 * weight:.0f}" if weight else "", {"fontsize": 8, "color": ink_on(face)}

    sums = [[f"{total:.0%}" for total in weights.sum(dim=-1).tolist()] for weights in maps]
    parting, rules = (right == 0) != (wrong == 0), []
    if parting.any():
        rules.append("empty in one layer")
    if {*sums[1]} != {"100%"}:
        rules.append("a sum that is not 100%")
    if not rules and (parting := (100 * right).round() != (100 * wrong).round()).any():
        rules = ["another weight"]
    framed = "\n".join(f"framed: {rule}" for rule in rules)
    words = ("query ↓ key →", f"{of}: weights in %".removeprefix(": "), framed)
    parting = parting.nonzero().tolist()
    figure = _beside(maps, tokens[: len(right)], tokens, words, cell, parting, more=1.5)
    for axes, column in zip(figure.axes, sums):
        style = {"ha": "center", "va": "center_baseline", "fontsize": 9}
        axes.set_xticks([*axes.get_xticks(), len(tokens) + 0.8], [*tokens, "Σ"], fontsize=8.5)
        for i, total in enumerate(column):
            off = {"fontweight": "bold", "bbox": {"edgecolor": WRONG, "facecolor": PALE, "linewidth": 1.6}}
            off["bbox"]["boxstyle"] = "square,pad=0.25"
            axes.text(len(tokens) + 0.8, i + 0.5, total, **style | ({"color": MUTED} if total == "100%" else off))
    facts = [
        f"{name} {_percents(weights)}, sums {', '.join(column)}"
        for name, weights, column in zip(("Right", "Wrong"), maps, sums)
    ]
    return Picture(figure, f"Weights in percent of each query's keys {of}. {'. '.join(facts)}. {framed}", caption)


def _percents(weights):
    rows = [", ".join(f"{100 * weight:.0f}" for weight in row) for row in weights.tolist()]
    return "; ".join(f"{i}: {row}" for i, row in enumerate(rows))


def _tokens(right, wrong):
    """Return the labels of a layer's inputs: the real ones, one a row, are numbered, and behind them is padding."""
    if right.shape != wrong.shape:
        raise ValueError(f"the maps have shapes {tuple(right.shape)} and {tuple(wrong.shape)}; give two of one shape")
    return [str(i) if i < len(right) else "pad" for i in range(right.shape[1])]


def _beside(maps, rows, columns, words, cell, wrong, more=0):
    """Draw two maps side by side, and frame what is wrong in the second, each block once around.

    words: what the rows and columns are, and what stands under each map; cell: makes from a map, a row and a column the
    face, the text and its style; wrong: [(row, column)]; more: columns' width at the right.
    """
    corner, *below = words
    side = (WIDE - 1) / 2 / (len(columns) + more)  # of a cell, in inches
    height = side * len(rows) + 0.92 + 0.2 * max(text.count("\n") for text in below)
    figure = panels(WIDE, height, 2)
    for axes, (title, (sign, color)), text_below, numbers in zip(figure.axes, WAYS.items(), below, maps):
        axes.set_title(f"{sign} {title}", color=color)
        for i, j in product(range(len(rows)), range(len(columns))):
            face, text, style = cell(numbers, i, j)
            axes.add_patch(Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, facecolor=face, edgecolor="none"))
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center_baseline", **style)
        axes.set(xlim=(0, len(columns) + more), ylim=(len(rows), 0), aspect="equal", anchor="NW")
        axes.set_xticks([j + 0.5 for j in range(len(columns))], columns)
        axes.set_yticks([i + 0.5 for i in range(len(rows))], rows)
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.set_xlabel(text_below, color=MUTED, loc="left", fontsize=9)
        axes.spines[:].set_visible(False)
    style = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": "right", "color": MUTED, "fontsize": 9}
    figure.axes[0].annotate(corner.replace("↓ ", "↓\n"), (0, 1), (-4, 6), **style)
    for (i, j), (side, (xs, ys)) in product(wrong, SIDES.items()):
        if [i + side[0], j + side[1]] not in [[*pair] for pair in wrong]:
            line = {"color": WRONG, "linewidth": 2, "solid_capstyle": "projecting", "clip_on": False}
            figure.axes[1].plot([j + x for x in xs], [i + y for y in ys], **line)
    figure.axes[1].xaxis.label.set_color(WRONG)
    return figure
