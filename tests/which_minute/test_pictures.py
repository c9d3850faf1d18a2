import math

import pytest
import torch
from matplotlib.colors import to_rgb

from companion.pictures.palette import ROLES
from companion.which_minute.head import trained, untrained
from companion.which_minute.pictures import roles
from companion.which_minute.sentences import VOCABULARY

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]
SENTENCES = ["there was one minute crack", "they talked about another minute walk", "one minute gap again", "minute"]


@torch.no_grad()
def vectors(head, words=WORDS):
    """The query of "minute", and the key and the value of each word."""
    inputs = head.embedding.weight[VOCABULARY.encode(words)]
    query, key, value = (layer(inputs) for layer in (head.attend.W_query, head.attend.W_key, head.attend.W_value))
    return query[words.index("minute")], key, value


def arrows(axes, role):
    """The tips of the arrows in the color of a role."""
    drawn = [text for text in axes.texts if getattr(text, "arrow_patch", None)]
    return sorted(arrow.xy for arrow in drawn if arrow.arrow_patch.get_facecolor()[:3] == to_rgb(ROLES[role].fill))


def labels(axes):
    return [text for text in axes.texts if text.get_text()]


def test_keys_and_values_are_the_heads_own_and_the_query_keeps_its_direction():
    query, key, value = vectors(trained())
    left, right = roles(trained(), WORDS).figure.axes
    assert arrows(left, "key") == sorted(map(tuple, key.tolist()))
    assert arrows(right, "value") == sorted(map(tuple, value.tolist()))
    [tip] = arrows(left, "query")
    shorter = query.norm().item() / math.hypot(*tip)
    assert [shorter * number for number in tip] == pytest.approx(query.tolist())
    assert shorter == pytest.approx(4)


def test_each_word_is_named_in_the_ink_of_its_role():
    left, right = roles(trained(), WORDS).figure.axes
    assert sorted(label.get_text() for label in labels(left)) == sorted([*WORDS, "query of “minute”"])
    assert sorted(label.get_text() for label in labels(right)) == sorted(WORDS)
    assert {label.get_color() for label in labels(right)} == {ROLES["value"].ink}


@pytest.mark.parametrize("head", [trained, untrained])
@pytest.mark.parametrize("sentence", [" ".join(WORDS), *SENTENCES])
def test_no_label_covers_a_label_or_a_tip_or_leaves_its_panel(head, sentence):
    picture = roles(head(), sentence.split(), title="Roles")
    picture.figure.draw_without_rendering()
    for axes in picture.figure.axes:
        boxes, frame = [label.get_window_extent() for label in labels(axes)], axes.get_window_extent()
        assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])
        tips = [tip for role in ("query", "key", "value") for tip in arrows(axes, role)]
        for box in boxes:
            assert not any(box.contains(*axes.transData.transform(tip)) for tip in tips)
            assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1


def test_the_description_says_which_keys_lie_farthest_along_the_query_and_against_it():
    query, key, _ = vectors(trained())
    along = (key @ query).tolist()
    assert (WORDS[along.index(max(along))], WORDS[along.index(min(along))]) == ("pause", "minute")
    assert roles(trained(), WORDS).description == (
        "What “pause” offers, its key, lies farthest along what “minute” asks, its query, and what “minute” offers "
        "points farthest the other way. (The query is drawn at a quarter of its length, to fit.)"
    )


def test_the_description_speaks_of_no_key_against_the_query_where_there_is_none():
    assert "the other way" not in roles(trained(), ["minute"]).description


def test_a_query_that_is_not_too_long_is_drawn_as_it_is():
    picture = roles(untrained(), WORDS)
    assert "is drawn at" not in picture.description
    assert arrows(picture.figure.axes[0], "query") == [pytest.approx(tuple(vectors(untrained())[0].tolist()))]


def test_a_sentence_without_minute_is_refused():
    with pytest.raises(ValueError, match="minute"):
        roles(trained(), ["there", "was", "one", "pause"])
