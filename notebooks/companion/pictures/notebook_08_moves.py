"""Which outputs of a module move with which inputs, and where one moves that comes before the input."""

from matplotlib.patches import Rectangle

from companion.pictures.palette import MASKED, MUTED, ROLES, VERDICT_SIGNS
from companion.pictures.picture import WIDE, Picture, panels, styled
from companion.verdict_words import CORRECT, NOT_YET


@styled
def moves(modules, caption=None):
    """Draw for each module its maps of several lengths side by side: a blue cell where an output moves with an input.

    modules: {name: [boolean maps (outputs, inputs)]}. Cells above the diagonal are red with a cross: there an output
    moves with an input that comes after it.
    """
    figure, facts = panels(WIDE, 1.6, len(modules)), []
    for axes, (name, maps) in zip(figure.axes, modules.items()):
        left, most = 0, max(map(len, maps))
        axes.set_title(name)
        for moved in maps:
            size, ahead = len(moved), moved.triu(1).any()
            for i, row in enumerate(moved.tolist()):
                for j, moves_here in enumerate(row):
                    wrong = moves_here and j > i
                    face = VERDICT_SIGNS[NOT_YET][1] if wrong else ROLES["weight"].fill if moves_here else MASKED
                    axes.add_patch(Rectangle((left + j + 0.05, i + 0.05), 0.9, 0.9, facecolor=face))
                    axes.text(left + j + 0.5, i + 0.5, "×" * wrong, ha="center", va="center", color="white", fontsize=6)
            sign, color = VERDICT_SIGNS[NOT_YET if ahead else CORRECT]
            style = {"ha": "center", "va": "top", "fontsize": 9}
            axes.text(left + size / 2, most + 0.5, f"{size} tokens\n{sign}", color=color, fontweight="bold", **style)
            facts.append(f"{name}, {size} tokens: {'looks ahead' if ahead else 'does not look ahead'}")
            left += size + 1.5
        axes.set(xlim=(-0.1, left - 1.4), ylim=(most + 4.2, -0.1), aspect="equal", anchor="N")
        axes.axis("off")
    figure.axes[0].text(-0.6, 3, "outputs", rotation=90, ha="center", va="center", color=MUTED, fontsize=9)
    return Picture(figure, f"Outputs (rows) that move with the inputs (columns). {'; '.join(facts)}.", caption)
