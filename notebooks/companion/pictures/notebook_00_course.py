"""What the course builds, from the inside out: each notebook as a part of the model at its end."""

from matplotlib.patches import FancyBboxPatch

from companion.pictures.palette import EDGE, MUTED, PAPER, ROLES, TRACK, tint
from companion.pictures.picture import Picture, canvas, styled

FRAMES = {  # {(number, name): its left, bottom, right and top side}, each inside the one before
    ("18", "a model that writes"): (0, 2.6, 14, 11.3),
    ("12", "a block"): (0.35, 2.9, 13.65, 8.7),
    ("09, 10", "many heads, two sequences"): (0.7, 3.2, 13.3, 7.9),
    ("07, 08", "a head that learns, and writes"): (1.05, 3.5, 12.95, 7.1),
}
AROUND, INSIDE, LATER = 9.65, 5.08, 0.6  # heights of the rows
ASIDE, THEN = 15.5, 10.85  # where those of the last row begin in a wide drawing, and how high the words over them
BOXES = {  # {number: (what it says, in a stripe each, and its middle, or of a later one its place)}
    "01": (["tokens"], 2.55, AROUND),
    "02": (["vectors"], 5.5, AROUND),
    "11": (["order"], 8.45, AROUND),
    "03": (["query", "key", "value"], 2.55, INSIDE - 0.34),
    "04": (["scores"], 5.5, INSIDE),
    "05": (["weights"], 8.45, INSIDE),
    "06": (["context"], 11.4, INSIDE),
    "": (["next word"], 11.4, AROUND),
    "13": (["heads\nthat learn"], 0, LATER),
    "14": (["spelling\nto sound"], 1, LATER),
    "15": (["a real\nmodel"], 2, LATER),
    "16": (["fast\nattention"], 3, LATER),
    "17": (["attention\ntoday"], 4, LATER),
    "19": (["language\nmodel"], 5, LATER),
    "20": (["the\nclinic"], 6, LATER),
}
STEPS = ((3.75, AROUND), (6.7, AROUND), (3.75, INSIDE), (6.7, INSIDE), (9.65, INSIDE))
VALUE = INSIDE - 1.02
ARROWS = [((x, y), (x + 0.55, y)) for x, y in STEPS]
ARROWS += [((8.45, 9.3), (8.45, 8.7)), ((11.4, 8.7), (11.4, 9.3)), ((11.4, VALUE), (11.4, INSIDE - 0.34))]


@styled
def draw_course(caption=None, wide=False):
    """Draw the notebooks as nested frames: the steps of attention in a head, heads in a block, a block in a model.

    wide: with the later notebooks beside the frames, not in two rows below them, where a phone shows them.
    """
    figure, axes = canvas(*((10, 4.5) if wide else (4.1, 5.36)))
    if wide:  # from edge to edge, as the text beside it
        figure.set_layout_engine("none")
        axes.set_position((0, 0, 1, 1))
    across = 1 if wide else 0.72
    for depth, ((number, name), (left, bottom, right, top)) in enumerate(FRAMES.items()):
        _draw_box(axes, (across * left, bottom, across * right, top), PAPER if depth % 2 else TRACK, EDGE)
        label = axes.text(across * left + 0.25, top - 0.4, number, va="center_baseline", fontweight="bold")
        axes.annotate(f"  {name}", (1, 0), xycoords=label, va="bottom")
    style = {"arrowstyle": "-|>", "color": MUTED, "shrinkA": 0, "shrinkB": 0}
    for (x, y), (end, top) in ARROWS + [((14, THEN), (14.7, THEN))] * wide:
        axes.annotate("", (across * end, top), (across * x, y), arrowprops=style)
    axes.plot([3.75 * across, 11.4 * across], [VALUE, VALUE], color=MUTED, linewidth=1)  # past scores and weights
    x, y, then = (ASIDE - 0.6, THEN, "opened,\n") if wide else (0, 2.15, "opened, ")
    axes.text(x, y, f"then used, {then}made fast, and examined", color=MUTED, va="center")
    for number, (stripes, place, y) in BOXES.items():
        x, half, high = across * place, across * max(1.15, 0.155 * len(stripes[0])), 0.34
        if y == LATER and not wide:
            x, y, half, high = 1.2 + 2.56 * (place % 4), LATER - 2.1 * (place // 4), 1.2, 0.6
        elif y == LATER:
            x, y, half, high = ASIDE + 2, 9.75 - 1.12 * place, 2, 0.42
            stripes = [stripes[0].replace("\n", " ")]
            axes.text(ASIDE - 0.15, y + 0.05, number, ha="right", va="center_baseline", fontweight="bold")
            number = ""
        for stripe, text in enumerate(stripes):
            middle = y + 2 * high * ((len(stripes) - 1) / 2 - stripe)
            role = ROLES.get(text.removesuffix("s"), ROLES["input"])
            _draw_box(axes, (x - half, middle - high, x + half, middle + high), tint(role.fill, 0.3), role.fill)
            axes.text(x, middle + 0.05, text, ha="center", va="center" if "\n" in text else "center_baseline")
        axes.text(x, y + high * len(stripes) + 0.1, number, ha="center", va="bottom", fontweight="bold")
    sides = ((-0.02, ASIDE + 4.02), (2.55, 11.35)) if wide else ((-0.05, 10.13), (-2.15, 11.35))
    axes.set(xlim=sides[0], ylim=sides[1], aspect="equal")
    axes.axis("off")
    inside = "; ".join(f"{number} {name}" for number, name in reversed(FRAMES))
    steps = ", ".join(f"{number} {', '.join(stripes)}" for number, (stripes, *_) in BOXES.items() if number)
    words = f"Nested frames, from the inside out: {inside}. Boxes: {steps}.".replace("\n", " ")
    return Picture(figure, words, caption)


def _draw_box(axes, sides, face, edge):
    left, bottom, right, top = sides
    style = {"boxstyle": "round,pad=0,rounding_size=0.15", "facecolor": face, "edgecolor": edge, "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch((left, bottom), right - left, top - bottom, **style))
