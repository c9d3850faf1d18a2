"""The one comparison of outputs: numbers as numbers, and all else to the byte."""

import base64
import io
import json

import pytest
from PIL import Image, ImageDraw

from compare_outputs import Different, compare, same


def data(scores, **others):
    """Return a live picture's HTML with this data."""
    text = json.dumps({"scores": scores, "queries": ["Life"], "head_dim": 24, **others}).replace('"', "&quot;")
    return f'<div data-view="{text}" style="font-size:13px"><td>0.40</td></div>'


def cell(face, ink="#000", number="0.40"):
    return f'<td style="background:{face};color:{ink}">{number}</td>'


def shown(picture):
    return f'<p>0.40</p><img alt="a drawing" src="data:image/png;base64,{picture}"/>'


def picture(*edges, wide=200, fill="black"):
    image = Image.new("RGB", (wide, 100), "white")
    for edge in edges:
        ImageDraw.Draw(image).rectangle(edge, fill=fill)
    file = io.BytesIO()
    image.save(file, format="png")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    "stored, fresh",
    [
        ("0.4917", "0.4918"),
        ("weights sum to 1.00 and 0.99\n", "weights sum to 0.99 and 1.00\n"),
        ("-0.0000  −0.0000", " 0.0000   0.0000"),
        ("51 %", "52 %"),
        ("9.99e-05", "1.00e-04"),
        ("  9.9999\n  1.0000", " 10.0000\n  1.0000"),
        ("largest 0.5, smallest 0.1", "largest 0.501, smallest 0.1"),
        ("+0.00", "-0.00"),
        ("a b  9.99\na b  1.00", "a b  10.00\na b   1.00"),
        (data([1.23456, 1e-5, float("inf"), None]), data([1.23457, 2e-5, float("inf"), None])),
        (data(["61% 39%/0%"]).replace("view", "picture"), data(["61% 38%/1%"]).replace("view", "picture")),
        (cell("#a9cfe6"), cell("#accce3")),
        (cell("#a9cfe6", "#000"), cell("#a8cfe6", "#FFF")),
        (picture((10, 10, 90, 90)), picture((10, 10, 90, 90), (100, 50, 101, 51))),
        (shown(picture((10, 10, 90, 90))), shown(picture((10, 10, 90, 90), (100, 50, 101, 51)))),
    ],
)
def test_what_another_order_of_sums_may_change_is_the_same(stored, fresh):
    assert same(stored, fresh) and same(fresh, stored)


@pytest.mark.parametrize(
    "stored, fresh",
    [
        ("0.4917", "0.4919"),
        ("0.4917", "-0.4917"),
        ("  0.4917", " 0.4917"),
        ("shape (6, 16)", "shape (6, 17)"),
        ("below 1e-06", "below 1e-05"),
        ("51%", "53%"),
        ("0.1 0.2 0.3 0.4", "0.2 0.3 0.4 0.5"),
        ("0.5", "0.5000"),
        ("0.5", "0.509"),
        ("+0.50", "0.50"),
        ("9.99 1 2", "10.00 12"),
        ("torch 2.13.0", "torch 2.14.0"),
        ("block1.5", "block1.6"),
        (["0.5"], ["0.5", "0.6"]),
        ("<p style='margin:0.6em'>0.5</p>", "<p style='margin:0.7em'>0.5</p>"),
        ("<script>k = 0.02;\nif (a < b) c</script>", "<script>k = 0.03;\nif (a < b) c</script>"),
        ("<style>p { margin: 0.02em }</style>", "<style>p { margin: 0.03em }</style>"),
        (data([1.23456, None]), data([1.23460, None])),
        (data([1.0, None]), data([1.0, 0.0])),
        (data([1.0]), data([1.0, 2.0])),
        (data([1.0], width=3), data([1.0], height=3)),
        (data(["61% 39%"]), data(["61% 37%"])),
        (data([1.0]), data([1.0]).replace("13px", "14px")),
        (cell("#a9cfe6"), cell("#a9cfe2")),
        (cell("#a9cfe6", "#000"), cell("#a9cfe6", "#FFF")),
        (picture((10, 10, 90, 90)), picture((10, 10, 90, 90), (120, 50, 122, 52))),
        (shown(picture((10, 10, 90, 90))), shown(picture((10, 10, 90, 90), (120, 50, 122, 52)))),
        (picture(), picture(wide=201)),
        (picture((10, 10, 90, 90)), picture((10, 10, 90, 90), fill="red")),
        (picture(), "0.5"),
        ({"text/plain": "0.5"}, {"text/plain": "0.5", "text/html": "0.5"}),
    ],
)
def test_everything_else_is_different(stored, fresh):
    assert not same(stored, fresh) and not same(fresh, stored)


def test_a_difference_is_told_with_both_sides():
    with pytest.raises(Different, match="stored: 0.4917\nfresh: 0.4919"):
        compare("weight 0.4917", "weight 0.4919", [])


def test_numbers_and_their_differences_are_counted():
    compare(["0.1 0.2 and 7", data([2.0, 4.0])], ["0.1 0.3 and 7", data([2.0, 4.00004])], differed := [])
    assert differed == [False, True, False, True, False]
