import torch

from companion.pictures.notebook_02_kinds import kinds

GROUPS = {
    "a time": (["pause", "wait"], torch.tensor([[-1.0, -2.0], [-0.98, -2.0]])),
    "tiny": (["seed", "crack"], torch.tensor([[-1.0, 1.0], [1.0, 1.5]])),
}


WORDS = {"Words": GROUPS}


def boxes(picture):
    picture.figure.draw_without_rendering()
    return {text.get_text(): text.get_window_extent() for text in picture.figure.axes[0].texts}


def test_each_word_stands_beside_its_point():
    picture = kinds(WORDS, "first", "last")
    found, axes = boxes(picture), picture.figure.axes[0]
    for words, points in GROUPS.values():
        for word, point in zip(words, points):
            x, y = axes.transData.transform(point)
            assert abs((found[word].x0 + found[word].x1) / 2 - x) < found[word].width / 2 + 10
            assert abs((found[word].y0 + found[word].y1) / 2 - y) < found[word].height / 2 + 10


def test_each_kind_has_a_marker_of_its_own_that_the_legend_names():
    figure = kinds(WORDS, "first", "last").figure
    markers = {line.get_label(): line.get_marker() for line in figure.axes[0].lines if line.get_label() in GROUPS}
    assert len(set(markers.values())) == len(GROUPS) == len(figure.legends[0].texts)


def test_it_says_where_each_kind_lies():
    said = kinds(WORDS, "first", "last").description
    assert "a time around −1.0, −2.0" in said and "tiny around 0.0, 1.2" in said


def test_two_pictures_have_one_scale():
    moved = {kind: (words, points + 3) for kind, (words, points) in GROUPS.items()}
    before, after = kinds({"before": GROUPS, "after": moved}, "first", "last").figure.axes
    assert before.get_xlim() == after.get_xlim() and before.get_ylim() == after.get_ylim()


def test_only_the_last_panel_names_words_that_are_not_followed():
    before, after = kinds({"before": GROUPS, "after": GROUPS}, "first", "last", follow=["wait"]).figure.axes
    assert [text.get_text() for text in before.texts] == ["wait"]
    assert {text.get_text(): text.get_fontweight() for text in after.texts} == {
        **dict.fromkeys(["pause", "seed", "crack"], "normal"),
        "wait": "bold",
    }


def test_a_shade_reaches_as_far_as_the_words_of_a_kind():
    points = [[0, 0], [2, 0], [1, 1], [0, 2]]
    [shade] = kinds({"Words": {"a kind": (["a", "b", "c", "d"], points)}}, "first", "last").figure.axes[0].patches
    assert {tuple(corner) for corner in shade.get_xy().tolist()} >= {(0, 0), (2, 0), (0, 2)}
