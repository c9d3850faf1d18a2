import html
import re
import xml.etree.ElementTree as ElementTree
from functools import partial

import ipywidgets
import pytest
import torch
from matplotlib.colors import to_rgb

from utils.interactive import explore, table
from utils.style import WEIGHT_COLOURS, ink_on

WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
TOKENS = ["short", "<script>alert('x')</script>"]


def rows_of(page):
    """The texts of a table's rows, header first. The parser also refuses any tag that is not closed."""
    return [["".join(cell.itertext()) for cell in row] for row in ElementTree.fromstring(page).iter("tr")]


def softened(temperature):
    return torch.softmax(torch.tensor([[1.0, 2.0], [3.0, 0.0]]) / temperature, -1)


def shown(function=softened, **sliders):
    """What explore shows: its box, its sliders, and functions that read the picture and the message."""
    box = explore(function, TOKENS, **(sliders or {"temperature": (0.5, 4.0, 0.5, 1.0)}))
    *controls, picture, message = box.children
    return box, {control.description: control for control in controls}, lambda: picture.value, lambda: message.value


def test_each_cell_of_the_table_shows_the_weight_of_its_query_and_key():
    wanted = [["", *KEYS], ["Life", "0.20", "0.50", "0.30"], ["is", "0.91", "0.00", "0.09"]]
    assert rows_of(table(WEIGHTS, QUERIES, KEYS)) == wanted


def test_one_list_of_labels_serves_queries_and_keys():
    assert rows_of(table(torch.eye(2), QUERIES)) == [["", *QUERIES], ["Life", "1.00", "0.00"], ["is", "0.00", "1.00"]]


def test_each_cell_has_the_colour_of_its_weight_and_ink_that_stands_out():
    styles = [cell.get("style") for cell in ElementTree.fromstring(table(WEIGHTS, QUERIES, KEYS)).iter("td")]
    for weight, style in zip(WEIGHTS.flatten().tolist(), styles[1:]):  # the first cell is the empty corner
        face = WEIGHT_COLOURS(weight)[:3]
        drawn = [int(channel) / 255 for channel in re.search(r"rgb\((\d+),(\d+),(\d+)\)", style).groups()]
        assert drawn == pytest.approx(face, abs=0.002)
        assert to_rgb(re.search(r"[^-]color:(#\w+)", style).group(1)) == to_rgb(ink_on(face))


def test_a_screen_reader_is_told_the_title_and_which_cells_are_headers():
    page = ElementTree.fromstring(table(WEIGHTS, QUERIES, KEYS, title="my attention"))
    assert page.find("caption").text == "my attention"
    assert [header.text for header in page.iter("th") if header.get("scope") == "col"] == KEYS
    assert [header.text for header in page.iter("th") if header.get("scope") == "row"] == QUERIES


def test_tokens_and_titles_are_text_and_never_markup():
    page = table(torch.eye(2), TOKENS, ["<b>", "&amp;"], title="</table><img src=x>")
    assert "<script" not in page and "<b>" not in page and "<img" not in page
    assert rows_of(page)[0] == ["", "<b>", "&amp;"]
    assert rows_of(page)[2][0] == TOKENS[1]


@pytest.mark.parametrize("shape", [(3, 2), (2, 2), (6,), (1, 2, 3)])
def test_weights_that_do_not_fit_the_labels_are_refused(shape):
    with pytest.raises(ValueError, match=re.escape(f"the weights have shape {shape}; the labels need (2, 3)")):
        table(torch.rand(shape), QUERIES, KEYS)


def test_each_slider_has_the_range_step_and_start_that_were_asked_for():
    _, sliders, _, _ = shown(lambda a, b: torch.eye(2), a=(0.5, 4.0, 0.25, 1.0), b=(-1, 1, 1, 0))
    ranges = {name: (slider.min, slider.max, slider.step, slider.value) for name, slider in sliders.items()}
    assert ranges == {"a": (0.5, 4.0, 0.25, 1.0), "b": (-1, 1, 1, 0)}


def test_the_readers_function_is_called_with_the_sliders_values_by_name():
    calls = []
    _, sliders, _, _ = shown(lambda **values: calls.append(values) or torch.eye(2), a=(0, 9, 1, 1), b=(0, 9, 1, 2))
    sliders["b"].value = 5
    sliders["a"].value = 3
    assert calls == [{"a": 1, "b": 2}, {"a": 1, "b": 5}, {"a": 3, "b": 5}]


def test_moving_a_slider_draws_the_new_weights():
    _, sliders, picture, message = shown()
    for temperature in (1.0, 4.0, 0.5):
        sliders["temperature"].value = temperature
        assert picture() == table(softened(temperature), TOKENS, title="softened")
        assert message() == ""


def test_an_exception_is_a_message_the_last_good_picture_stays_and_the_sliders_go_on():
    def fragile(temperature):
        if temperature > 2:
            raise ValueError("too <script>hot</script>")
        return softened(temperature)

    _, sliders, picture, message = shown(fragile)
    good = picture()
    sliders["temperature"].value = 4.0
    assert "fragile stopped:" in message() and "<script" not in message()
    assert "ValueError: too <script>hot</script>" in html.unescape(message())
    assert picture() == good
    sliders["temperature"].value = 2.0
    assert picture() == table(softened(2.0), TOKENS, title="fragile") and message() == ""


@pytest.mark.parametrize(
    "result",
    [None, 3.0, "weights", [[0.5, 0.5], [0.5, 0.5]], torch.rand(2), torch.rand(3, 3), torch.rand(1, 2, 2)],
    ids=["nothing", "number", "text", "lists", "vector", "too large", "batch"],
)
def test_a_result_that_cannot_be_drawn_is_a_message_and_the_sliders_go_on(result):
    _, sliders, picture, message = shown(lambda temperature: result if temperature > 2 else softened(temperature))
    good = picture()
    sliders["temperature"].value = 4.0
    assert "stopped:" in message() and picture() == good
    sliders["temperature"].value = 1.5
    assert message() == "" and picture() != good


def test_a_function_that_fails_from_the_start_is_a_message_and_the_sliders_go_on():
    def unwritten(temperature):
        if temperature == 1:
            raise NotImplementedError
        return softened(temperature)

    box, sliders, picture, message = shown(unwritten)
    assert picture() == "" and "unwritten stopped:" in box._repr_mimebundle_()["text/html"]
    sliders["temperature"].value = 2.0
    assert message() == "" and rows_of(picture())


def test_what_is_stored_is_the_picture_of_the_start_without_addresses_or_ids():
    box, sliders, _, _ = shown()
    sliders["temperature"].value = 4.0
    stored = box._repr_mimebundle_()
    assert stored["text/html"] == table(softened(1.0), TOKENS, title="softened")
    assert stored["text/plain"] == "explore(softened)"
    assert not re.search(r"0x[0-9a-f]{4,}|\bid=|[0-9a-f]{16,}", stored["text/html"] + stored["text/plain"])


def test_the_sliders_themselves_are_shown_where_a_kernel_runs():
    box, sliders, _, _ = shown()
    assert box._repr_mimebundle_()["application/vnd.jupyter.widget-view+json"]["model_id"] == box.model_id
    assert all(isinstance(slider, ipywidgets.FloatSlider) for slider in sliders.values())


def test_a_function_without_a_name_can_be_explored():
    box = explore(partial(torch.softmax, torch.eye(2)), ["Life", "is"], dim=(1, 1.5, 0.5, 1))
    assert box._repr_mimebundle_()["text/plain"] == "explore(partial)"
