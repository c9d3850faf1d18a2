"""The pictures of the clinic: who reads whom in a right and in a wrong layer, and which test finds which error."""

import torch
from matplotlib.patches import Rectangle

from companion.pictures.palette import EDGE, INK, MASKED, MUTED, ROLES, TRACK, tint
from companion.pictures.picture import Picture, canvas, panels, styled


@styled
def marks(found, columns, caption=None):
    """Draw a mark wherever a column finds a row, and below each column how many rows it finds.

    found: {row: the columns that find it}; columns: their names. A row that only the last column finds is bold.
    Raises ValueError for a row that no column finds.
    """
    if missed := [row for row, by in found.items() if not set(by) & set(columns)]:
        raise ValueError(f"no column finds {', '.join(missed)}")
    figure, axes = canvas(6.6, 0.22 * len(found) + 2.1)
    for i, by in enumerate(found.values()):
        axes.axhspan(i - 0.5, i + 0.5, color=TRACK, linewidth=0, alpha=i % 2, zorder=0)
        axes.plot(range(len(columns)), [i] * len(columns), ".", color=EDGE, markersize=2)
        axes.plot([j for j, name in enumerate(columns) if name in by], [i] * len(by), "s", color=INK, markersize=7)
    axes.set_yticks(range(len(found)), found)
    for label, by in zip(axes.get_yticklabels(), found.values()):
        label.set_fontweight("bold" if set(by) == {columns[-1]} else "normal")
    axes.set_xticks(range(len(columns)), columns, rotation=40, ha="left", rotation_mode="anchor")
    counts = {name: sum(name in by for by in found.values()) for name in columns}
    for j, number in enumerate(counts.values()):
        axes.text(j, len(found) + 0.1, number, ha="center", va="center", color=MUTED)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(found) + 0.5, -0.5))
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    facts = "; ".join(f"{row}: {', '.join(name for name in columns if name in by)}" for row, by in found.items())
    counted = ", ".join(f"{name} {number}" for name, number in counts.items())
    return Picture(figure, f"What finds which error. {facts}. Found by each: {counted}.", caption)


@styled
def readers(right, wrong, tokens, caption=None):
    """Draw side by side how far the outputs of a right and of a wrong layer move with each input, and where they part.

    right, wrong: (outputs, inputs), 0 where nothing moves; tokens: the labels of the inputs, those of the outputs come
    first. Where only the wrong layer reads stands a +, where it no longer reads what the right one reads a −.
    Raises ValueError if the shapes do not fit.
    """
    if right.shape != wrong.shape or right.shape[1] != len(tokens):
        raise ValueError(f"{len(tokens)} tokens, but maps of {tuple(right.shape)} and {tuple(wrong.shape)}")
    figure = panels(5.0, 0.34 * len(right) + 1.15, None, 2)
    most = max(right.max(), wrong.max())
    signs = ("rows: outputs, columns: inputs", "+ read in error   − no longer read")
    for axes, title, told, moves in zip(figure.axes, ("right", "wrong"), signs, (right, wrong)):
        axes.set_title(title)
        shares = (moves / most).tolist()
        for i, j in torch.cartesian_prod(torch.arange(len(right)), torch.arange(len(tokens))).tolist():
            read, meant = bool(moves[i, j]), bool(right[i, j])
            face = tint(ROLES["context"].fill, 0.12 + 0.4 * shares[i][j]) if read else MASKED
            axes.add_patch(Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, facecolor=face, edgecolor="none"))
            sign = "●" if read and meant else "+" if read else "−" if meant else ""
            look = {"fontsize": 8, "color": MUTED} if sign == "●" else {"fontweight": "bold", "fontsize": 12}
            axes.text(j + 0.5, i + 0.5, sign, ha="center", va="center_baseline", **look)
        axes.set(xlim=(0, len(tokens)), ylim=(len(right), 0), aspect="equal")
        axes.set_xticks([j + 0.5 for j in range(len(tokens))], tokens)
        axes.set_yticks([i + 0.5 for i in range(len(right))], tokens[: len(right)])
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.set_xlabel(told, color=MUTED, loc="left", fontsize=9)
        axes.spines[:].set_visible(False)
    parts = {"Only in the wrong one": (right == 0) & (wrong > 0), "Only in the right one": (right > 0) & (wrong == 0)}
    facts = [
        f"{name}: {', '.join(f'{tokens[i]} reads {tokens[j]}' for i, j in where.nonzero().tolist()) or 'nothing'}"
        for name, where in parts.items()
    ]
    return Picture(figure, f"Outputs (rows) that move with an input (columns). {'. '.join(facts)}.", caption)
