import html
import re
from functools import partial

import ipywidgets
import pytest
import torch
from hostile import SHOWN

from companion.pictures.live.explore import explore
from companion.pictures.table import hint, label, sheet, table
from companion.pictures.words import describe_largest

TOKENS, KEYS = SHOWN[:2], SHOWN[2:5]
SQUARE, WIDE = torch.tensor([[0.2, 0.8], [1.0, 0.0]]), torch.tensor([[0.2, 0.5, 0.3], [0.9, 0.0, 0.1]])
SLIDER = (0.5, 4.0, 0.5, 1.0)


def softened(temperature):
    return torch.softmax(torch.tensor([[1.0, 2.0], [3.0, 0.0]]) / temperature, -1)


def explored(function=softened, /, *labels, **controls):
    """What explore shows: its controls by name, and functions that read the picture and the message."""
    *widgets, message, picture = explore(
        function, *(labels or [TOKENS]), **(controls or {"temperature": SLIDER})
    ).children
    return {widget.description: widget for widget in widgets}, lambda: picture.value, lambda: message.value


def drawn(matrix, queries=TOKENS, keys=None, *, signed=False, title="softened", below=""):
    """The picture that stands for these weights, or scores."""
    fact = describe_largest(matrix.tolist(), queries, keys or queries, "score" if signed else "weight", label)
    page = table(matrix, queries, keys, signed=signed, title=title)
    words = f'<p role="status" style="margin:0.6em 0 0;color:#1F2430;width:0;min-width:100%">{fact}</p>'
    return sheet(f"{page}{words}{below}", title)


@pytest.mark.parametrize(
    "control, kind, start, moved",
    [
        ((0.5, 4.0, 0.25, 1.0), ipywidgets.FloatSlider, 1.0, 2.5),
        ((0, 1, 0.5, 0), ipywidgets.FloatSlider, 0.0, 1.0),
        ((-3, 3, 2, -1), ipywidgets.IntSlider, -1, 3),
        (False, ipywidgets.Checkbox, False, True),
        (["all", "causal"], ipywidgets.Dropdown, "all", "causal"),
        ("Life is short", ipywidgets.Text, "Life is short", "eat"),
        ("", ipywidgets.Text, "", "eat"),
    ],
    ids=str,
)
def test_a_control_starts_where_asked_and_hands_on_its_values(control, kind, start, moved):
    calls = []
    controls, _, message = explored(lambda size: calls.append(size) or SQUARE, size=control)
    widget = controls["size"]
    widget.value = moved
    assert type(widget) is kind and message() == "" and calls == [start, moved]
    assert {type(value) for value in calls} == {type(start)}  # a whole number can index, 1.0 cannot
    assert kind is not ipywidgets.Text or not widget.continuous_update  # a text counts once Enter is pressed
    if isinstance(control, tuple):
        assert (widget.min, widget.max, widget.step) == control[:3]
    if isinstance(control, list):
        assert list(widget.options) == control


@pytest.mark.parametrize("control", [3, None, [], (0, 1, 0.1), ("a", "z", "b", "c"), {"a": 1}], ids=str)
def test_a_control_of_no_known_kind_is_refused(control):
    words = "size=.* is not a control: give .* for a slider, .* check box, .* menu, or a text"
    with pytest.raises(ValueError, match=words):
        explore(softened, TOKENS, size=control)


@pytest.mark.parametrize("control", [(0, 1, 0.1, 2), (1, 0, 0.1, 0.5), (0, 1, 0, 0), (0, 1, 0.1, float("nan"))])
def test_a_slider_that_cannot_move_or_starts_outside_its_range_is_refused(control):
    with pytest.raises(ValueError, match=f"the slider size starts at {control[3]}, outside .* or has a step of"):
        explore(softened, TOKENS, size=control)


def test_the_function_gets_all_controls_by_name_whatever_the_names():
    calls = []

    def draw(function, queries, keys):
        calls.append((function, queries, keys))
        return SQUARE

    controls, picture, message = explored(draw, function=True, queries="a text", keys=[1, 2])
    controls["keys"].value = 2
    assert list(controls) == ["function", "queries", "keys"] and calls == [(True, "a text", 1), (True, "a text", 2)]
    assert picture() == drawn(SQUARE, title="draw") and message() == ""


@pytest.mark.parametrize("matrix, labels", [(SQUARE, [TOKENS]), (WIDE, [TOKENS, KEYS])], ids=["queries", "and keys"])
def test_labels_are_given_or_come_with_the_weights(matrix, labels):
    def labelled(returned):
        return (matrix, *labels) if returned else matrix

    pictures = explore(labelled, *labels, returned=False), explore(labelled, returned=True)
    assert [picture.children[-1].value for picture in pictures] == [drawn(matrix, *labels, title="labelled")] * 2


def test_a_title_says_what_the_controls_say():
    *_, picture = (box := explore(lambda size: (torch.eye(3), "abc"), size=(1, 3, 1, 2), title="Size {size}")).children
    assert "Size 2</caption>" in picture.value
    box.children[0].value = 3
    assert "Size 3</caption>" in picture.value and "Size 2" not in picture.value


def test_a_dot_stands_in_quotes_beside_its_row_and_over_its_column():
    _, picture, _ = explored(lambda temperature: SQUARE, ["end", "."])
    assert picture().count("<bdi>“.”</bdi>") == 2


def test_labels_that_the_function_returns_may_change():
    box = explore(lambda text: (torch.eye(len(text.split())), text.split()), text="Life is")
    control, message, picture = box.children
    control.value = "eat <b>dessert</b> first"
    assert message.value == "" and picture.value == drawn(torch.eye(3), control.value.split(), title="<lambda>")


@pytest.mark.parametrize(
    "result, labels, words",
    [
        ((SQUARE, TOKENS), [TOKENS], "labels were given and returned as well; do one of the two"),
        (None, [TOKENS], "ValueError: it returned nothing; end it with `return weights`"),
        (None, [], "ValueError: it returned nothing; end it with `return weights`"),
        (SQUARE, [], "explore has no labels: give it tokens, or let the function return (weights, tokens)"),
        ([SQUARE, TOKENS], [], "explore has no labels"),
        (SQUARE * 2, [TOKENS], "weights lie between 0 and 1"),
    ],
    ids=["labels twice", "nothing", "nothing, no labels", "no labels", "a list", "no weights"],
)
def test_a_result_that_cannot_be_drawn_is_a_message_that_says_what_to_do(result, labels, words):
    _, message, picture = explore(lambda text: result, *labels, text="Life is").children
    assert words in message.value and picture.value == ""


def test_shares_by_name_are_drawn_as_bars_and_the_largest_is_said():
    box = explore(lambda size: {"saw": size, "<b>": 0.25}, title="Next", size=(0.5, 1.0, 0.25, 0.75))
    assert "width:calc(0.75 * 24em)" in box.children[-1].value and "&lt;b&gt;" in box.children[-1].value
    assert box._repr_mimebundle_()["text/plain"] == "explore(<lambda>): Largest: “saw” (0.75)."


def test_scores_are_drawn_where_signed_is_asked_for():
    def raw(scale):
        return torch.tensor([[1.0, -2.0], [-float("inf"), 0.0]]) * scale

    box = explore(raw, TOKENS, signed=True, scale=(1, 5, 1, 1))
    said = f"explore(raw): Largest score: “{TOKENS[0]}” to “{TOKENS[0]}” (1.00)."
    assert box._repr_mimebundle_()["text/plain"] == said
    box.children[0].value = 2
    assert box.children[-1].value == drawn(raw(2), signed=True, title="raw")


@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyError])
def test_an_exception_is_a_message_and_the_last_good_picture_stays(kind):
    def fragile(temperature):
        if temperature > 2:
            raise kind("too <script>hot</script>")
        return softened(temperature)

    fragile.__name__ = "<script>"
    controls, picture, message = explored(fragile)
    good = picture()
    controls["temperature"].value = 4.0
    assert "<script" not in message() and 'role="alert"' in message()
    said = html.unescape(re.sub("</?b>", "", message()))
    assert f"<script> stopped: {kind.__name__}: too <script>hot</script>" in said and picture() == good
    controls["temperature"].value = 2.0
    assert picture() == drawn(softened(2.0), title="<script>") and message() == ""


@pytest.mark.parametrize("kind", [NotImplementedError, KeyError])
def test_the_controls_go_on_after_a_function_that_fails_at_first(kind):
    def unwritten(temperature):
        if temperature == 1:
            raise kind
        return softened(temperature)

    box = explore(unwritten, TOKENS, temperature=SLIDER)
    control, message, picture = box.children
    assert picture.value == "" and "unwritten stopped:" in box._repr_mimebundle_()["text/html"]
    assert box._repr_mimebundle_()["text/plain"] == "explore(unwritten)"
    control.value = 2.0
    assert message.value == "" and picture.value == drawn(softened(2.0), title="unwritten")


@pytest.mark.parametrize("title", ["Sharp or soft?", TOKENS[0]])
def test_a_title_replaces_the_functions_name_over_the_picture_alone(title):
    box = explore(softened, TOKENS, title=title, temperature=SLIDER)
    assert box.children[-1].value == drawn(softened(1.0), title=title)
    assert box._repr_mimebundle_()["text/plain"].startswith("explore(softened): ")


def test_the_picture_of_the_start_is_stored_without_addresses_or_ids():
    box = explore(softened, TOKENS, temperature=SLIDER)
    box.children[0].value = 4.0
    stored = box._repr_mimebundle_()
    still = hint("Run the cell to move this picture's controls: temperature 1.0.")
    assert stored["text/html"] == drawn(softened(1.0), below=still)
    assert stored["text/plain"] == f"explore(softened): Largest weight: “{TOKENS[1]}” to “{TOKENS[0]}” (0.95)."
    assert not re.search(r"0x[0-9a-f]{4,}|\bid=|[0-9a-f]{16,}", stored["text/html"] + stored["text/plain"])
    assert stored["application/vnd.jupyter.widget-view+json"]["model_id"] == box.model_id  # where a kernel runs


def test_a_function_without_a_name_can_be_explored():
    box = explore(partial(torch.softmax, torch.eye(2)), ["Life", "is"], dim=(0, 1, 1, 1))
    words = "explore(partial): Largest weight: “Life” to “Life” (0.73)."
    assert box._repr_mimebundle_()["text/plain"] == words and box.children[1].value == ""
