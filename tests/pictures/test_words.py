"""What pictures say in words, as alternative texts, and what they refuse, with what was given and what is expected.

How pictures are drawn, and the words of those without choices, is held by the notebooks, which store them.
"""

import math
import re

import pytest
import torch

from companion.pictures.arcs import arcs
from companion.pictures.charts import bars, curves
from companion.pictures.heatmap import heatmap
from companion.pictures.live.notebook_01_typed import typed
from companion.pictures.live.notebook_04_turn_query import turn_query
from companion.pictures.live.notebook_05_softmax_machine import softmax_machine
from companion.pictures.live.notebook_06_mixture import mixture
from companion.pictures.live.notebook_06_parting import parting
from companion.pictures.live.notebook_10_linked_heads import linked_heads
from companion.pictures.live.notebook_11_clocks import clocks, position_clocks
from companion.pictures.live.notebook_13_two_heads import two_heads
from companion.pictures.live.notebook_14_teacher_forcing import teacher_forcing
from companion.pictures.live.notebook_15_all_heads import all_heads
from companion.pictures.live.notebook_16_online_softmax import online_softmax
from companion.pictures.live.notebook_17_kept import kept
from companion.pictures.live.notebook_20_ten_tests import TESTS
from companion.pictures.notebook_00_course import BOXES, FRAMES
from companion.pictures.notebook_01_boxes import boxes
from companion.pictures.notebook_02_vectors import vectors
from companion.pictures.notebook_03_projections import projections
from companion.pictures.notebook_09_cuts import cuts, merges
from companion.pictures.notebook_09_heads import heads
from companion.pictures.notebook_12_lanes import block
from companion.pictures.notebook_15_dots import dots
from companion.pictures.notebook_16_tiles import tiles
from companion.pictures.notebook_20_right_and_wrong import readers, shares
from companion.pictures.spread import spread
from companion.pictures.table import table
from companion.pictures.words import describe_rows, labelled, three_digits, two_decimals, whole
from companion.worlds.which_minute.learning import learning
from reading import NOTEBOOKS
from utils import properties

TOKENS, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
SCORES = torch.tensor([[2.0, 4.0], [1.0, 3.0]])
SQUARE, ONE = torch.eye(2), torch.tensor([1.0, 0.0])
ABOVE, BELOW = {3: [0.0, 0.92, 0.08, 0.0]}, {1: [0.97, 0.03, 0, 0], 2: [0.4, 0.6, 0, 0]}
FEATURES = torch.arange(12).view(3, 4)
HEADS = torch.stack([FEATURES[:, :2], FEATURES[:, 2:]])
GAPS = {0: torch.zeros(3), 1: torch.tensor([0.1, -0.2, 0.3])}
MEMBERS = {"a time": torch.tensor([True, False, False]), "tiny": torch.tensor([False, True, True])}


def cut(features, heads):
    return cuts(features, {"mine": heads}, "abc")


TOLD = [
    (lambda: arcs("ihai", {"second": ABOVE, "first": BELOW}), "; first: h (1) → i (0) 0.97, a (2) → h (1) 0.60"),
    (lambda: bars({"nothing": 0, "half": 9.5}, "share", {"half": "#0072B2"}), "share: nothing 0.00, half 9.50."),
    (lambda: bars({"one": 10, "half": 0.5}, "share"), "share: one 10.0, half 0.5."),
    (lambda: bars({"many": 1234}, "tokens"), "tokens: many 1,234."),
    (lambda: bars({"a": 2, "b": 5, "c": "more"}, "%", rule={"3": 3}), "%: a 2%, b 5%, c more; a line at 3 (3)."),
    (
        lambda: curves([1, 4], {"a": [1.0, 0.0123], "b": [1, 1]}, ["query", "key"], "head size", "entropy"),
        "entropy against head size, from 1 to 4. a: from 1 to 0.0123; b: from 1 to 1.",
    ),
    (lambda: heatmap(SCORES - 2, TOKENS, signed=True), "Largest score of each query: Life → is 2.00, is → is 1.00."),
    (lambda: projections("input 1", ONE / 4, SQUARE, SQUARE, -SQUARE), "key (0.25, 0.00), what it can be found by; va"),
    (lambda: dots(GAPS, MEMBERS, "blocks", "gap", "is"), "1: 2 of 3 dots above zero, 1 in the wrong half."),
    (lambda: merges(FEATURES, {"right": FEATURES}, "abc"), "cuts: right: every number in its token's row"),
    (lambda: typed(["a q q"], "a"), "3 tokens, with the ids 0, none, none. Not in the vocabulary: “q”."),
    (lambda: turn_query([1, 0], SQUARE, "ab"), "Largest score: “a” (1.00); below zero: none; zero: “b”."),
    (lambda: softmax_machine([9.0, 0], "ab"), "“a” gets 1.00 of 1."),
    (lambda: teacher_forcing({"a": (["T"], *[(["T", "end"], SQUARE)] * 2)}, {}), "2 rows with T, end. All are right."),
]


@pytest.mark.parametrize("draw, words", TOLD, ids=[words[:30] for _, words in TOLD])
def test_a_picture_is_told_in_words(draw, words):
    picture = draw()
    assert words in (getattr(picture, "text", "") or picture.description)


def test_every_notebook_has_one_place_in_the_picture_of_the_course_and_each_test_of_examine_is_drawn():
    places = [number for number in BOXES if number] + [place for row, _ in FRAMES for place in row.split(", ")]
    assert sorted(places) == [path.name[:2] for path in NOTEBOOKS[1:]]
    assert all(callable(getattr(properties, name)) for name in TESTS) and len(TESTS) == 10


@pytest.mark.parametrize("row", [[0.3333, 0.3334, 0.3333], [1.0e9, 1.01e9, 0.9e9], [-0.004, 0.004, -0.001]])
def test_of_numbers_that_are_shown_alike_every_description_names_the_first(row):
    allowed = [[False, True, True]]
    assert f" {KEYS[0]} {two_decimals(row[0])}." in describe_rows([row], ["is"], KEYS, [[True] * 3], "score")
    said = describe_rows([row], ["is"], KEYS, allowed, "score", focus=0)
    assert said == f"1 query by 3 keys. Largest score of “is”: {KEYS[1]} {two_decimals(row[1])}."


def test_a_number_has_two_decimals_and_a_huge_one_is_in_short():
    numbers = [-1e9, torch.finfo().min, 2.5e12, 1e6, -999999, -0.001, 0.125, -math.inf, math.inf]
    wanted = "−1.0e+9 −3.4e+38 2.5e+12 1.0e+6 −999999.00 0.00 0.12 −∞ ∞"
    assert " ".join(map(two_decimals, numbers)) == wanted


def test_whole_numbers_have_no_point_and_three_digits_are_three():
    assert [*map(whole, [2.0, -1.0, -0.0, -math.inf])] == ["2", "−1", "0", "−∞"]
    assert [*map(three_digits, [1040.4, 0.0003821, -2.345, 1.0])] == ["1040", "0.000382", "−2.35", "1"]


EYE, SHARES = torch.eye(3), torch.tensor([0.5, 0.3, 0.2])
VALUE = torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]])
TWICE, VALUES = EYE.expand(2, 3, 3), VALUE.expand(2, 3, 2)


def tabled(matrix):
    return table(matrix, TOKENS, KEYS, [3, 3], "weights")


SIZES = {"num_heads": 4, "head_dim": 8, "num_kv_heads": 2, "d_latent": 6, "window": 3, "start": 2}


def cached(words="ab", **others):
    return kept(words, **SIZES | others)


def trained(**curve):
    return linked_heads(EYE.expand(4, 1, 3, 3), "abc", **curve)


def parted(value=VALUES, sentences=("abc", "abc"), position=1):
    return parting(SHARES.expand(2, 3), value, sentences, position)


def taught(weights=TWICE, contexts=VALUES):
    return learning([1, 2], [2.0, 1.0], weights, contexts, ("abc",) * 3, meanings=[0, 1, 2])


REFUSED = [
    (lambda: arcs("ihai", {}), "0 heads were given; there is room for one above the row, and one below"),
    (lambda: arcs("i", dict.fromkeys("abc", {0: [1.0]})), "3 heads were given; there is room for one above"),
    (lambda: arcs("ihai", {"a": {0: [1.0]}}), "the weights have shape (1, 1)"),
    (lambda: bars({}, "nats"), "there is nothing to draw; give each name its number"),
    (lambda: bars({"loss": -2}, "nats"), "bars begin at 0, but one number is -2"),
    (lambda: block({}, TOKENS), "the block has no parts; name at least one"),
    (lambda: boxes({"empty": ["e a", " "]}), "the step 'empty' has a word without pieces, in ['e a', ' ']; leave it"),
    (lambda: boxes({"none": []}), "the step 'none' has a word without pieces, in []; leave it"),
    (lambda: boxes({"one": ["a"], "two": ["a", "b"]}), "the step 'two' has 2 words, and the first step has another"),
    (lambda: boxes({"one": ["a", "b"], "two": ["a"]}), "the step 'two' has 1 words, and the first step has another"),
    (lambda: curves([1, 2], {"a": [1, 2]}, ["query", "key"], "x", "y"), "give each its own"),
    (lambda: curves([1, 2], {"a": [1, 2]}, ["qury"], "x", "y"), "no role 'qury'; choose one of input, query, key,"),
    (lambda: curves([1, 2], {"a": [1, 2]}, ["key"], "x", "y", rules={}), "no option rules; choose among rule, shade"),
    (lambda: curves([1], dict.fromkeys("abcdef", [1]), ["key"] * 6, "x", "y"), "each its own, for at most 5"),
    (lambda: cut(FEATURES[0], HEADS), "the features have shape (4,); (3, d_model) with all numbers different was"),
    (lambda: cut(FEATURES * 0, HEADS), "the features have shape (3, 4); (3, d_model) with all numbers different"),
    (lambda: cut(FEATURES[:2], HEADS), "the features have shape (2, 4); (3, d_model) with all numbers different was"),
    (lambda: cut(FEATURES, HEADS.view(2, 2, 3)), "'mine' has shape (2, 2, 3); (heads, 3, head_dim) with the"),
    (lambda: cut(FEATURES, FEATURES), "'mine' has shape (3, 4); (heads, 3, head_dim) with the features' own numbers"),
    (lambda: cut(FEATURES, HEADS + 10), "'mine' has shape (2, 3, 2); (heads, 3, head_dim) with the features' own"),
    (lambda: merges(FEATURES, {"mine": HEADS[0]}, "abc"), "'mine' has shape (3, 2); (3, 4), the shape of the features"),
    (lambda: readers(WEIGHTS, WEIGHTS[:, :2]), "shapes (2, 3) and (2, 2)"),
    (lambda: shares(WEIGHTS, WEIGHTS[:, :2]), "shapes (2, 3) and (2, 2)"),
    (lambda: heads(3 * WEIGHTS[None, :, :2], head_dim=2), "weights lie between 0 and 1"),
    (lambda: heatmap(WEIGHTS, TOKENS, KEYS, mask=torch.ones(3, 3).bool()), "the mask's entries have shape (3, 3)"),
    (
        lambda: heatmap(WEIGHTS, TOKENS, KEYS, mask=torch.zeros(2, 3).int()),
        "mask has dtype torch.int32; it must be boolean",
    ),
    (lambda: heatmap(WEIGHTS, TOKENS, KEYS, focus=2), "focus is 2; choose one of the 2 queries, from 0 on"),
    (lambda: heatmap(WEIGHTS, TOKENS, KEYS, focuss=1), "no option focuss; choose among focus, column, right"),
    (lambda: heatmap(WEIGHTS[0], TOKENS, KEYS, signed=True), "the scores have shape (3,), but 2 query labels and 3"),
    (lambda: spread({"as it is": [1], "gate": []}, "right", (0, 1), "band"), "gate"),
    (lambda: tiles(4, 10), "there are 10 tiles; give a number from 0 to 9"),
    (lambda: vectors({"one": (["a", "b"], [[1.0, 2.0]])}), "the vectors have shape (1, 2), but 2 query labels"),
    (lambda: tabled(WEIGHTS.T), "the weights have shape (3, 2), but 2 query labels and 3 key labels need (2, 3)"),
    (lambda: tabled(WEIGHTS[None]), "and 3 key labels need (2, 3); pick one head or sentence"),
    (lambda: tabled(WEIGHTS * math.nan), "a number is nan (not a number): look for 0 / 0"),
    (lambda: tabled(WEIGHTS * 4), "these run from 0.00 to 3.64; take the softmax of scores first"),
    (lambda: tabled(WEIGHTS + math.inf), "weights lie between 0 and 1"),
    (lambda: tabled(-WEIGHTS), "these run from -0.91 to "),
    (lambda: heatmap(torch.zeros(64, 65), range(64), range(65)), "64 × 65 cells are too many to read; show at most 64"),
    (lambda: all_heads("abc", TWICE[None], head=2), "head 2 of block 0 and token 0 are not all there: 1 blocks have 2"),
    (lambda: all_heads("abc", TWICE[None], block=1), "head 0 of block 1 and token 0 are not all there"),
    (lambda: all_heads("abc", TWICE[None], asks=3), "head 0 of block 0 and token 3 are not all there"),
    (lambda: clocks(torch.ones(8), torch.ones(2)), "query has shape (8,) and key (2,), but 4 speeds need (8,) for bo"),
    (lambda: clocks(torch.ones(8), torch.ones(8), speeds=[1]), "but 1 speeds need (2,) for both"),
    (lambda: position_clocks(7), "7 features cannot be paired"),
    (lambda: position_clocks(0), "0 features cannot be paired"),
    (lambda: cached([]), "give at least one word, sizes of at least 1, and heads that"),
    (lambda: cached(start=3), "start is 3, but the text has 2 tokens"),
    (lambda: cached(num_kv_heads=3), "heads that num_kv_heads divides"),
    *((lambda name=name: cached(**{name: 0}), "sizes of at least 1") for name in SIZES),
    (lambda: linked_heads(EYE, "abc"), "the weights have shape (3, 3); (heads, queries, keys) was expected"),
    (lambda: linked_heads(EYE[None], "abc", steps=[1], losses=[2]), "(1, 3, 3); (times, heads, queries, keys) was ex"),
    (lambda: trained(losses=[0.0] * 4, steps=[1]), "4 times need as many losses and steps; 4 and 1 were given"),
    (lambda: trained(losses=[0.0], steps=[1] * 4), "4 times need as many losses and steps; 1 and 4 were given"),
    (lambda: linked_heads(EYE[None], "abc", follow=3), "follow is 3, but the queries have the numbers 0 to 2"),
    (lambda: linked_heads(EYE[None], "abc", follow=-1), "follow is -1, but"),
    (lambda: linked_heads(torch.zeros(2, 50, 50), "abc"), "5000 weights are too many for one page; show at most 4096"),
    (lambda: mixture(SHARES, VALUE[:, 0], "abc"), "value has shape (3,), but 3 labels need (3, 2); the plane has two"),
    (lambda: mixture(SHARES[:2], VALUE, "abc"), "the weights have shape (1, 2), but"),
    (lambda: mixture(SHARES / 2, VALUE, "abc"), "the weights sum to 0.5000, but an average needs 1: divide them by t"),
    (lambda: mixture(SHARES, VALUE / 32, "abc"), "the largest number is 0.09375, but the plane shows from 0.1 to 10"),
    (lambda: online_softmax(SHARES[:2], SHARES), "scores (2,) and values (3,) must both be (keys,)"),
    (lambda: online_softmax([], []), "scores (0,) and values (0,) must both be (keys,)"),
    (lambda: online_softmax(SHARES, -SHARES), "values not below 0"),
    (lambda: online_softmax(SHARES - math.inf, SHARES), "must be finite"),
    (lambda: parted(value=VALUE), "2 sentences, weights (2, 3) and value (3, 2) do not fit: there must be two senten"),
    (lambda: parted(sentences=["abc", "a"]), "the weights have shape (1, 3), but"),
    (lambda: parted(position=3), "position is 3, but the words have the positions 0 to 2"),
    (lambda: parted(position=-1), "position is -1, but"),
    (lambda: parted(value=torch.stack([VALUE, 2 * VALUE])), "the two values at position 1 differ; take a position"),
    (lambda: softmax_machine(EYE, "abc"), "shape (3, 3), but 3 keys need (3,): give the row of one query"),
    (lambda: softmax_machine(EYE[0].log(), "abc"), "a score is inf or -inf; give the scores before the mask"),
    (lambda: softmax_machine(torch.zeros(13), range(13)), "13 keys are too many to share one bar; give at most 12"),
    (lambda: softmax_machine([], []), "nothing to show"),
    (lambda: teacher_forcing({}, {}), "there are no words"),
    (lambda: teacher_forcing({"me": (["M"], (["M", "end"], EYE), (["M", "end"], EYE[:2]))}, {}), "(3, 3), but 2 query"),
    (lambda: turn_query(torch.ones(3), VALUE, "abc"), "query has shape (3,) and keys (3, 2), but 3 labels need (2,) "),
    (lambda: turn_query(VALUE[0], VALUE[:0], ""), "0 labels need (2,) and (0, 2), with at least one key"),
    (lambda: turn_query(VALUE[0], EYE, "abc"), "keys (3, 3), but 3 labels need (2,) and (3, 2), with at least one key"),
    (lambda: turn_query(VALUE[0], 100 * VALUE, "abc"), "largest number is 300.0, but the plane shows from 0.1 to 10"),
    (lambda: taught(3 * TWICE), "weights lie between 0 and 1"),
    (lambda: two_heads("abc", EYE, EYE, "ab"), "3 tokens need as many answers; 2 were given"),
    (lambda: typed([" "], "a"), "the first text is to have a word; [' '] was given"),
    (lambda: typed(["a"], "a", [("a", "a")]), "the merges need the function that applies them"),
]


@pytest.mark.parametrize("draw, message", REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_what_cannot_be_shown_is_refused_with_what_to_do(draw, message):
    with pytest.raises(TypeError if "dtype" in message else ValueError, match=re.escape(message)):
        draw()


def test_what_is_at_a_bound_is_shown():
    assert labelled("scores", torch.zeros(64, 64), range(64))[0].shape == (64, 64)
    machine = softmax_machine([1.5] * 12, range(12))
    assert machine.data["scale"] == [-2, 4] and machine.text == "“0” gets 0.08 of 1, “1” 0.08."
    assert softmax_machine([-1.5], "a").data["scale"] == [-4, 2]
    curves([1], dict.fromkeys("abcde", [1]), ["key"] * 5, "x", "y")
    assert turn_query([0.1, 2.2], VALUE[:1] / 9, "a").data["reach"] == 3
    linked_heads(torch.zeros(1, 64, 64), range(64))
    assert taught(contexts=torch.stack([VALUE / 9, VALUE])).data["reach"] == 3
    online_softmax([1], [0])
    assert "font-weight:700" not in boxes({"lost": ["a b"], "nothing": ["ab"]}, mark=set()).content
    mixture(SHARES * 1.00009, 10 / 3 * VALUE, "abc")
    parted(value=torch.stack([VALUE, VALUE * 1.00009]))
