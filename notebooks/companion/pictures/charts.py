"""Small charts beside the pictures of attention: curves and bars."""

from dataclasses import dataclass, field

from companion.pictures.palette import EDGE, FAINT, GRID, MUTED, PAPER, ROLES, TRACK, ink_on
from companion.pictures.picture import HALO, WIDE, Picture, canvas, make_options, styled
from companion.pictures.words import three_digits, without_noise

# What tells curves of one color apart; a dotted line is a level to compare with.
MARKERS, STROKES = ("o", "s", "^", "D", "v"), ("-", "--", "-.", (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
LEVEL = {"color": MUTED, "linestyle": ":", "linewidth": 1.3}
NOTE = {"color": MUTED, "fontsize": 9}  # of what stands beside the data
BEFORE_RULES = {"va": "center_baseline", "bbox": {"facecolor": PAPER, "edgecolor": "none", "pad": 1}}  # of a text


@dataclass
class Backdrop:
    """What curves are compared with, and where they are named.

    rule: {name: y} of dotted levels; shade: {name: (from, to)} of pale bands over parts of x; of: how many there are to
    count, up to which the y axis then runs from 0, in quarters; beside: {name: (x, y)} of names that stand there,
    not at the end of their curve; pale: names of curves in gray, before which the others stand.
    """

    rule: dict = field(default_factory=dict)
    shade: dict = field(default_factory=dict)
    of: float | None = None
    beside: dict = field(default_factory=dict)
    pale: tuple = ()


@styled
def curves(x, series, roles, x_name, y_name, caption=None, **backdrop):
    """Draw one curve for each series over the same x, with a stroke of its own and its name at its end.

    x: numbers, or names that stand in even steps; series: {name: numbers}, as many as x; roles: one name of `ROLES` for
    each series, in the same order, "input" for ink; backdrop: as in `Backdrop`, such as rule={"chance": 50}.
    Raises ValueError if their numbers differ, or for more series than there are markers.
    """
    if len(series) != len(roles) or len(series) > len(MARKERS):
        raise ValueError(f"{len(series)} series have {len(roles)} roles; give each its own, for at most {len(MARKERS)}")
    names = [place for place in x if isinstance(place, str)]
    backdrop, x = make_options(Backdrop, backdrop), [float(number) for number in (range(len(names)) if names else x)]
    series = {name: [without_noise(number) for number in row] for name, row in series.items()}
    (figure, axes), ends = canvas(WIDE, 3.3), {}
    for (name, row), role, marker, stroke in zip(series.items(), roles, MARKERS, STROKES):
        color = ROLES[role].ink if role == "input" else ROLES[role].fill  # that gray is too pale for a line
        color = FAINT if name in backdrop.pale else color
        style = {"marker": marker * (len(x) <= 12), "markersize": 5, "clip_on": False, "zorder": 3}  # over the axis
        axes.plot(x, row, color=color, linestyle=stroke, **style)
        if name in backdrop.beside:
            axes.text(*backdrop.beside[name], name, ha="center", color=ROLES[role].ink, path_effects=HALO)
        else:
            ends[name] = row[-1], ROLES[role].ink
    axes.margins(x=0.02)
    _draw_backdrop(axes, backdrop)
    _name_ends(axes, ends | {name: (level, MUTED) for name, level in backdrop.rule.items()})
    if names:
        axes.set_xticks(x, names)
    else:
        axes.xaxis.get_major_locator().set_params(integer=all(map(float.is_integer, x)))
    axes.grid(color=GRID, linewidth=0.8)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(x_name, color=MUTED)
    axes.annotate(y_name, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", color=MUTED)
    axes.tick_params(colors=MUTED, which="both", length=0)
    facts = [f"{name}: from {three_digits(row[0])} to {three_digits(row[-1])}" for name, row in series.items()]
    first, last = (names[0], names[-1]) if names else (f"{x[0]:g}", f"{x[-1]:g}")
    words = f"{y_name} against {x_name}, from {first} to {last}. {'; '.join(facts)}{_levels(backdrop.rule)}."
    return Picture(figure, words, caption)


def _draw_backdrop(axes, backdrop):
    for level in backdrop.rule.values():
        axes.axhline(level, zorder=1.8, **LEVEL)  # over the grid
    for name, (start, stop) in backdrop.shade.items():
        axes.axvspan(start, stop, facecolor=TRACK, edgecolor=EDGE, zorder=0)
        top = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "ha": "center", "va": "top"}
        axes.annotate(name, ((start + stop) / 2, 1), (0, -1), **top, **NOTE)
    low, high = axes.get_ylim()
    axes.set_ylim(top=high + 0.07 * (high - low) * bool(backdrop.shade))  # room for the bands' names
    if backdrop.of:
        top = (1.03 + 0.07 * bool(backdrop.shade)) * backdrop.of
        axes.set(ylim=(0, top), yticks=[part * backdrop.of / 4 for part in range(5)])


def _levels(rule):
    return "".join(f"; a line at {name} ({three_digits(level)})" for name, level in rule.items())


def _name_ends(axes, ends):
    """Write names, {name: (level, ink)}, at the right of a chart, each on a line, apart from the others."""
    bottom, top = axes.get_ylim()
    free = bottom
    for name, (level, ink) in sorted(ends.items(), key=lambda end: end[1][0]):
        height, free = max(level, free), max(level, free) + 0.07 * (top - bottom)
        across = ("axes fraction", "data")
        line = {"arrowstyle": "-", "color": ink, "linewidth": 0.8, "shrinkA": 1, "shrinkB": 0, "relpos": (0, 0.5)}
        style = {"xycoords": across, "textcoords": across, "va": "center", "arrowprops": line}
        axes.annotate(name, (1, level), (1.04, height), color=ink, **style)


@styled
def bars(numbers, x_name, colors=None, rule=None, caption=None):
    """Draw one horizontal bar for each number, from 0, with the number at its end.

    numbers: {name: number}, none below zero, the first on top, or {group: {name: number}}; a text instead of a number
    stands at a bar that is broken off; colors: {name: color} of bars that are not gray; rule: {name: number} of dotted
    lines to compare with. Raises ValueError for a number below zero.
    """
    rows, colors, rule = named_rows(numbers), colors or {}, rule or {}
    lengths = [float(number) for _, number in rows if not isinstance(number, str | None)]
    if min(lengths) < 0:
        raise ValueError(f"bars begin at 0, but one number is {min(lengths):g}")
    decimals = 0 if all(map(float.is_integer, lengths)) else 1 if max(lengths) >= 10 else 2
    figure, axes = canvas(WIDE, 0.34 * len(rows) + 0.9)
    facts = []
    for name, length in rule.items():
        axes.axvline(length, zorder=0.5, **LEVEL)
        above = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "ha": "center"}
        axes.annotate(name, (length, 1), (0, 3), **above, **NOTE)
    for y, (name, number) in enumerate(rows):
        if number is None:
            axes.annotate(name, (0, y + 0.1), fontweight="bold", **BEFORE_RULES)
            facts.append(f"({name})")
            continue
        broken = isinstance(number, str)
        length = 1.1 * max(lengths) if broken else without_noise(number)
        text = number if broken else f"{length:,.{decimals}f}{'%' * x_name.startswith('%')}"
        _draw_bar(axes, y, length, text, colors.get(name, ROLES["input"].fill), rule.values(), max(lengths))
        if broken:
            axes.text(0.92 * length, y, "//", color=PAPER, fontsize=17, ha="center", va="center_baseline")
        facts.append(f"{name} {text}")
    axes.set_yticks(range(len(rows)), [name if number is not None else "" for name, number in rows])
    axes.margins(x=0.1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xticks([])  # each bar says its number
    axes.tick_params(length=0)
    axes.set_xlabel(x_name, loc="left", color=MUTED)
    return Picture(figure, f"{x_name}: {', '.join(facts)}{_levels(rule)}.", caption)


def _draw_bar(axes, y, length, text, color, rules, longest):
    """Draw a bar, and its text at its end, or inside where a dotted line would cross it."""
    axes.barh(y, length, color=color, height=0.66, edgecolor=color, linewidth=not length)
    over = PAPER if ink_on(color) == "#FFF" else MUTED  # of the dots that lie over the bar
    axes.vlines([rule for rule in rules if rule < length], y - 0.33, y + 0.33, **LEVEL | {"color": over})
    room = 0.08 * longest
    if length > room and any(0 <= rule - length < room for rule in rules):
        apart, look = -4, {"color": ink_on(color), "ha": "right", "va": "center_baseline"}
    else:
        apart, look = 4, BEFORE_RULES
    axes.annotate(text, (length, y), (apart, 0), textcoords="offset points", **look)


def named_rows(numbers):
    """Return (name, number) of each row, and (group, None) for the heading of each group."""
    if not numbers:
        raise ValueError("there is nothing to draw; give each name its number")
    groups = numbers if isinstance([*numbers.values()][0], dict) else {"": numbers}
    return [row for group, members in groups.items() for row in [(group, None), *members.items()] if row[0]]
