"""What every live picture gives: a twin that reads without a script, its data, and scripts that need no network."""

import functools
import json
import re

import pytest
from bs4 import BeautifulSoup
from hostile import HOSTILE, SHOWN
from live_pictures import EXAMPLES, WITH_TOKENS, made

from companion.pictures.live.base import WEIGHT_LOOK, Live, six_digits
from companion.pictures.palette import WEIGHT_COLORS, WEIGHT_STOPS, ink_on

BYTES = 25_000


@functools.cache
def first(name):
    """Return a picture, what it stores, and that as a page; it is drawn once."""
    picture = made(name)
    bundle = picture._repr_mimebundle_()
    return picture, bundle, page_of(bundle)


def page_of(bundle):
    return BeautifulSoup(bundle["text/html"], "html.parser")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_is_small_and_says_the_same_as_text_and_as_html(name):
    picture, bundle, page = first(name)
    assert len(json.dumps(bundle, ensure_ascii=False, indent=1).encode()) < BYTES
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == f"{name}: {page.select_one('.attn-sentence').text}"
    assert json.loads(page.find(f"attn-{name}")["data-picture"]) == json.loads(json.dumps(picture.data))
    assert page.div["aria-label"] == page.select_one(f"attn-{name} > p").text == picture.title
    assert page.select_one(f"attn-{name} > p + p.attn-hint + div").attrs == {"class": ["attn-body"]}
    assert page.select_one(".attn-hint").text == "Run the cell to move this picture."
    assert page.select_one(".attn-body > details:not([open]) > summary").text == "The same as a table"
    assert page.details.table


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_is_stored_alike_each_time_without_ids_or_a_network(name):
    _, bundle, page = first(name)
    texts = bundle["text/html"], made(name)._repr_mimebundle_()["text/html"]
    assert texts[0] == texts[1] and not re.search(r"0x[0-9a-f]{4,}|\bid=", texts[0])
    for tag in ("script", "style"):
        (element,) = page.find_all(tag)
        assert element.string and not element.attrs
        assert set(re.findall(r"(?:https?:)?//[\w.]+[^\"'\s]*", element.string)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"</(script|style)|<!--|@import|url\(|fetch|import\(", element.string, re.IGNORECASE)
    used = {each for element in page.find_all(True) for each in element.get("class", [])}
    styled = set(re.findall(r"\.([a-z][\w-]*)", page.style.string))
    assert all(each.startswith(("attn-", "attention-")) for each in used | styled)


@pytest.mark.parametrize("name", WITH_TOKENS)  # the other way round, and with its script, in a browser
def test_tokens_are_text_and_not_markup(name):
    plain, hostile = (
        page_of(made(name, each)._repr_mimebundle_()) for each in ([f"token{place}." for place in range(9)], HOSTILE)
    )
    assert [each.name for each in hostile.find_all(True)] == [each.name for each in plain.find_all(True)]
    texts = [page.find(f"attn-{name}").text for page in (plain, hostile)]
    assert all(SHOWN[int(place)] in texts[1] for place in re.findall(r"token(\d)\.", texts[0]))


def test_a_title_is_text():
    assert page_of(Live("kept", {}, "", "", HOSTILE[1])._repr_mimebundle_()).p.text == HOSTILE[1]


@pytest.mark.parametrize(
    "number, kept",
    [
        (11.146645, 11.1466),
        (-1e-7, 0.0),
        (float("-inf"), None),
    ],
)
def test_a_number_is_stored_with_six_digits_and_at_most_six_decimals(number, kept):
    assert json.dumps(six_digits([[number, 1.0]])) == json.dumps([[kept, 1.0]])


def test_scripts_are_told_the_colors_and_inks_of_the_tables():
    first, last = WEIGHT_LOOK["blackInk"]
    assert WEIGHT_LOOK["stops"] == WEIGHT_STOPS
    for weight in (step / 255 for step in range(256)):
        assert (ink_on(WEIGHT_COLORS(weight)[:3]) == "#000") == (first <= weight <= last)
