import pytest
import torch

from companion.stories.pictures import PART, circle, learning, pronouns


def test_a_training_is_drawn_as_means_beside_the_level_of_each_guess():
    losses = [2.0] * PART + [1.0] * PART
    axes = learning(losses, {"how often": 4.3, "all rules": 0.3}).figure.axes[0]
    curve, *levels = axes.lines
    assert list(curve.get_ydata()) == [2, 2, 1] and list(curve.get_xdata()) == [1, PART // 2, PART + PART // 2]
    assert [line.get_ydata()[0] for line in levels] == [4.3, 0.3]
    names = {text.get_text() for text in axes.texts}
    assert names == {"loss", "your model", "by how often, 4.30", "by all rules, 0.30"}


def test_the_circle_shows_notebook_00_beside_the_last_token():
    picture = circle(["Ida", "went", "There"], torch.tensor([0.8, 0.1, 0.1]))
    bands = picture.figure.axes[1].patches
    assert [band.get_linewidth() for band in bands] == pytest.approx([0.4 + 12 * share for share in (0.8, 0.1, 0.1)])
    assert [axes.get_title(loc="left") for axes in picture.figure.axes] == [
        "the head of notebook 00",
        "a head of the model that writes",
    ]
    assert "minute → pause 0.98." in picture.description and "There → Ida 0.80." in picture.description


def test_pronouns_stand_beside_the_right_ones_and_wrong_ones_say_so():
    picture = pronouns([[{"him"}, {"him"}], [{"her"}, {"her", "him"}]])
    right, said = ([text.get_text() for text in axes.texts] for axes in picture.figure.axes)
    assert right == ["“her”", "“him”"] * 2
    assert said == ["“him”", "wrong", "“him”", "“her”", "“her or him”", "wrong"]
    assert "what the model says: after “she” him and him, after “he” her and her or him" in picture.description
