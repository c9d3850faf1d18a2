import pytest
import torch

from companion.pictures.kinds import kinds

GROUPS = {
    "a time": (["pause", "wait"], torch.tensor([[-1.0, -2.0], [-0.98, -2.0]])),
    "tiny": (["seed", "crack"], torch.tensor([[-1.0, 1.0], [1.0, 1.5]])),
}


def boxes(picture):
    picture.figure.draw_without_rendering()
    return {text.get_text(): text.get_window_extent() for text in picture.figure.axes[0].texts}


def test_each_word_stands_beside_its_point_and_none_covers_another():
    picture = kinds(GROUPS, "first", "last")
    found, axes = boxes(picture), picture.figure.axes[0]
    for words, points in GROUPS.values():
        for word, point in zip(words, points):
            x, y = axes.transData.transform(point)
            assert abs((found[word].x0 + found[word].x1) / 2 - x) < found[word].width / 2 + 10
            assert abs((found[word].y0 + found[word].y1) / 2 - y) < found[word].height / 2 + 10
    texts = [*found.values()]
    assert not any(a.overlaps(b) for i, a in enumerate(texts) for b in texts[:i])


def test_each_kind_has_a_marker_of_its_own_that_the_legend_names():
    axes = kinds(GROUPS, "first", "last", title="Words").figure.axes[0]
    markers = {line.get_label(): line.get_marker() for line in axes.lines if line.get_label() in GROUPS}
    assert len(set(markers.values())) == len(GROUPS) == len(axes.get_legend().texts)


def test_it_says_where_each_kind_lies():
    said = kinds(GROUPS, "first", "last").description
    assert "a time around −1.0, −2.0" in said and "tiny around 0.0, 1.2" in said


def test_more_kinds_than_markers_are_refused():
    with pytest.raises(ValueError, match="4 kinds"):
        kinds(dict.fromkeys("abcd", (["x"], [[0, 0]])), "first", "last")
