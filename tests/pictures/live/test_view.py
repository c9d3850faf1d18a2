import json
import math
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest
import torch
from hostile import SHOWN

from companion.pictures.live.view import view
from companion.pictures.palette import WEIGHT_COLOURS, WEIGHT_STOPS, ink_on
from companion.pictures.words import describe_largest, describe_query
from reading import COURSE

FOLDER = COURSE / "notebooks" / "companion" / "pictures" / "live"
SHAPES = (4, 4), (4, 6), (3, 4, 4)
TOKENS = ["Life", "is", "short", "eat"]
HOSTILE = [*SHOWN, "<!--", "\u2028&quot;`${x}"]
SQUARE, WIDE, HEADS = (3 * torch.randn(shape, generator=torch.Generator().manual_seed(5)) for shape in SHAPES)
HIDDEN = SQUARE.masked_fill(torch.tensor([[0, 1, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0]]).bool(), -math.inf)
WHOLE, LEARNED = torch.tensor([[1.0, 2], [4, -3]]), torch.zeros(2, 2, requires_grad=True)
PICTURES = {
    "scores": (SQUARE, {}),
    "the first of the heads": (HEADS, {}),
    "more keys than queries": (WIDE, {"keys": list("abcdef")}),
    "raw dot products": (SQUARE, {"head_dim": 16}),
    "causal mask on": (SQUARE, {"causal": True, "follow": 2}),
    "causal mask off": (SQUARE, {"causal": False, "follow": 3}),
    "hidden keys and a hidden query": (HIDDEN, {"follow": 1}),
    "everything": (torch.stack([HIDDEN, SQUARE]), {"causal": True, "head_dim": 5, "follow": 2, "title": "All"}),
}

every_picture = pytest.mark.parametrize("scores, options", PICTURES.values(), ids=PICTURES)


class Reader(HTMLParser):
    """Builds the tree that a browser would, and refuses an element that is not closed."""

    def __init__(self, page):
        super().__init__()
        self.tree = ElementTree.TreeBuilder()
        self.feed(page)
        self.root = self.tree.close()

    def handle_starttag(self, tag, attrs):
        self.tree.start(tag, dict(attrs))

    def handle_endtag(self, tag):
        assert self.tree.end(tag).tag == tag

    def handle_data(self, data):
        self.tree.data(data)


def shown(scores, queries=TOKENS, **options):
    """What a notebook stores of a view: the tree of its page, its data, and its plain text."""
    stored = view(scores, queries, **options)._repr_mimebundle_()
    assert set(stored) == {"text/html", "text/plain"}
    root = Reader(stored["text/html"]).root
    return root, json.loads(root.find("attn-view").get("data-picture")), stored["text/plain"]


def text_of(element):
    return "".join(element.itertext())


def body_of(table):
    return [[text_of(cell) for cell in row] for row in table.find("tbody")]


def scores_in(data):
    heads = [[[-math.inf if number is None else number for number in row] for row in head] for head in data["scores"]]
    return torch.tensor(heads)


def steps_of(scores, head_dim=None, causal=None, **_options):
    """The first head's scores, scaled scores, masked scores and weights, by PyTorch alone."""
    first = scores.double().reshape(-1, *scores.shape[-2:])[0]
    scaled = first / math.sqrt(head_dim or 1)
    masked = scaled.masked_fill(torch.ones_like(scaled).triu(1).bool(), -math.inf) if causal else scaled
    return first, scaled, masked, torch.softmax(masked, dim=-1).nan_to_num(0)  # over nothing it is 0/0


@every_picture
def test_the_stored_table_is_the_softmax_of_the_scores(scores, options):
    root, _, _ = shown(scores, **options)
    *_, masked, weights = steps_of(scores, **options)
    assert root.findtext("attn-view/p") == root.get("aria-label") == options.get("title", "Attention weights")
    headers = [text_of(header) for header in root.find(".//thead").iter("th")]
    assert headers == [*options.get("keys", TOKENS), "Σ"]
    for token, row, seen, drawn in zip(TOKENS, weights.tolist(), masked.isfinite(), body_of(root.find(".//table"))):
        cells = [f"{weight:.2f}" if may else "–" for weight, may in zip(row, seen)]
        assert drawn == [token, *cells, f"{sum(row):.2f}"]


@every_picture
def test_the_sentence_under_the_table_is_also_its_plain_text(scores, options):
    root, _, words = shown(scores, **options)
    *_, masked, weights = steps_of(scores, **options)
    # The steps of a query need one to be followed: the first, if none is named.
    follow, keys = options.get("follow", 0 if "head_dim" in options else None), options.get("keys", TOKENS)
    wanted = describe_largest(weights.tolist(), TOKENS, keys, "weight")
    if follow is not None:
        wanted = describe_query(TOKENS[follow], weights[follow].tolist(), keys, masked[follow].isfinite().tolist())
    head = "Head 0: " if scores.ndim == 3 else ""
    sentence = root.find(".//p[@class='attn-sentence']")
    assert f"view: {text_of(sentence)}" == words == f"view: {head}{wanted}"
    assert (sentence.get("aria-live"), sentence.get("role")) == ("polite", None)


@every_picture
def test_head_dim_adds_the_steps_of_the_query_that_is_followed(scores, options):
    root, _, _ = shown(scores, **options)
    _, *steps = root.findall(".//table")
    assert len(steps) == ("head_dim" in options)
    for table in steps:
        follow = options.get("follow", 0)
        names = ["score: q·k", f"scaled: ÷ √{options['head_dim']}", "masked", "weight"]
        for name, step, drawn in zip(names, steps_of(scores, **options), body_of(table), strict=True):
            wanted = [f"{x:z.2f}".replace("-", "−").replace("inf", "∞") for x in step[follow].tolist()]
            if name == "weight":  # of a hidden key there is none
                seen = steps_of(scores, **options)[2][follow].isfinite().tolist()
                wanted = [number if may else "–" for number, may in zip(wanted, seen)]
            assert drawn == [name, *wanted]
        assert text_of(table.find("caption")) == f"The steps of “{TOKENS[follow]}”"


@every_picture
def test_the_data_hold_what_was_asked_for(scores, options):
    data = shown(scores, **options)[1]
    asked = {"head_dim": options.get("head_dim"), "causal": options.get("causal"), "queries": TOKENS}
    asked |= {"keys": options.get("keys", TOKENS)}
    asked |= {"follow": options.get("follow", 0 if "head_dim" in options else None)}
    assert {name: data[name] for name in asked} == asked
    torch.testing.assert_close(scores_in(data), scores.reshape(-1, *scores.shape[-2:]), rtol=5e-6, atol=5e-7)


@pytest.mark.parametrize(
    "number, stored",
    [
        (11.146645, 11.1466),
        (-123456.78, -123457.0),
        (0.123456789, 0.123457),
        (0.00123456789, 0.001235),
        (-1e-7, 0.0),
        (torch.finfo().min, -3.40282e38),
        (-math.inf, None),
    ],
)
def test_a_score_is_stored_with_six_digits_and_at_most_six_decimals(number, stored):
    kept = shown([[number, 1]], ["is"], keys=["eat", "first"])[1]["scores"]
    assert json.dumps(kept) == json.dumps([[[stored, 1.0]]])


def test_scores_that_differ_in_their_last_bits_are_stored_as_the_same_text():
    close = (SQUARE.double() * (1 + 1e-9)).float()
    assert view(close, TOKENS)._repr_mimebundle_() == view(SQUARE, TOKENS)._repr_mimebundle_()


@every_picture
def test_the_same_picture_is_stored_as_the_same_text_without_addresses_or_ids(scores, options):
    first, second = (view(scores, TOKENS, **options)._repr_mimebundle_() for _ in range(2))
    assert first == second
    assert not re.search(r"0x[0-9a-f]{4,}|\bid=", "".join(first.values()))


@pytest.mark.parametrize(
    "same",
    [[[1, 2], [4, -3]], WHOLE.numpy(), WHOLE.long(), WHOLE.double(), WHOLE.bfloat16(), WHOLE + LEARNED, WHOLE[None]],
    ids=["lists", "array", "integers", "double precision", "half precision", "with gradient", "one head"],
)
def test_equal_scores_of_any_type_make_equal_pictures(same):
    assert view(same, TOKENS[:2])._repr_mimebundle_() == view(WHOLE, TOKENS[:2])._repr_mimebundle_()


@pytest.mark.parametrize(
    "scores, options, message",
    [
        (torch.softmax(SQUARE, -1), {}, "look like weights.* takes scores, before softmax .*give their logarithm"),
        (torch.softmax(HEADS, -1), {}, "look like weights"),
        (torch.eye(4).long(), {}, "look like weights"),
        (torch.tensor([[0, 0], [0.5, 0.5]]), {"queries": TOKENS[:2]}, "look like weights"),
        (torch.empty(0, 4), {"queries": [], "keys": TOKENS}, "there is nothing to show"),
        (torch.empty(0, 4, 4), {}, "0 heads cannot be chosen from; give 1 to 16"),
        (SQUARE * math.nan, {}, "a number is nan .not a number.: look for 0 / 0"),
        (-HIDDEN, {}, "a score is .inf, .*only -inf, for a hidden key, is allowed"),
        (SQUARE[:3], {}, r"the scores have shape \(3, 4\), but 4 query labels and 4 key labels need \(4, 4\)"),
        (SQUARE, {"keys": TOKENS[:3]}, r"4 query labels and 3 key labels need \(4, 3\)"),
        (HEADS[None], {}, r"the scores have shape \(1, 3, 4, 4\)"),
        (SQUARE[0], {}, r"the scores have shape \(4,\)"),
        (WIDE, {"keys": [*"abcdef"], "causal": True}, "as many queries as keys, but there are 4 and 6"),
        (WIDE, {"keys": [*"abcdef"], "causal": False}, "as many queries as keys, but there are 4 and 6"),
        (SQUARE, {"follow": 4}, "follow is 4, but the queries have the numbers 0 to 3"),
        (SQUARE, {"follow": -1}, "follow is -1, but the queries have the numbers 0 to 3"),
        (SQUARE, {"follow": 1.5}, "follow is 1.5, but the queries have the numbers 0 to 3"),
        (SQUARE, {"follow": 1.0}, "follow is 1.0"),
        (SQUARE, {"follow": True}, "follow is True"),
        (SQUARE, {"head_dim": 0}, "head_dim is 0; it is the number of features of a query, 1 or more"),
        (SQUARE, {"head_dim": -4}, "head_dim is -4"),
        (torch.zeros(2, 64, 65), {"queries": range(64), "keys": range(65)}, "64 × 65 cells are too many .* 64 × 64"),
        (torch.zeros(17, 4, 4), {}, "17 heads cannot be chosen from; give 1 to 16"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_what_to_do(scores, options, message):
    with pytest.raises(ValueError, match=message):
        view(scores, **{"queries": TOKENS} | options)


@pytest.mark.parametrize("causal", [1, 0, 1.0, "yes", torch.tensor(1)], ids=str)
def test_a_causal_that_is_not_true_or_false_is_refused(causal):
    with pytest.raises(TypeError, match="causal is .*; give True or False to offer the causal mask, or leave it out"):
        view(SQUARE, TOKENS, causal=causal)


def test_as_many_as_16_heads_are_shown():
    assert len(shown(torch.zeros(16, 4, 4))[1]["scores"]) == 16


NEGATIVE = torch.tensor([[2.0, -1.0, 0.0, 0.0]] * 4)  # each row sums to 1


@pytest.mark.parametrize("scores", [torch.softmax(SQUARE, -1).log(), torch.eye(4) * 2, torch.zeros(4, 4), NEGATIVE])
def test_scores_that_are_close_to_weights_are_shown(scores):
    assert shown(scores)[1]["scores"]


def test_options_computed_by_torch_or_numpy_are_taken_like_plain_numbers():
    computed = {"follow": SQUARE.sum(1).argmax(), "head_dim": np.int64(4), "causal": torch.tensor(True)}
    plain = {"follow": int(computed["follow"]), "head_dim": 4, "causal": True}
    assert view(SQUARE, TOKENS, **computed)._repr_mimebundle_() == view(SQUARE, TOKENS, **plain)._repr_mimebundle_()


def test_the_scores_that_stand_for_minus_infinity_in_other_code_are_shown_in_short():
    root, _, _ = shown(torch.tensor([[1.0, -1e9], [0, torch.finfo().min]]), TOKENS[:2], head_dim=1, follow=1)
    assert "−3.4e+38" in text_of(root.findall(".//table")[1])


def test_hostile_tokens_and_titles_are_text_and_never_markup():
    root, data, words = shown(torch.eye(len(HOSTILE)) * 9, HOSTILE, title=HOSTILE[1], head_dim=4)
    assert data["queries"] == data["keys"] == HOSTILE
    assert root.get("aria-label") == root.findtext("attn-view/p") == HOSTILE[1]
    assert [row[0] for row in body_of(root.find(".//table"))] == HOSTILE
    assert HOSTILE[0] in text_of(root.find(".//p[@class='attn-sentence']")) and HOSTILE[0] in words
    counts = {tag: len(list(root.iter(tag))) for tag in ("script", "style", "img")}
    assert counts == {"script": 1, "style": 1, "img": 0}
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)


def test_a_token_of_blanks_can_be_seen():
    root, data, _ = shown(SQUARE, ["", " ", "\n", 7])
    assert data["queries"] == data["keys"] == ["␣", "␣", "␣", "7"] == [row[0] for row in body_of(root.find(".//table"))]


def test_without_its_script_the_picture_says_how_to_bring_it_to_life():
    root, _, _ = shown(SQUARE)
    assert text_of(root.find(".//p[@class='attn-hint']")) == "Run the cell to make this picture react."


@pytest.mark.parametrize("tag", ["script", "style"])
def test_the_script_and_the_style_need_no_network_and_cannot_close_their_element(tag):
    (element,) = shown(SQUARE)[0].iter(tag)
    assert element.text and not element.attrib
    assert set(re.findall(r"(?:https?:)?//[\w.]+[^\"'\s]*", element.text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"</(script|style)|<!--|@import|url\(|fetch|import\(", element.text, re.IGNORECASE)


def test_no_class_has_a_name_that_the_page_around_it_may_style():
    root, _, _ = shown(HIDDEN, head_dim=4)
    used = {name for element in root.iter() for name in element.get("class", "").split()}
    styled = set(re.findall(r"\.([a-z][\w-]*)", root.findtext(".//style")))
    assert all(name.startswith(("attn-", "attention-")) for name in used | styled)
    assert {"attn-hidden", "attn-steps", "attention-live"} <= used


def test_the_script_is_told_the_colours_of_the_table():
    data = shown(SQUARE)[1]
    first, last = data["blackInk"]
    assert data["stops"] == WEIGHT_STOPS
    for weight in (step / 255 for step in range(256)):
        assert (ink_on(WEIGHT_COLOURS(weight)[:3]) == "#000") == (first <= weight <= last)
