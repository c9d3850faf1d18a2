import pytest
from matplotlib.patches import PathPatch

from companion.pictures.lanes import block
from companion.pictures.palette import ROLES

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


def arcs(parts, memory=()):
    (axes,) = block(parts, TOKENS, memory).figure.axes
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


def test_attention_reads_all_lanes_and_causal_attention_none_below():
    assert arcs({"attention": ""}) == 9
    assert arcs({"causal attention": ""}) == 6
    assert arcs({"feed-forward": ""}) == 0


def test_cross_attention_reads_the_memory_alone():
    parts = {"cross-attention": "reads the memory"}
    (axes,) = block(parts, TOKENS, ["le", "chat"]).figure.axes
    words = {text.get_text(): text.get_color() for text in axes.texts}
    assert words.keys() >= {"memory", "le", "chat"} and arcs(parts, ["le"]) == 0
    for role in ("query", "key", "value"):
        assert words[role] == ROLES[role].ink


@pytest.mark.parametrize(
    "norm_first, steps",
    [
        (True, "x becomes x + attention(LayerNorm(x)); x becomes x + feed-forward(LayerNorm(x))."),
        (False, "x becomes LayerNorm(x + attention(x)); x becomes LayerNorm(x + feed-forward(x))."),
    ],
)
def test_the_words_are_the_formulas(norm_first, steps):
    assert block(PARTS, TOKENS, norm_first=norm_first).description.endswith(f"The stream x begins as X; {steps}")
