"""A drawn figure as a notebook shows it: on opaque paper, described in words, with a caption that says what to see."""

import html
import io
from pathlib import Path

import matplotlib as mpl
import numpy as np
from IPython.display import display
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.patheffects import withStroke
from PIL import Image

from companion.pictures.palette import EDGE, INK, PAPER

for letters in sorted((Path(__file__).parent / "font").glob("*.otf")):
    fontManager.addfont(letters)
    fontManager.ttflist.insert(0, fontManager.ttflist.pop())  # before an Inter of the machine's own
STYLE = {
    # Opaque, so that a dark theme does not swallow the dark ink.
    **dict.fromkeys(("figure.facecolor", "savefig.facecolor", "axes.facecolor"), PAPER),
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    "font.family": ["Inter", "DejaVu Sans"],  # the course's own letters, and matplotlib's for signs that it lacks
    "font.size": 10,
    "axes.edgecolor": EDGE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "hatch.linewidth": 0.6,
    "figure.constrained_layout.w_pad": 0.09,
    "figure.constrained_layout.h_pad": 0.09,
}
styled = mpl.rc_context(STYLE)  # decorates the functions that draw
SCALE = 2  # pixels a point of the page: sharp on dense screens
DPI = 100
WIDE = 4.7  # inches of a chart: a phone shows it whole, in letters that can be read
POINT = 72 / DPI  # points of a pixel
HALO = [withStroke(linewidth=4 * POINT, foreground=PAPER)]  # around a text that stands over lines
BELOW = "max-width: 46em; margin: 0.3em 0 0 6px"  # a caption starts where JupyterLab starts a paragraph of text
# In JupyterLab's dark theme, dark paper and the same hues.
DARK = (
    '<style>[data-jp-theme-light="false"] :is(.jp-RenderedImage img:not([alt^="An image"]),.attention-sheet)'
    "{filter:invert(.93) hue-rotate(180deg)}</style>"
)


class Picture:
    """A drawn figure, the words that stand for it, and a sentence that says what to see in it.

    A cell that ends with a picture shows the image and, if there is one, its caption. The description is the image's
    alternative text: the same facts for a reader who cannot see it, and for the tests that compare stored outputs. The
    figure is not registered with pyplot, so that none is shown twice or left open.
    """

    def __init__(self, figure, description, caption=None):
        self.figure = figure
        self.description = description
        self.caption = caption
        self._png = None

    @styled
    def png(self):
        """Return the image as PNG bytes, in few colors to keep notebooks small. It is drawn once."""
        if self._png is None:
            self.figure.savefig(raw := io.BytesIO(), format="png", dpi=SCALE * DPI)
            in_few_colors(Image.open(raw).convert("RGB")).save(small := io.BytesIO(), format="png", optimize=True)
            self._png = small.getvalue()
        return self._png

    def parts(self):
        """Return what a cell shows of it, each as (data, metadata): the image, and the caption if there is one."""
        image = self.png()
        width, height = (side // SCALE for side in Image.open(io.BytesIO(image)).size)
        attributes = {"width": width, "height": height, "alt": self.description}
        data = {"image/png": image, "text/plain": f"picture: {self.description}"}
        shown = [(data, {"image/png": attributes})]
        if self.caption:
            page = f'<p class="attention-caption" style="{BELOW}">{html.escape(self.caption)}</p>{DARK}'
            shown.append(({"text/html": page, "text/plain": self.caption}, {}))
        return shown

    def _ipython_display_(self):
        for data, metadata in self.parts():
            display(data, metadata=metadata, raw=True)
        self.figure.clear()  # its parts hold each other, and 4 MB, until Python next looks for such garbage


def in_few_colors(image, count=256):
    """Keep the most frequent colors exactly, and draw the rest, such as letters' soft edges, in the nearest of them.

    Pillow's own reduction keeps none: it mixes neighbors, the inks of query and key into one brown.
    """
    pixels = np.frombuffer(image.convert("RGBX").tobytes(), dtype=np.uint32)  # one number each: quickly sorted
    bands = np.array_split(pixels, 8)  # one after the other: to sort all at once takes ten times their memory
    found, numbers = zip(*(np.unique(band, return_counts=True) for band in bands))
    pixels, places = np.unique(np.concatenate(found), return_inverse=True)
    counts = np.bincount(places, np.concatenate(numbers))
    colors = pixels.view(np.uint8).reshape(-1, 4)[:, :3]
    kept = colors[np.argsort(-counts, kind="stable")[:count]]
    gaps = np.square(colors[:, None].astype(np.int32) - kept).sum(axis=-1)
    nearest = gaps.argmin(axis=-1).astype(np.uint8)
    near = np.concatenate([nearest[np.searchsorted(pixels, band)] for band in bands])
    small = Image.fromarray(near.reshape(image.height, image.width))
    small.putpalette(kept.tobytes())
    return small


def make_options(kind, options):
    """Return a dataclass of options, such as `Overlay`. Raises ValueError for one that it does not have."""
    if unknown := [name for name in options if name not in kind.__dataclass_fields__]:
        raise ValueError(f"there is no option {unknown[0]}; choose among {', '.join(kind.__dataclass_fields__)}")
    return kind(**options)


def canvas(width, height):
    """Return a new figure of that many inches, and its axes."""
    figure = panels(width, height, 1)
    return figure, figure.axes[0]


def panels(width, height, count):
    """Return a new figure of that many inches, with panels side by side."""
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    figure.subplots(1, count)
    return figure
