"""A number that learns: its steps on the curve of its loss, side by side for several learning rates."""

from companion.pictures.palette import GRID, MUTED, ROLES
from companion.pictures.picture import WIDE, Picture, panels, styled
from companion.pictures.words import three_digits


@styled
def descent(paths, loss, x_name, y_name, caption=None):
    """Draw a loss as a gray curve for each path, and on it the steps of a descent as dots, numbered from 0.

    paths: {learning rate: numbers}, one before the first step and one after each; loss: a function of one number.
    """
    figure, facts = panels(WIDE, 3.2, len(paths)), []
    for axes, (rate, path) in zip(figure.axes, paths.items()):
        title = f"learning rate {rate}"
        _draw_path(axes, path, loss)
        axes.set_title(title, pad=24)
        axes.set_xlabel(x_name, color=MUTED)
        axes.annotate(y_name, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", color=MUTED)
        facts.append(f"{title}: {', '.join(f'{step} at {three_digits(number)}' for step, number in enumerate(path))}")
    return Picture(figure, f"{y_name} against {x_name}, a curve with dots for the steps. {'; '.join(facts)}.", caption)


def _draw_path(axes, path, loss):
    low, high, middle = min(path), max(path), sum(path) / len(path)
    x = [low + (high - low) * step / 64 for step in range(-6, 71)]  # a little more than the path at either end
    axes.plot(x, [loss(number) for number in x], color=MUTED)
    heights, ink, near = [loss(number) for number in path], ROLES["score"].ink, {}
    axes.plot(path, heights, color=ink, linestyle=":", marker="o", markersize=6)
    for step, number in enumerate(path):  # where dots lie on each other, the first and the last step name them
        near.setdefault(round((number - low) / (high - low), 1), []).append(step)
    for first, *others in near.values():
        right, flat = path[first] > middle, heights[first] < 0.05 * max(heights)
        apart = (-1, 6) if flat else (9 if right else -9, 0)
        style = {"ha": "left" if right or flat else "right", "va": "bottom" if flat else "center"}
        name = f"{first}–{others[-1]}" if others else f"{first}"
        text = {"textcoords": "offset points", "color": ink, "fontweight": "bold"}
        axes.annotate(name, (path[first], heights[first]), apart, **style, **text)
    axes.grid(color=GRID, linewidth=0.8)
    axes.margins(x=0.1)
    axes.spines["left"].set_visible(False)
    axes.tick_params(colors=MUTED, length=0)
