import functools
import html
import re

import ipywidgets
import pytest
from hostile import SHOWN

from companion.pictures.live.explore import explore
from companion.pictures.table import hint

FIRST, OTHER = SHOWN[:2]
SLIDER = (0.5, 4.0, 0.5, 1.0)


def shared(temperature):
    """Two shares of 1, which are the more even the higher the temperature is."""
    return {FIRST: 1 - 0.125 * temperature, OTHER: 0.125 * temperature}


def explored(function=shared, /, **controls):
    """What explore shows: its controls by name, and functions that read the picture and the message."""
    *widgets, message, picture = explore(function, **(controls or {"temperature": SLIDER})).children
    return {widget.description: widget for widget in widgets}, lambda: picture.value, lambda: message.value


def rows(picture):
    """The name and the number of each bar, and how wide it is, of 24 em."""
    found = re.findall(r"<bdi>(.*?)</bdi>.*?calc\((.*?) \* 24em\).*?</div>(.*?)</td>", picture)
    return [(html.unescape(name), number, wide) for name, wide, number in found]


def drawn(**shares):
    """The rows of these shares."""
    return [(name, f"{share:.2f}", f"{share:.2f}") for name, share in shares.items()]


@pytest.mark.parametrize(
    "control, kind, start, moved",
    [
        ((0.5, 4.0, 0.25, 1.0), ipywidgets.FloatSlider, 1.0, 2.5),
        ("", ipywidgets.Text, "", "eat"),
    ],
    ids=str,
)
def test_a_control_starts_where_asked_and_hands_on_its_values(control, kind, start, moved):
    calls = []
    controls, _, message = explored(lambda size: calls.append(size) or {"a": 1}, size=control)
    widget = controls["size"]
    widget.value = moved
    assert type(widget) is kind and message() == "" and calls == [start, moved]
    assert kind is not ipywidgets.Text or not widget.continuous_update  # a text counts once Enter is pressed
    if isinstance(control, tuple):
        assert (widget.min, widget.max, widget.step) == control[:3]


@pytest.mark.parametrize("control", [3, (0, 1, 0.1), ("a", "z", "b", "c")], ids=str)
def test_a_control_of_no_known_kind_is_refused(control):
    with pytest.raises(ValueError, match="size=.* is not a control: give .* for a slider, or a text"):
        explore(shared, size=control)


@pytest.mark.parametrize("control", [(0, 1, 0.1, 2), (0, 1, 0, 0)])
def test_a_slider_that_cannot_move_or_starts_outside_its_range_is_refused(control):
    with pytest.raises(ValueError, match=f"the slider size starts at {control[3]}, outside .* or has a step of"):
        explore(shared, size=control)


def test_the_function_gets_all_controls_by_name_whatever_the_names():
    calls = []

    def draw(function, text):
        calls.append((function, text))
        return {text: 1}

    controls, picture, _ = explored(draw, function=(0, 1, 1, 0), text="a text")
    controls["text"].value = "another"
    assert list(controls) == ["function", "text"] and calls == [(0, "a text"), (0, "another")]
    assert rows(picture()) == drawn(another=1) and ">draw</caption>" in picture()


def test_each_share_is_a_bar_and_the_largest_is_dark_and_said():
    box = explore(lambda size: {"saw": size, "<b>": 0.25}, size=(0.0, 1.0, 0.25, 0.75))
    control, _, picture = box.children
    assert rows(picture.value) == drawn(**{"saw": 0.75, "<b>": 0.25}) and "<b>" not in picture.value
    assert box._repr_mimebundle_()["text/plain"] == "explore(<lambda>): Largest: “saw” (0.75)."
    before = picture.value
    control.value = 0.0
    dark, pale = (re.findall("background:(#.*?);", each) for each in (before, picture.value))
    assert dark == pale[::-1] and len({*dark}) == 2


def test_the_largest_of_each_question_is_dark_and_said():
    box = explore(lambda size: {"who": {"a": 0.3, "b": 0.7}, "why": {"a": 0.2, "b": 0.1}}, size=SLIDER)
    pale, dark, *others = re.findall("background:(#.*?);", box.children[-1].value)
    assert others == [dark, pale] and pale != dark and box.children[-1].value.count("colspan") == 2
    assert box._repr_mimebundle_()["text/plain"].endswith(": Largest: who: “b” (0.70), why: “a” (0.20).")


def test_a_wrong_answer_is_red_and_of_no_one_whole_none_is_dark():
    def answers(size):
        return {"": {"a → b ≠ c": 0.9, "d → e": size}, "f": {"g ≠ h": 0.5}}  # the second question's is one whole

    box = explore(answers, size=(0.0, 1.0, 0.0625, 0.125))
    box.children[0].value = 0.0625
    one_whole = box.children[-1].value
    box.children[0].value = 0.125
    colors = [re.findall("background:(#.*?);", each) for each in (one_whole, box.children[-1].value)]
    assert colors[0] == colors[1] and colors[0][0] == "#C23B22" != colors[0][1]
    assert box._repr_mimebundle_()["text/plain"].endswith("): “a → b ≠ c” (0.90), “d → e” (0.12), f: “g ≠ h” (0.50).")


def test_a_function_may_have_no_name_and_an_error_no_words():
    def lost(words):
        raise KeyError

    _, picture, message = explored(functools.partial(lambda words: {"a": 1}), words=FIRST)
    assert ">partial</caption>" in picture() and message() == ""
    assert "KeyError: " in explored(lost, words=FIRST)[2]()
    assert "<script" not in explore(lost, words=FIRST)._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("result", [None, [0.5, 0.5]])
def test_what_is_no_dictionary_is_a_message_that_says_what_to_return(result):
    _, picture, message = explored(lambda temperature: result)
    assert f"ValueError: it returned a {type(result).__name__}; end it with `return` and {{name: " in message()
    assert picture() == ""


@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyError])
def test_an_exception_is_a_message_and_the_last_good_picture_stays(kind):
    def fragile(temperature):
        if temperature > 2:
            raise kind("too <script>hot</script>")
        return shared(temperature)

    fragile.__name__ = "<script>"
    controls, picture, message = explored(fragile)
    good = picture()
    controls["temperature"].value = 4.0
    assert "<script" not in message() and 'role="alert"' in message()
    said = html.unescape(re.sub("</?b>", "", message()))
    assert f"<script> stopped: {kind.__name__}: too <script>hot</script>" in said and picture() == good
    controls["temperature"].value = 2.0
    assert rows(picture()) == drawn(**shared(2.0)) and message() == "" and "<script" not in picture()


def test_the_picture_of_the_start_is_stored_without_addresses_or_ids():
    box = explore(shared, temperature=SLIDER)
    start = box.children[-1].value
    box.children[0].value = 4.0
    stored = box._repr_mimebundle_()
    still = hint("Run the cell to move this picture's controls: temperature 1.")
    assert stored["text/html"] == start.replace("<table", f"{still}<table", 1)
    assert stored["text/plain"] == f"explore(shared): Largest: “{FIRST}” (0.88)."
    assert not re.search(r"0x[0-9a-f]{4,}|\bid=|[0-9a-f]{16,}", stored["text/html"] + stored["text/plain"])
    assert stored["application/vnd.jupyter.widget-view+json"]["model_id"] == box.model_id  # where a kernel runs
