"""The look of every picture: one colour a role, opaque paper, and a caption that says in words what is drawn."""

import html
import io
from dataclasses import dataclass

import matplotlib as mpl
from IPython.display import HTML, display
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from PIL import Image


@dataclass(frozen=True)
class Role:
    """One quantity of the course: its symbol, the colour of its shapes and the darker ink of its words."""

    symbol: str
    fill: str
    ink: str


# Okabe and Ito's palette, which stays distinct for the common colour vision deficiencies.
# Every ink has a contrast of at least 4.5:1 on white.
ROLES = {
    "input": Role("X", "#B8BDC7", "#4A5160"),
    "query": Role("Q", "#D55E00", "#B33A00"),
    "key": Role("K", "#E69F00", "#7A5C00"),
    "value": Role("V", "#CC79A7", "#9A3F73"),
    "score": Role("ω", "#0072B2", "#005B8F"),
    "weight": Role("α", "#0072B2", "#005B8F"),
    "weighted": Role("α·v", "#F0E442", "#6B6400"),
    "context": Role("z", "#009E73", "#00694C"),
}
INK, MUTED, PAPER, MASKED = "#1F2430", "#5F6673", "#FFFFFF", "#F3F4F6"
WEIGHT_STOPS = ["#F5F9FC", "#A9CFE6", "#0072B2", "#03304D"]  # of weights 0, 1/3, 2/3 and 1
WEIGHT_COLOURS = LinearSegmentedColormap.from_list("weights", WEIGHT_STOPS)
SCORE_COLOURS = LinearSegmentedColormap.from_list("scores", ["#8A3B00", "#E08A4A", "#FAFAFA", "#5AA3CF", "#004B77"])

STYLE = {
    "figure.facecolor": PAPER,  # opaque, so that a dark theme does not swallow the dark ink
    "savefig.facecolor": PAPER,
    "font.family": "DejaVu Sans",  # ships with matplotlib: the same letters on every machine
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": "#C9CED6",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": PAPER,
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


class Picture:
    """A drawn figure and the words that stand for it.

    A cell that ends with a picture shows the image and, below it, its caption: the same facts for a
    reader who cannot see the image, and for the tests that compare stored outputs. The figure is not
    registered with pyplot, so that none is shown twice or left open.
    """

    def __init__(self, figure, caption):
        self.figure = figure
        self.caption = caption

    @styled
    def png(self):
        """Return the image as PNG bytes, with 64 colours to keep notebooks small."""
        raw = io.BytesIO()
        self.figure.savefig(raw, format="png", dpi=SCALE * DPI)
        self.figure.set_layout_engine("none")  # the layout is settled; a second run would move it by a hair
        small = io.BytesIO()
        Image.open(raw).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(small, format="png", optimize=True)
        return small.getvalue()

    def _ipython_display_(self):
        image = self.png()
        width, height = (side // SCALE for side in Image.open(io.BytesIO(image)).size)
        display(
            {"image/png": image, "text/plain": f"picture: {self.caption}"},
            metadata={"image/png": {"width": width, "height": height, "alt": self.caption}},
            raw=True,
        )
        display(HTML(f'<p style="max-width: 46em; margin: 0.3em 0 0">{html.escape(self.caption)}</p>'))


def canvas(width, height, columns=1):
    """Return a new figure of that many inches, and its axes (an array of them for several columns)."""
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    return figure, figure.subplots(1, columns)


def tint(colour, amount):
    """Mix a colour with white: amount 1 keeps it, 0 gives white."""
    return tuple(1 - amount * (1 - channel) for channel in to_rgb(colour))


def contrast(one, other):
    """Return the contrast of two colours, 1 to 21, as in the Web Content Accessibility Guidelines 2.2."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear))


def ink_on(colour):
    """Return black or white, whichever stands out more on the colour (never under 4.5:1)."""
    return max(("#000000", "#FFFFFF"), key=lambda ink: contrast(ink, colour))


def minus(text):
    """Set a number's sign as a true minus, which is as wide as a plus."""
    return text.replace("-", "−")
