"""What a live picture shows where no script runs: its opening state, drawn on a sheet that is measured in pixels."""

import base64
import functools
import html
import io
import json
import math
import warnings

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path
from PIL import Image

from companion.pictures.palette import EDGE, INK, PAPER, ROLES, tint
from companion.pictures.picture import DPI, HALO, POINT, SCALE, styled

MOST = 12  # letters of a name beside a drawing, as in plane.js


class Drawn:
    """The opening state as HTML, drawn once it is shown: an image, which JupyterLab keeps, and a folded table.

    draw: makes a `Picture` of the data that the script gets; table: the same in numbers, as HTML; lead: stands above.
    """

    def __init__(self, draw, data, table, lead=""):
        self.draw, self.data, self.table, self.lead = draw, json.dumps(data), table, lead

    def __str__(self):
        fold = f"<details><summary>The same as a table</summary>{self.table}</details>"
        return f"{self.lead}{_image(self.draw, self.data)}{fold}"


@functools.cache
@styled
def _image(draw, data):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # of a sign that no font has: the table holds it
        picture = draw(json.loads(data))
        image = picture.png()
    wide = Image.open(io.BytesIO(image)).width // SCALE
    alt, code = html.escape(picture.description), base64.b64encode(image).decode()
    css = "display:block;max-width:100%;height:auto"
    return f'<img alt="{alt}" width="{wide}" style="{css}" src="data:image/png;base64,{code}"/>'


def sheet(width, height):
    """Return a new figure of that many pixels, and axes over all of it, in pixels from the upper left corner."""
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


def draw_text(axes, x, y, text, ink=INK, size=13, side="center", **style):
    """Write a text with a white edge; y: of its middle; side: "left" if x is where it begins."""
    style = {"va": "center_baseline", "path_effects": HALO, "parse_math": False} | style
    return axes.text(x, y, text, color=ink, fontsize=size * POINT, ha=side, **style)


def box(axes, x, y, wide, high, face, edge="none", round=0, **options):
    """Draw a box; x, y: its upper left corner; round: how far its corners are cut."""
    options = {"facecolor": face, "edgecolor": edge} | options
    if not round:
        return axes.add_patch(Rectangle((x, y), wide, high, **options))
    style = f"round,pad=0,rounding_size={round}"
    return axes.add_patch(FancyBboxPatch((x, y), wide, high, boxstyle=style, mutation_aspect=1, **options))


def bend(axes, start, one, other, end, color, wide, **style):
    """Draw a curve from one point to another that two more points pull at, so many pixels wide."""
    path = Path([start, one, other, end], [Path.MOVETO] + 3 * [Path.CURVE4])
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=color, linewidth=wide * POINT, **style))


def row_arrow(axes, start, goal, line, side, weight, name, role="weight", **style):
    """Draw an arrow above a line of words (side 1) or below it (side -1), its name beyond it, as bends.js does."""
    loop = 9 * (start == goal)
    start, goal, near, color = start - loop, goal + loop, line - 14 * side, ROLES[role].fill
    far = near - side * min(62, 30 + abs(goal - start) / 6)
    bend(axes, (start, near), (start, far), (goal, far), (goal, near - 9 * side), color, 9 * weight, **style)
    half = 3 + 5 * weight
    axes.fill([goal - half, goal + half, goal], [near - 10 * side] * 2 + [near], color=color)
    draw_text(axes, (start + goal) / 2, near + 0.75 * (far - near) - 15 * side, name, ROLES[role].ink, 12)


def plane(axes, left, top, size, reach, margin, grid=True):
    """Add a plane of that many pixels to a sheet, its origin in the middle; return its axes, in its vectors' unit."""
    width, height = (side * DPI for side in axes.figure.get_size_inches())
    inner = axes.figure.add_axes((left / width, 1 - (top + size) / height, size / width, size / height))
    end = reach * margin
    inner.set(xlim=(-end, end), ylim=(-end, end), xticks=[], yticks=[])
    inner.spines[:].set(color=EDGE, visible=True)
    apart = math.ceil(reach / 5)
    for step in range(-2 * reach, 2 * reach + 1, apart) if grid else [0]:
        style = {"color": EDGE, "linewidth": (0.6 if step or not grid else 1.6) * POINT, "zorder": 0}
        inner.axhline(step, **style)
        inner.axvline(step, **style)
    return inner


def arrow(axes, role, tip, thick, name="", beyond=13, way=None, strength=1):
    """Draw an arrow from the origin, so many pixels thick; its name stands beyond its tip, or that way from it.

    strength: of its color, 0 to 1.
    """
    head = {"arrowstyle": "-|>,head_width=0.6,head_length=1.1", "mutation_scale": 6, "shrinkA": 0, "shrinkB": 0}
    style = head | {
        "color": tint(ROLES[role].fill, strength),
        "linewidth": thick * POINT,
        "capstyle": "butt",
        "joinstyle": "miter",
    }
    axes.annotate("", tip, (0, 0), arrowprops=style, zorder=3)
    beside(axes, tip, name, ROLES[role].ink, beyond, tip if way is None else way)


def beside(axes, tip, name, ink, beyond, way):
    """Write a name beyond a point of a plane, which way it goes from there."""
    x, y = (number / (math.hypot(*way) or 1) for number in way)
    side = "left" if x > 0.3 else "right" if x < -0.3 else "center"
    text = name if len(name) <= MOST else f"{name[: MOST - 1]}…"
    style = {"textcoords": "offset points", "ha": side, "va": "center", "fontsize": 13 * POINT, "fontweight": "bold"}
    offset = beyond * x * POINT, beyond * y * POINT
    axes.annotate(text, tip, offset, color=ink, path_effects=HALO, parse_math=False, zorder=5, **style)


def bar(axes, x, y, wide, high=16):
    """Draw a bar as long as a number, from x to the right, or hatched to the left if it is below zero."""
    full = ROLES["weight"].fill
    style = {"hatch": "//////", "edgecolor": full, "face": PAPER, "linewidth": 0.7} if wide < 0 else {"face": full}
    box(axes, min(x, x + wide), y - high / 2, abs(wide), high, **style)
