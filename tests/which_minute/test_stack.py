"""The stack of blocks that learns which "minute" is meant, which notebook 12 trains in many kinds."""

from companion.which_minute import stack

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]


def test_the_lanes_of_the_stages_end_as_far_apart_as_the_words():
    picture, shares = stack.stages(WORDS), stack.told_apart(WORDS)
    for axes, (name, found) in zip(picture.figure.axes, shares.items()):
        first, *_, last = (lane.get_segments()[-1][-1, 1] for lane in axes.collections)
        assert abs((first - last) / 5 - found[-1]) < 1e-6
        assert [label.get_text() for label in axes.get_xticklabels()] == [f"{share:.0%}" for share in found]
        assert f"through {name}, 87% " in picture.description
