"""The pictures of the clinic: a right layer beside a wrong one, what tests compare, and which finds which error."""

from itertools import product

from matplotlib.patches import Rectangle

from companion.pictures.palette import FAINT, INK, MASKED, MUTED, ROLES, TRACK, fills, ink_on, tint
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import minus

GREEN = tint(ROLES["context"].fill, 0.45)
# What is given to a layer once, what must come of it, what is given the other time, and what that is, in words.
# A capital's output is compared; × is a token that was changed, + one more that is not looked at, − padding.
TESTS = {
    "alone_as_in_a_batch": ("ABC", "=", "ABC−−−", "with padding behind it"),
    "sentences_kept_apart": ("ABC def", "=", "ABC ×××", "beside other words"),
    "a_beginning_stays": ("AB", "=", "ABcdef", "when the sentence goes on"),
    "all_that_may_be_read_counts": ("ABCDEF", "≠", "×BCDEF", "one token is changed"),
    "order_counts_as_promised": ("abcdeF", "≠", "edcbaF", "shuffled; = without positions"),
    "copies_add_nothing": ("A", "=", "AAAAAA", "six copies of it"),
    "twice_the_same": ("ABCDEF", "=", "ABCDEF", "once more"),
    "large_numbers_stay_numbers": ("××××××", "", "", "a hundred times as large: finite?"),
    "every_number_learns": ("ABCDEF", "", "", "does each matrix get a gradient?"),
    "equal_to_the_reference": ("ABCDEF", "=", "ABCDEF", "in a layer that is right"),
}


@styled
def marks(found, columns, untested, caption=None):
    """Draw a square where a column finds a row, a dot where it does not, and in front how many rows each finds.

    found: {row: the columns that find it}; columns: their names; untested: {row: the columns that say nothing of it},
    cells that stay empty. A row that only the last column finds is bold; lines part rows by what finds them first.
    Raises ValueError for a row that no column finds.
    """
    if missed := [row for row, by in found.items() if not set(by) & set(columns)]:
        raise ValueError(f"no column finds {', '.join(missed)}")
    figure, axes = canvas(6.6, 0.22 * len(found) + 2.1)
    before = None
    for i, (row, by) in enumerate(found.items()):
        axes.axhspan(i - 0.5, i + 0.5, color=TRACK, linewidth=0, alpha=i % 2, zorder=0)
        passed = [j for j, name in enumerate(columns) if name not in untested[row]]
        axes.plot(passed, [i] * len(passed), ".", color=FAINT, markersize=4)
        axes.plot([j for j, name in enumerate(columns) if name in by], [i] * len(by), "s", color=INK, markersize=7)
        first = next(name for name in columns if name in by)
        if first != before:
            axes.axhline(i - 0.5, color=FAINT, linewidth=0.8)
        before = first
    axes.set_yticks(range(-1, len(found)), ["errors found", *found])
    for label, by in zip(axes.get_yticklabels()[1:], found.values()):
        label.set_fontweight("bold" if set(by) == {columns[-1]} else "normal")
    axes.set_xticks(range(len(columns)), columns, rotation=40, ha="left", rotation_mode="anchor")
    counts = {name: sum(name in by for by in found.values()) for name in columns}
    for j, number in enumerate(counts.values()):
        axes.text(j, -1, number, ha="center", va="center", color=MUTED)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(found) - 0.5, -1.6))
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    facts = "; ".join(f"{row}: {', '.join(name for name in columns if name in by)}" for row, by in found.items())
    counted = ", ".join(f"{name} {number}" for name, number in counts.items())
    return Picture(figure, f"What finds which error. {facts}. Found by each: {counted}.", caption)


@styled
def ten_tests(caption=None):
    """Draw for each of the ten tests the two inputs that it gives to a layer, and which outputs it compares."""
    figure, axes = canvas(7.2, 0.36 * len(TESTS) + 0.2)
    for row, (name, (one, sign, other, words)) in enumerate(TESTS.items()):
        axes.text(0, row, name, va="center_baseline", fontweight="bold", fontsize=9.5)
        for left, tokens in ((9.3, one), (17.6, other)):
            for place, token in enumerate(tokens.replace(" ", "")):
                apart = 0.4 * (" " in tokens and place > 2)  # between two sentences
                face = {"×": INK, "−": MASKED}.get(token, GREEN if token.isupper() else TRACK)
                axes.add_patch(Rectangle((left + place + apart, row - 0.42), 0.92, 0.84, facecolor=face))
                look = {"ha": "center", "va": "center_baseline", "fontsize": 9, "color": ink_on(face)}
                heavy = "bold" if token.isupper() else "normal"
                axes.text(left + place + apart + 0.46, row, token.lower(), fontweight=heavy, **look)
        axes.text(16.7, row, sign, ha="center", va="center", fontsize=13, fontweight="bold")
        axes.text(24.5 if other else 16.3, row, words, va="center_baseline", color=MUTED, fontsize=9)
    axes.set(xlim=(0, 33.2), ylim=(len(TESTS) - 0.4, -0.6))
    axes.axis("off")
    facts = [f"{name}: {' '.join(each for each in parts if each)}" for name, parts in TESTS.items()]
    says = "capitals are compared, × was changed, − is padding"
    return Picture(
        figure, f"What each test gives a layer, and what must come of it ({says}). {'; '.join(facts)}.", caption
    )


@styled
def readers(right, wrong, caption=None, starts=(), columns="inputs"):
    """Draw side by side how far the outputs of a right and of a wrong layer move with each input, and where they part.

    right, wrong: (real tokens, all tokens), 0 where nothing moves; starts: where other texts begin, if the tokens are
    those of several; columns: what is read. Where only the wrong layer reads stands a framed +, where it no longer
    reads what the right one reads a −. Raises ValueError if the shapes do not fit.
    """
    most, tokens = max(right.max(), wrong.max()), _tokens(right, wrong)
    if starts:
        texts = [sum(place >= start for start in starts) for place in range(len(tokens))]
        tokens = ["abc"[text] + str(texts[:place].count(text)) for place, text in enumerate(texts)]

    def cell(moves, i, j):
        read, meant = bool(moves[i, j]), bool(right[i, j])
        face = tint(ROLES["context"].fill, 0.12 + 0.4 * float(moves[i, j] / most)) if read else MASKED
        if read and meant:
            return face, "●", {"fontsize": 8, "color": MUTED}
        return face, "+" if read else "−" if meant else "", {"fontweight": "bold", "fontsize": 12}

    parts = {"Only in the wrong one": (right == 0) & (wrong > 0), "Only in the right one": (right > 0) & (wrong == 0)}
    signs = ("+ read in error", "− no longer read")
    occur = ["● read, as it should be", *(sign for sign, where in zip(signs, parts.values()) if where.any())]
    shades = "\nstronger green: moves more" * (len(wrong[wrong > 0].unique()) > 1)
    told = f"rows: outputs, columns: {columns}{shades}", "\n".join(occur)
    wide = 5.0 if len(tokens) < 8 else 7.2
    figure = _beside((right, wrong), tokens[: len(right)], tokens, told, cell, width=wide)
    for i, j in parts["Only in the wrong one"].nonzero().tolist():
        _frame(figure.axes[1], i, j)
    for axes, start in product(figure.axes, starts):
        axes.axvline(start, color=INK, linewidth=1.6)
        if start < len(right):
            axes.axhline(start, color=INK, linewidth=1.6)
    facts = [
        f"{name}: {', '.join(f'{tokens[i]} reads {tokens[j]}' for i, j in where.nonzero().tolist()) or 'nothing'}"
        for name, where in parts.items()
    ]
    return Picture(figure, f"Outputs (rows) that move with the {columns} (columns). {'. '.join(facts)}.", caption)


@styled
def shares(right, wrong, caption=None, down=False):
    """Draw side by side the weights of a right and of a wrong layer in percents, and beside each row its sum.

    right, wrong: (real tokens, all tokens), between 0 and 1; a sum that is not 1 is bold;
    down: sum the columns, too.
    Raises ValueError if the shapes do not fit.
    """
    tokens, maps = _tokens(right, wrong), (right.detach(), wrong.detach())

    def cell(weights, i, j):
        weight = float(weights[i, j])
        face = fills([[weight]])[0][0] if weight else MASKED
        return face, f"{100 * weight:.0f}" if weight else "", {"fontsize": 9, "color": ink_on(face)}

    figure = _beside(
        maps, tokens[: len(right)], tokens, ("rows: queries, columns: keys", "weights in %"), cell, width=5.8
    )
    sums = [[f"{total:.0%}" for total in weights.sum(dim=-1).tolist()] for weights in maps]
    for axes, weights, column in zip(figure.axes, maps, sums):
        axes.set_xlim(right=len(tokens) + 1.4)
        look = {"ha": "center", "va": "center_baseline", "fontsize": 9}
        axes.text(len(tokens) + 0.75, -0.3, "Σ", **look, color=MUTED)
        if down:
            axes.set_ylim(bottom=len(column) + 0.9)
            for j, total in enumerate(weights.sum(dim=0).tolist()):
                axes.text(j + 0.5, len(column) + 0.45, f"{100 * total:.0f}", **look)
            axes.text(-0.3, len(column) + 0.45, "Σ", **look, color=MUTED)
        for i, total in enumerate(column):
            axes.text(len(tokens) + 0.75, i + 0.5, total, **look, fontweight="normal" if total == "100%" else "bold")
    rows = [
        "; ".join(f"{i}: {', '.join(f'{100 * each:.0f}' for each in row)}" for i, row in enumerate(weights.tolist()))
        for weights in maps
    ]
    told = [f"{name} {row}, sums {', '.join(column)}" for name, row, column in zip(("Right", "Wrong"), rows, sums)]
    return Picture(figure, f"Weights in percent of each query's keys. {'. '.join(told)}.", caption)


@styled
def labels(right, wrong, told, caption=None):
    """Draw side by side what stands in each cell of a right and of a wrong layer; where they differ it is framed.

    right, wrong: nested lists (rows, columns) of numbers or words, a word's first letter q, k or v gives its colour;
    told: what the rows, the columns and the cells are. Raises ValueError if the shapes do not fit.
    """
    maps = [[[minus(str(each)) for each in row] for row in way] for way in (right, wrong)]
    sizes, wrong_sizes = ([len(row) for row in way] for way in maps)
    if sizes != wrong_sizes:
        raise ValueError(f"the rows have {sizes} cells in the right layer and {wrong_sizes} in the wrong one")
    rows, columns = range(len(sizes)), range(sizes[0])
    roles = {role[0]: tint(ROLES[role].fill, 0.55) for role in ("query", "key", "value")}

    def cell(way, i, j):
        same = way[i][j] == maps[0][i][j]
        face = MASKED if way[i][j] == "pad" else roles.get(way[i][j][0], TRACK)
        return face, way[i][j], {"fontsize": 9.5, "fontweight": "normal" if same else "bold"}

    names = rows if len(rows) > 1 else [""]
    figure = _beside(maps, names, columns, (told, "framed: not as on the left"), cell, "auto")
    for i, j in product(rows, columns):
        if maps[0][i][j] != maps[1][i][j]:
            _frame(figure.axes[1], i, j)
    ways = [f"{name}: {' / '.join(' '.join(row) for row in way)}" for name, way in zip(("Right", "wrong"), maps)]
    return Picture(figure, f"{'; '.join(ways)} ({told}).", caption)


def _frame(axes, i, j):
    axes.add_patch(Rectangle((j + 0.06, i + 0.08), 0.88, 0.84, fill=False, edgecolor=INK, linewidth=1.6))


def _tokens(right, wrong):
    """Return the labels of a layer's inputs: those that have outputs are numbered, and the rest is padding."""
    if right.shape != wrong.shape:
        raise ValueError(f"the maps have shapes {tuple(right.shape)} and {tuple(wrong.shape)}; give two of one shape")
    return [str(place) if place < len(right) else "pad" for place in range(right.shape[1])]


def _beside(maps, rows, columns, told, cell, aspect="equal", width=5.0):
    """Draw two maps side by side; cell: makes from a map, a row and a column the face, the text and its look."""
    figure = panels(width, 0.34 * len(rows) + 0.92 + 0.22 * max(words.count("\n") for words in told), None, 2)
    for axes, title, words, each in zip(figure.axes, ("right", "wrong"), told, maps):
        axes.set_title(title)
        for i, j in product(range(len(rows)), range(len(columns))):
            face, text, look = cell(each, i, j)
            axes.add_patch(Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, facecolor=face, edgecolor="none"))
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center_baseline", **look)
        axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0), aspect=aspect)
        axes.set_xticks([j + 0.5 for j in range(len(columns))], columns)
        axes.set_yticks([i + 0.5 for i in range(len(rows))], rows)
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.set_xlabel(words, color=MUTED, loc="left", fontsize=9)
        axes.spines[:].set_visible(False)
    return figure
