from companion.pictures.valley import valley


def test_each_panel_shows_the_steps_of_its_rate_on_the_curve():
    picture = valley(lambda w: (3 * w - 6) ** 2, 1, [0.05, 0.1], 2, steps=2)
    assert picture.description.endswith("rate 0.05: 1, 1.9, 1.99; rate 0.1: 1, 2.8, 1.36.")
    for axes, last in zip(picture.figure.axes, (1.99, 1.36)):
        curve, goal, steps, start = axes.lines
        assert abs(steps.get_xdata()[-1] - last) < 1e-6 and start.get_xdata() == [1] and goal.get_xdata() == [2, 2]
        for place, height in zip(*steps.get_data()):
            assert abs(height - (3 * place - 6) ** 2) < 1e-6
