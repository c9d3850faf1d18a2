"""A figure that is measured in pixels, from its upper left corner, and what stands on it."""

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from companion.pictures.palette import INK
from companion.pictures.picture import DPI, HALO, POINT


def sheet(width, height):
    """Return a new figure of that many pixels, and axes over all of it."""
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


def draw_text(axes, x, y, text, ink=INK, size=13, side="center", **style):
    """Write a text with a white edge; y: of its middle; side: "left" if x is where it begins."""
    style = {"va": "center_baseline", "path_effects": HALO, "parse_math": False} | style
    axes.text(x, y, text, color=ink, fontsize=size * POINT, ha=side, **style)


def box(axes, x, y, wide, high, face, edge="none"):
    """Draw a box; x, y: its upper left corner."""
    axes.add_patch(Rectangle((x, y), wide, high, facecolor=face, edgecolor=edge))
