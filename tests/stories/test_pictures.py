from companion.stories.pictures import PART, learning


def test_a_training_is_drawn_as_means_beside_the_level_of_each_guess():
    losses = [2.0] * PART + [1.0] * PART
    axes = learning(losses, {"how often": 4.3, "all rules": 0.3}).figure.axes[0]
    curve, *levels = axes.lines
    assert list(curve.get_ydata()) == [2, 2, 1] and list(curve.get_xdata()) == [1, PART // 2, PART + PART // 2]
    assert [line.get_ydata()[0] for line in levels] == [4.3, 0.3]
    names = {text.get_text() for text in axes.texts}
    assert names == {"loss", "your model", "by how often, 4.30", "by all rules, 0.30"}
