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


def shown(function=softened, /, *labels, **controls):
    """What explore shows: its box, its controls by name, and functions that read the picture and the message."""
    box = explore(function, *(labels or [TOKENS]), **(controls or {"temperature": SLIDER}))
    *widgets, message, picture = box.children
    return box, {widget.description: widget for widget in widgets}, lambda: picture.value, lambda: message.value


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
        ((0, 5, 1, 5), ipywidgets.IntSlider, 5, 0),
        (True, ipywidgets.Checkbox, True, False),
        (False, ipywidgets.Checkbox, False, True),
        (["all", "causal"], ipywidgets.Dropdown, "all", "causal"),
        ([8, 4, 2], ipywidgets.Dropdown, 8, 2),
        ("Life is short", ipywidgets.Text, "Life is short", "eat"),
        ("", ipywidgets.Text, "", "eat"),
    ],
    ids=str,
)
def test_each_control_starts_where_asked_and_hands_on_the_values_it_is_moved_to(control, kind, start, moved):
    calls = []
    _, controls, _, message = shown(lambda size: calls.append(size) or SQUARE, size=control)
    widget = controls["size"]
    widget.value = moved
    assert type(widget) is kind and message() == "" and calls == [start, moved]
    assert {type(value) for value in calls} == {type(start)}  # a whole number can index, 1.0 cannot
    if isinstance(control, tuple):
        assert (widget.min, widget.max, widget.step) == control[:3]
    if isinstance(control, list):
        assert list(widget.options) == control


def test_a_text_waits_for_enter_and_a_slider_for_nothing():
    _, controls, _, _ = shown(lambda **values: SQUARE, text="Life is", whole=(0, 5, 1, 5), size=SLIDER)
    assert [name for name, widget in controls.items() if not widget.continuous_update] == ["text"]


@pytest.mark.parametrize(
    "control",
    [3, 2.5, None, [], (), (0, 1, 0.1), (0, 1, 0.1, 0, 0), ("a", "z", "b", "c"), {"a": 1}, torch.ones(4)],
    ids=str,
)
def test_a_control_of_no_known_kind_is_refused(control):
    with pytest.raises(
        ValueError, match="size=.* is no control: give .* for a slider, .* check box, .* menu, or a text"
    ):
        explore(softened, TOKENS, size=control)


@pytest.mark.parametrize(
    "control",
    [(0, 1, 0.1, 2), (0, 1, 0.1, -1), (1, 0, 0.1, 0.5), (0, 1, 0, 0), (0, 1, -0.1, 0), (0, 1, 0.1, float("nan"))],
)
def test_a_slider_that_cannot_move_or_starts_outside_its_range_is_refused(control):
    with pytest.raises(ValueError, match=f"the slider size starts at {control[3]}, outside .* or has a step of"):
        explore(softened, TOKENS, size=control)


def test_the_readers_function_is_called_with_the_values_of_all_controls_by_name():
    calls = []
    _, controls, _, _ = shown(lambda **values: calls.append(values) or SQUARE, a=(0, 9, 1, 1), b=False)
    controls["b"].value = True
    controls["a"].value = 3
    assert calls == [{"a": 1, "b": False}, {"a": 1, "b": True}, {"a": 3, "b": True}]


def test_a_control_may_have_any_name_that_an_argument_has():
    calls = []

    def draw(function, queries, keys):
        calls.append((function, queries, keys))
        return SQUARE

    _, controls, picture, message = shown(draw, function=True, queries="a text", keys=[1, 2])
    assert list(controls) == ["function", "queries", "keys"] and calls == [(True, "a text", 1)]
    assert picture() == drawn(SQUARE, title="draw") and message() == ""


def test_moving_a_control_draws_the_new_weights():
    _, controls, picture, message = shown()
    for temperature in (1.0, 4.0, 0.5):
        controls["temperature"].value = temperature
        assert picture() == drawn(softened(temperature)) and message() == ""


@pytest.mark.parametrize("matrix, labels", [(SQUARE, [TOKENS]), (WIDE, [TOKENS, KEYS])], ids=["queries", "and keys"])
def test_labels_are_given_or_come_with_the_weights(matrix, labels):
    wanted = drawn(matrix, *labels, title="labelled")

    def labelled(returned):
        return (matrix, *labels) if returned else matrix

    assert explore(labelled, *labels, returned=False).children[-1].value == wanted
    assert explore(labelled, returned=True).children[-1].value == wanted


def test_a_title_says_what_the_controls_say():
    *_, picture = (box := explore(lambda size: (torch.eye(3), "abc"), size=(1, 3, 1, 2), title="Size {size}")).children
    assert "Size 2</caption>" in picture.value
    box.children[0].value = 3
    assert "Size 3</caption>" in picture.value and "Size 2" not in picture.value


def test_a_dot_stands_in_quotes_beside_its_row_and_over_its_column():
    _, _, picture, _ = shown(lambda temperature: SQUARE, ["end", "."])
    assert picture().count("<bdi>“.”</bdi>") == 2


def test_labels_that_the_function_returns_may_change():
    box = explore(lambda text: (torch.eye(len(text.split())), text.split()), text="Life is")
    control, message, picture = box.children
    control.value = "eat <b>dessert</b> first"
    assert message.value == "" and picture.value == drawn(torch.eye(3), control.value.split(), title="<lambda>")


@pytest.mark.parametrize("labels", [(TOKENS,), (TOKENS, TOKENS)], ids=["queries", "and keys"])
def test_labels_given_and_returned_are_refused_with_a_message(labels):
    _, message, picture = explore(lambda text: (SQUARE, *labels), TOKENS, text="Life is").children
    assert "labels were given and returned as well; do one of the two" in message.value and picture.value == ""


@pytest.mark.parametrize("labels", [[], [TOKENS], [TOKENS, TOKENS]], ids=["no labels", "queries", "and keys"])
def test_a_function_that_returns_nothing_is_told_to_end_with_return(labels):
    _, message, picture = explore(lambda text: None, *labels, text="Life is").children
    assert "ValueError: it returned nothing; end it with `return weights`" in message.value and picture.value == ""


@pytest.mark.parametrize("result", [SQUARE, (SQUARE,), (SQUARE, TOKENS, TOKENS, TOKENS), [SQUARE, TOKENS]])
def test_a_function_without_labels_is_told_how_to_give_them(result):
    _, message, picture = explore(lambda text: result, text="Life is").children
    assert "explore has no labels: give it tokens, or let the function return (weights, tokens)" in message.value
    assert picture.value == ""


def test_shares_by_name_are_drawn_as_bars_and_the_largest_is_said():
    box = explore(lambda size: {"saw": size, "<b>": 0.25}, title="Next", size=(0.5, 1.0, 0.25, 0.75))
    assert "width:calc(0.75 * 24em)" in box.children[-1].value and "&lt;b&gt;" in box.children[-1].value
    assert box._repr_mimebundle_()["text/plain"] == "explore(<lambda>): Largest: “saw” (0.75)."


def test_scores_are_drawn_where_signed_is_asked_for():
    def raw(scale):
        return torch.tensor([[1.0, -2.0], [-float("inf"), 0.0]]) * scale

    box = explore(raw, TOKENS, signed=True, scale=(1, 5, 1, 1))
    box.children[0].value = 2
    assert box.children[-1].value == drawn(raw(2), signed=True, title="raw")
    assert "weights lie between 0 and 1" in explore(raw, TOKENS, scale=(1, 5, 1, 1)).children[1].value


@pytest.mark.parametrize(
    "result",
    [
        None,
        3.0,
        "weights",
        [0.5, 0.5],
        torch.rand(3, 3),
        torch.rand(1, 2, 2),
        SQUARE * 2,
        SQUARE - 1,
        SQUARE * float("nan"),
        (SQUARE, TOKENS),
    ],
    ids=["nothing", "number", "text", "vector", "too large", "batch", "above 1", "below 0", "nan", "labels twice"],
)
def test_a_result_that_cannot_be_drawn_is_a_message_and_the_controls_go_on(result):
    _, controls, picture, message = shown(lambda temperature: result if temperature > 2 else softened(temperature))
    good = picture()
    controls["temperature"].value = 4.0
    assert "stopped:" in message() and picture() == good
    controls["temperature"].value = 1.5
    assert message() == "" and picture() != good


@pytest.mark.parametrize("kind", [ValueError, ZeroDivisionError, SystemExit, KeyError])
def test_an_exception_is_a_message_the_last_good_picture_stays_and_the_controls_go_on(kind):
    def fragile(temperature):
        if temperature > 2:
            raise kind("too <script>hot</script>")
        return softened(temperature)

    _, controls, picture, message = shown(fragile)
    good = picture()
    controls["temperature"].value = 4.0
    assert "fragile stopped:" in message() and "<script" not in message() and 'role="alert"' in message()
    assert f"{kind.__name__}: too <script>hot</script>" in html.unescape(message())
    assert picture() == good
    controls["temperature"].value = 2.0
    assert picture() == drawn(softened(2.0), title="fragile") and message() == ""


@pytest.mark.parametrize("kind", [NotImplementedError, KeyError])
def test_a_function_that_fails_from_the_start_is_a_message_and_the_controls_go_on(kind):
    def unwritten(temperature):
        if temperature == 1:
            raise kind
        return softened(temperature)

    box, controls, picture, message = shown(unwritten)
    assert picture() == "" and "unwritten stopped:" in box._repr_mimebundle_()["text/html"]
    assert box._repr_mimebundle_()["text/plain"] == "explore(unwritten)"
    controls["temperature"].value = 2.0
    assert message() == "" and picture() == drawn(softened(2.0), title="unwritten")


def test_the_name_of_a_function_is_text():
    def named(text):
        raise ValueError

    named.__name__ = TOKENS[0]
    assert "<script" not in explore(named, TOKENS, text="")._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("title", ["Sharp or soft?", TOKENS[0]])
def test_a_title_takes_the_place_of_the_functions_name_over_the_picture_alone(title):
    box = explore(softened, TOKENS, title=title, temperature=SLIDER)
    assert box.children[-1].value == drawn(softened(1.0), title=title)
    assert box._repr_mimebundle_()["text/plain"].startswith("explore(softened): ")


@pytest.mark.parametrize(
    "matrix, labels, signed, words",
    [
        (SQUARE, [TOKENS], False, f"Largest weight: “{TOKENS[1]}” to “{TOKENS[0]}” (1.00)."),
        (WIDE, [TOKENS, KEYS], False, f"Largest weight: “{TOKENS[1]}” to “{KEYS[0]}” (0.90)."),
        (WIDE - 7, [TOKENS, KEYS], True, f"Largest score: “{TOKENS[1]}” to “{KEYS[0]}” (−6.10)."),
        (SQUARE * -1e9, [TOKENS], True, f"Largest score: “{TOKENS[1]}” to “{TOKENS[1]}” (0.00)."),
    ],
)
def test_the_largest_number_is_named_under_the_picture_and_in_its_plain_text(matrix, labels, signed, words):
    stored = explore(lambda text: matrix, *labels, signed=signed, text="")._repr_mimebundle_()
    (under,) = re.findall('<p role="status"[^>]*>(.*?)</p>', stored["text/html"])
    assert html.unescape(re.sub("</?bdi>", "", under)) == words
    assert stored["text/plain"] == f"explore(<lambda>): {words}"


def test_what_is_stored_is_the_picture_of_the_start_without_addresses_or_ids():
    box, controls, _, _ = shown()
    controls["temperature"].value = 4.0
    stored = box._repr_mimebundle_()
    still = hint("Run the cell to move this picture's controls: temperature 1.0.")
    assert stored["text/html"] == drawn(softened(1.0), below=still)
    assert stored["text/plain"] == f"explore(softened): Largest weight: “{TOKENS[1]}” to “{TOKENS[0]}” (0.95)."
    assert not re.search(r"0x[0-9a-f]{4,}|\bid=|[0-9a-f]{16,}", stored["text/html"] + stored["text/plain"])


def test_the_controls_themselves_are_shown_where_a_kernel_runs():
    box, _, _, _ = shown()
    assert box._repr_mimebundle_()["application/vnd.jupyter.widget-view+json"]["model_id"] == box.model_id


def test_a_function_without_a_name_can_be_explored():
    box = explore(partial(torch.softmax, torch.eye(2)), ["Life", "is"], dim=(0, 1, 1, 1))
    words = "explore(partial): Largest weight: “Life” to “Life” (0.73)."
    assert box._repr_mimebundle_()["text/plain"] == words and box.children[1].value == ""
