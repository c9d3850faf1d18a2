import pytest
from matplotlib.patches import PathPatch

from companion.pictures.notebook_12_lanes import block

TOKENS = ["one", "minute", "pause"]
PARTS = {"attention": "reads across the lanes", "feed-forward": "each lane by itself"}


def drawn(norm_first):
    """Return the places (x, y) of each norm, part and sum."""
    (axes,) = block(PARTS, TOKENS, norm_first=norm_first).figure.axes
    found = {"norm": [], "+": [], "attention": [], "feed-forward": []}
    for text in axes.texts:
        if text.get_text() in found:
            found[text.get_text()].append(text.get_position())
    return found


def arcs(parts):
    (axes,) = block(parts, TOKENS).figure.axes
    return sum(type(patch) is PathPatch for patch in axes.patches)


def test_what_a_part_reads_is_added_to_each_lane_behind_it():
    for norm_first in (True, False):
        found = drawn(norm_first)
        lanes = sorted({height for _, height in found["+"]})
        assert len(found["+"]) == 6 and len(lanes) == 3
        for part, sums in (("attention", found["+"][:3]), ("feed-forward", found["+"][3:])):
            assert all(place > found[part][0][0] for place, _ in sums)


def test_pre_norm_stands_before_each_part_and_post_norm_behind_each_sum():
    found = drawn(norm_first=True)
    assert all(norm[0] < plus[0] and norm[1] > plus[1] for norm, plus in zip(found["norm"], found["+"]))
    found = drawn(norm_first=False)
    assert all(norm[0] > plus[0] and norm[1] == plus[1] for norm, plus in zip(found["norm"], found["+"]))


def test_attention_reads_all_lanes_and_feed_forward_none():
    assert arcs({"attention": ""}) == 9 and arcs({"feed-forward": ""}) == 0


@pytest.mark.parametrize(
    "norm_first, steps",
    [
        (True, "x becomes x + attention(LayerNorm(x)); x becomes x + feed-forward(LayerNorm(x))."),
        (False, "x becomes LayerNorm(x + attention(x)); x becomes LayerNorm(x + feed-forward(x))."),
    ],
)
def test_the_words_are_the_formulas(norm_first, steps):
    assert block(PARTS, TOKENS, norm_first=norm_first).description.endswith(f"The stream x begins as X; {steps}")
