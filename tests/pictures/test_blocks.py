import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, FancyBboxPatch

from companion.pictures.blocks import block
from companion.pictures.palette import ROLES

PARTS = {"attention": "reads the other tokens", "feed-forward": "each token by itself"}


def drawn(norm_first):
    """Return the middle (x, y) of each norm, part and sum."""
    (axes,) = block(PARTS, norm_first=norm_first).figure.axes
    found = {"norm": [], "+": [], "attention": [], "feed-forward": []}
    for text in axes.texts:
        if text.get_text() in found:
            found[text.get_text()].append(text.get_position())
    return found


def test_each_part_is_added_to_the_stream_behind_it():
    for norm_first in (True, False):
        found = drawn(norm_first)
        assert [height for _, height in found["+"]] == [0, 0]
        places = [place for pair in zip(found["attention"] + found["feed-forward"], found["+"]) for place, _ in pair]
        assert places == sorted(places)


def test_pre_norm_stands_before_each_part_and_post_norm_in_the_stream_behind_each_sum():
    found = drawn(norm_first=True)
    assert all(height > 0 for _, height in found["norm"])
    assert all(norm < part for (norm, _), (part, _) in zip(found["norm"], found["attention"] + found["feed-forward"]))
    found = drawn(norm_first=False)
    assert all(height == 0 for _, height in found["norm"])
    assert all(norm > plus for (norm, _), (plus, _) in zip(found["norm"], found["+"]))


def test_attention_alone_has_the_colour_of_the_weights_and_every_sum_that_of_contexts():
    (axes,) = block(PARTS | {"cross-attention": "reads the memory"}).figure.axes
    boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    edges = [box.get_edgecolor()[:3] for box in boxes]
    assert edges.count(to_rgb(ROLES["weight"].fill)) == 2 and len(edges) == 6
    sums = [patch for patch in axes.patches if isinstance(patch, Circle)]
    assert {each.get_edgecolor()[:3] for each in sums} == {to_rgb(ROLES["context"].fill)} and len(sums) == 3


def test_words_stay_within_their_boxes():
    picture = block({"causal attention": "reads what was written", "cross-attention": "reads the memory"})
    picture.figure.draw_without_rendering()  # settles the layout
    (axes,) = picture.figure.axes
    boxes = [patch.get_window_extent() for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    for text in axes.texts:
        if text.get_text() not in ("X", "+", ""):
            words = text.get_window_extent()
            assert any(box.x0 < words.x0 and words.x1 < box.x1 and box.y0 < words.y0 for box in boxes), text


@pytest.mark.parametrize(
    "norm_first, steps",
    [
        (True, "x becomes x + attention(LayerNorm(x)); x becomes x + feed-forward(LayerNorm(x))."),
        (False, "x becomes LayerNorm(x + attention(x)); x becomes LayerNorm(x + feed-forward(x))."),
    ],
)
def test_the_words_are_the_formulas(norm_first, steps):
    assert block(PARTS, norm_first=norm_first).description.endswith(f"The stream x begins as X; {steps}")


def test_a_block_without_parts_is_refused():
    with pytest.raises(ValueError, match="name at least one"):
        block({})
