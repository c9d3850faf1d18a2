"""Small charts beside the pictures of attention: vectors in the plane, curves, bars, and clouds of dots."""

from companion.pictures.palette import FAINT, GRID, INK, MUTED, PAPER, ROLES
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import shown, three_digits

MARKERS, STROKES = ("o", "s", "^", "D"), ("-", "--", ":", "-.")  # what tells curves of one colour apart
TIE = {"markersize": 2.5, "markeredgecolor": MUTED, "markeredgewidth": 0.6}  # many at zero are no bar of dots
KINDS = (INK, "#8790A0", MUTED, FAINT)  # greys tell kinds of dots apart: a colour would mean a role


@styled
def plane(vectors, roles, title=None, caption=None):
    """Draw labelled vectors as arrows from the origin of the plane.

    vectors: {label: (x, y)}; roles: one name of `ROLES` for each, in the same order.
    """
    points = {label: (float(x), float(y)) for label, (x, y) in vectors.items()}
    if len(roles) != len(points):
        raise ValueError(f"{len(points)} vectors need as many roles, but {len(roles)} were given")
    figure, axes = canvas(5.0, 4.2, title)
    reach = 1.4 * max(max(abs(x), abs(y)) for x, y in points.values())
    for (label, (x, y)), role in zip(points.items(), roles):
        look = {"arrowstyle": "-|>", "color": ROLES[role].fill, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (x, y), (0, 0), arrowprops=look)
        beyond = 1 + 0.09 * reach / max((x * x + y * y) ** 0.5, 0.01 * reach)
        axes.text(
            x * beyond,
            y * beyond,
            label,
            color=ROLES[role].ink,
            fontsize=11,
            fontweight="bold",
            ha="left" if x > 0.05 * reach else "right" if x < -0.05 * reach else "center",
            va="center",
        )
    axes.axhline(0, color=GRID, zorder=0)
    axes.axvline(0, color=GRID, zorder=0)
    axes.set(xlim=(-1.2 * reach, 1.2 * reach), ylim=(-reach, reach), aspect="equal")
    axes.set(xlabel="feature 0", ylabel="feature 1")
    places = "; ".join(f"{label} ({shown(x)}, {shown(y)})" for label, (x, y) in points.items())
    return Picture(figure, f"Arrows from the origin to {places}.", caption)


@styled
def curves(x, series, roles, x_name, y_name, title=None, caption=None):
    """Draw one curve for each series over the same x, with a marker and a stroke of its own and its name at its end.

    series: {name: numbers}, as many as x; roles: one name of `ROLES` for each series, in the same order.
    Raises ValueError if their numbers differ, or for more series than there are markers.
    """
    if len(series) != len(roles) or len(series) > len(MARKERS):
        raise ValueError(f"{len(series)} series have {len(roles)} roles; give each its own, for at most {len(MARKERS)}")
    x = [float(number) for number in x]
    figure, axes = canvas(6.6, 3.3, title)
    for (name, row), role, marker, stroke in zip(series.items(), roles, MARKERS, STROKES):
        row = [float(number) for number in row]
        colour = ROLES[role].ink if role == "input" else ROLES[role].fill  # that grey is too pale for a line
        axes.plot(x, row, color=colour, marker=marker, markersize=4, linestyle=stroke)
        axes.text(x[-1], row[-1], f"  {name}", color=ROLES[role].ink, va="center", fontsize=9.5)
    axes.margins(x=0.02)
    axes.xaxis.get_major_locator().set_params(integer=all(map(float.is_integer, x)))
    axes.grid(color=GRID, linewidth=0.8)
    axes.set(xlabel=x_name, ylabel=y_name)
    axes.tick_params(colors=MUTED, which="both")
    ends = [f"{name}: from {three_digits(row[0])} to {three_digits(row[-1])}" for name, row in series.items()]
    return Picture(figure, f"{y_name} against {x_name}, from {x[0]:g} to {x[-1]:g}. {'; '.join(ends)}.", caption)


@styled
def bars(numbers, x_name, role="input", focus=(), title=None, caption=None):
    """Draw one horizontal bar for each number, from 0, with the number at its end.

    numbers: {name: number}, none below zero, the first on top; role: one name of `ROLES`, in whose colour the bars
    are drawn; focus: names of bars to be drawn dark, beside which the others are grey.
    Raises ValueError for a number below zero.
    """
    lengths = [float(number) for number in numbers.values()]
    if min(lengths) < 0:
        raise ValueError(f"bars begin at 0, but one number is {min(lengths):g}")
    figure, axes = canvas(6.8, 0.34 * len(lengths) + 0.9, title)
    colours = [INK if name in focus else ROLES[role if not focus else "input"].fill for name in numbers]
    axes.barh([*numbers], lengths, color=colours, height=0.66)
    whole = all(length == round(length) for length in lengths)
    texts = [f"{length:,.{0 if whole else 1 if max(lengths) >= 10 else 2}f}" for length in lengths]
    for place, (length, text) in enumerate(zip(lengths, texts)):
        axes.annotate(text, (length, place), (4, 0), textcoords="offset points", va="center_baseline", fontsize=9.5)
    axes.margins(x=0.1, y=0.02)
    axes.invert_yaxis()
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xticks([])  # each bar says its number
    axes.tick_params(length=0)
    axes.set_xlabel(x_name, loc="left", color=MUTED)
    facts = [f"{name} {text}" for name, text in zip(numbers, texts)]
    return Picture(figure, f"{x_name}: {', '.join(facts)}.", caption)


@styled
def dots(numbers, kinds, x_name, y_name, title=None, caption=None):
    """Draw columns of dots, filled above zero, hollow below, a grey cross at zero, one panel for each matrix.

    numbers: {name: (columns, members)}; kinds: {name: boolean (members)}, each with a marker and a colour.
    Raises ValueError if kinds and members differ in number, or for more kinds than there are markers.
    """
    sizes = {len(each) for each in kinds.values()} | {matrix.shape[1] for matrix in numbers.values()}
    if len(sizes) != 1 or len(kinds) > len(MARKERS):
        raise ValueError(f"kinds and columns must have equally many members, and at most {len(MARKERS)} kinds be given")
    figure = panels(max(6.4, 1 + 3 * len(numbers)), 3.1, title, len(numbers))
    low, high = (pick(pick(matrix.flatten().tolist()) for matrix in numbers.values()) for pick in (min, max))
    margin, facts = 0.1 * max(high, -low), []
    for axes, (name, matrix) in zip(figure.axes, numbers.items()):
        for marker, colour, (kind, chosen) in zip(MARKERS, KINDS, kinds.items()):
            for column, row in enumerate(matrix.tolist()):
                for member in chosen.nonzero().flatten().tolist():
                    place, height = column + 0.7 * (member / len(row) - 0.5), row[member]  # side by side
                    face = colour if height > 0 else PAPER
                    look = {"markersize": 4.5, "markerfacecolor": face, "markeredgecolor": colour}
                    axes.plot(place, height, marker if height else "x", **(look if height else TIE))
            axes.plot([], [], marker, color=colour, label=kind)
        axes.axhline(0, color=MUTED, linewidth=1)
        columns = range(len(matrix)) if len(matrix) > 1 else []
        axes.set(xlabel=x_name, ylim=(min(low, 0) - margin, max(high, 0) + margin), xticks=columns)
        axes.set_title(name, fontsize=10)
        axes.tick_params(colors=MUTED)
        above = (matrix > 0).sum(dim=1).tolist()
        facts.append(f"{name}: {', '.join(map(str, above))} of {matrix.shape[1]} dots above zero")
    figure.axes[0].set_ylabel(y_name)
    look = {"frameon": False, "fontsize": 9.5, "handletextpad": 0.1, "ncols": len(kinds)}
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", **look)
    return Picture(figure, f"{y_name} by {x_name}. {'; '.join(facts)}.", caption)
