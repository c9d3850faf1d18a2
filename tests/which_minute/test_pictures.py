import math
from functools import cache

import pytest
import torch
from matplotlib.colors import to_rgb

from companion.pictures.palette import ROLES
from companion.which_minute.head import trained, untrained
from companion.which_minute.pictures import roles
from companion.which_minute.sentences import MEANINGS, VOCABULARY

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]
SENTENCES = ["there was one minute crack", "they talked about another minute walk", "one minute gap again", "minute"]


@cache
def picture(head=trained, sentence=None):
    return roles(head(), sentence.split() if sentence else WORDS)


@torch.no_grad()
def vectors(head, words=WORDS):
    """The query of "minute", and the key and the value of each word."""
    inputs = head.embedding.weight[VOCABULARY.encode(words)]
    query, key, value = (layer(inputs) for layer in (head.attend.W_query, head.attend.W_key, head.attend.W_value))
    return query[words.index("minute")], key, value


def drawn(axes):
    return [text for text in axes.texts if getattr(text, "arrow_patch", None)]


def arrows(axes):
    """The tips of the arrows, from the thinnest to the thickest."""
    return [arrow.xy for arrow in sorted(drawn(axes), key=lambda arrow: arrow.arrow_patch.get_linewidth())]


def labels(axes):
    return [text for text in axes.texts if text.get_text()]


def test_arrows_are_the_heads_keys_values_and_shortened_query():
    query, key, value = vectors(trained())
    left, right = picture().figure.axes
    assert sorted(arrows(right)) == sorted(map(tuple, value.tolist()))
    *others, tip = arrows(left)
    assert sorted(others) == sorted(map(tuple, key.tolist()))
    shorter = query.norm().item() / math.hypot(*tip)
    assert [shorter * number for number in tip] == pytest.approx(query.tolist())
    assert shorter == pytest.approx(4)


def test_the_largest_weight_has_the_strongest_arrows_and_its_number():
    _, key, value = vectors(trained())
    for axes, vector, role in zip(picture().figure.axes, (key, value), ("key", "value")):
        pause = vector[WORDS.index("pause")].tolist()
        assert pause in [list(tip) for tip in arrows(axes)[-2:]]  # beside the query, in its plane
        [strong] = [arrow for arrow in drawn(axes) if list(arrow.xy) == pause]
        assert strong.arrow_patch.get_facecolor()[:3] == pytest.approx(to_rgb(ROLES[role].fill), abs=0.02)
        assert "pause 0.98" in [label.get_text() for label in labels(axes)]


@torch.no_grad()
def test_the_context_lies_where_torchs_weights_put_it():
    query, key, value = vectors(trained())
    left, right = picture().figure.axes
    [mark] = [line for line in right.lines if line.get_marker() == "D"]
    context = torch.softmax(key @ query / 2**0.5, dim=-1) @ value
    assert mark.get_xydata()[0].tolist() == pytest.approx(context.tolist())
    pause = key[WORDS.index("pause")].tolist()
    [foot] = [end for start, end in (line.get_xydata().tolist() for line in left.lines) if start == pause]
    assert (torch.tensor([pause, foot]) @ query).diff().item() == pytest.approx(0, abs=1e-4)


@torch.no_grad()
def test_each_answer_stands_where_the_head_gives_it():
    right = picture().figure.axes[1]
    places = {label.get_text(): label.get_position() for label in labels(right)}
    found = trained().answer(torch.tensor([[*map(float, places[meaning])] for meaning in MEANINGS])).argmax(dim=1)
    assert found.tolist() == [0, 1, 2]


@pytest.mark.parametrize("head", [trained, untrained])
@pytest.mark.parametrize("sentence", [None, *SENTENCES])
def test_no_label_covers_a_label_or_a_tip_or_leaves_its_panel(head, sentence):
    figure = picture(head, sentence).figure
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes, frame = [label.get_window_extent() for label in labels(axes)], axes.get_window_extent()
        assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])
        tips = arrows(axes)
        for box in boxes:
            assert not any(box.contains(*axes.transData.transform(tip)) for tip in tips)
            assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1


def test_a_query_that_is_not_too_long_is_drawn_as_it_is():
    short = picture(untrained)
    assert "as it is drawn" not in short.description
    assert arrows(short.figure.axes[0])[-1] == pytest.approx(vectors(untrained())[0].tolist())


def test_a_sentence_without_minute_is_refused():
    with pytest.raises(ValueError, match="minute"):
        roles(trained(), ["there", "was", "one", "pause"])
