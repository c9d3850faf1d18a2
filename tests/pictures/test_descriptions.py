"""What a picture says in words, its alternative text. How it is drawn is held by the notebooks, which store it."""

import math

import pytest
import torch

from companion.pictures.arcs import arcs
from companion.pictures.charts import bars, curves
from companion.pictures.heatmap import added, heatmap, hiding
from companion.pictures.live.notebook_20_ten_tests import TESTS
from companion.pictures.notebook_01_boxes import boxes
from companion.pictures.notebook_02_vectors import vectors
from companion.pictures.notebook_03_lines import lines
from companion.pictures.notebook_03_projections import asking, projections
from companion.pictures.notebook_07_descent import descent
from companion.pictures.notebook_09_cuts import cuts, merges
from companion.pictures.notebook_09_heads import heads
from companion.pictures.notebook_12_lanes import block
from companion.pictures.notebook_15_dots import dots
from companion.pictures.notebook_16_cache import cache
from companion.pictures.notebook_16_tiles import tiles
from companion.pictures.notebook_17_reach import reach
from companion.pictures.notebook_17_recall import recalled
from companion.pictures.notebook_20_marks import readers, shares
from companion.pictures.spread import spread
from utils import properties
from utils.attention import causal_mask

QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.9, 0.01, 0.09]])
ABOVE, BELOW = {3: [0.0, 0.92, 0.08, 0.0]}, {1: [0.97, 0.03, 0, 0], 2: [0.4, 0.6, 0, 0]}
FEATURES = torch.arange(12).view(3, 4)
RIGHT, WRONG = torch.tensor([[2.0, 0, 0], [1, 1, 0]]), torch.tensor([[2.0, 1, 0], [1, 0, 3]])
GAPS = {0: torch.zeros(3), 1: torch.tensor([0.1, -0.2, 0.3])}
MEMBERS = {"a time": torch.tensor([True, False, False]), "tiny": torch.tensor([False, True, True])}
PARTS, EYE = {"attention": "reads", "feed-forward": "each by itself"}, torch.eye(2)
SCORES, HIDDEN = torch.tensor([[2.0, 4.0], [1.0, 3.0]]), torch.tensor([[2.0, -math.inf], [-math.inf, -math.inf]])

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
    (lambda: curves(["1–8", "9–16"], {"a": [1, 2]}, ["key"], "pair", "right"), "from 1–8 to 9–16. a: from 1 to 2."),
    (lambda: descent({1: [1, 3]}, lambda w: (w - 2) ** 2, "w", "loss"), "the steps. learning rate 1: 0 at 1, 1 at 3."),
    (lambda: heatmap(WEIGHTS, QUERIES, KEYS), "Largest weight of each query: Life → dessert 0.50, is → eat 0.90."),
    (lambda: heatmap(SCORES - 2, QUERIES, signed=True), "Largest score of each query: Life → is 2.00, is → is 1.00."),
    (lambda: hiding(SCORES, HIDDEN, HIDDEN.softmax(-1), QUERIES), "1 of 4 scores are left, the others are −∞; the w"),
    (lambda: added([[2, 0], [0, 1]], [1, 2], [3, 0]), "=  state after [[5, 0], [6, 1]]; the key is [1, 2], the"),
    (lambda: lines(WEIGHTS, QUERIES, KEYS, focus=1), "2 queries by 3 keys. Largest weight of “is”: eat 0.90."),
    (
        lambda: asking("a", ["a"], EYE[0], EYE[:1], EYE[0, :1], EYE[0, :1], EYE[:1], EYE[0]),
        "; a: key (1, 0), score 1, weight 1.00, value (1, 0); context (1, 0).",
    ),
    (
        lambda: projections("input 1", EYE[0] / 4, EYE, EYE, -EYE),
        "key (0.25, 0.00), what it can be found by; value (−0",
    ),
    (
        lambda: heads(WEIGHTS[None, :, :2], head_dim=2),
        "features (2, 2); weights (1, 2, 2); context (1, 2, 2); merged (",
    ),
    (lambda: spread({"a": [3, 1], "b": [2]}, "right", (1, 3), "band"), "right. band: 1 to 3; a 3, 1; b 2."),
    (lambda: recalled({"kept": {"sum, 8": [3, 1]}}, 2, "line"), "each seed. line: 2; (kept); sum, 8 3, 1."),
    (lambda: block(PARTS, "abc", norm_first=True), "x becomes x + attention(LayerNorm(x)); x becomes x + feed-fo"),
    (lambda: block(PARTS, "abc", norm_first=False), "x becomes LayerNorm(x + attention(x)); x becomes LayerNorm(x"),
    (lambda: dots(GAPS, MEMBERS, "blocks", "gap", "is"), "1: 2 of 3 dots above zero, 1 in the wrong half."),
    (cache, "= 35 scores. With a cache: 1 + 2 + 3 + 4 + 5 = 15 scores; keys and values are kept."),
    (lambda: tiles(4, now=4), "10 are computed one by one, 6 lie in the future"),
    (lambda: reach(causal_mask(3), torch.tensor([[0, 1, 0], [0, 1, 1]]) == 1), "moves: inputs 1; layer 1 1, 2."),
    (lambda: readers(RIGHT, WRONG), "Only in the wrong one: 0 reads 1, 1 reads pad. Only in the right one: 1 reads 1."),
    (
        lambda: shares(WEIGHTS[:1], WEIGHTS[:1] * 2, of="head 0"),
        "0: 20, 50, 30, sums 100%. Wrong 0: 40, 100, 60, sums 20",
    ),
]


@pytest.mark.parametrize("draw, words", TOLD, ids=[words[:30] for _, words in TOLD])
def test_a_picture_is_told_in_words(draw, words):
    assert words in draw().description


@pytest.mark.parametrize(
    "picture, words",
    [
        (
            boxes({"letters": ["e a t", "m e"], "joined": ["ea t", "m e"]}),
            "boxes: letters: e|a|t m|e; joined: ea|t m|e",
        ),
        (vectors({"a time": (QUERIES, EYE)}), "vectors: a time: Life, is"),
        (
            cuts(FEATURES, {"right": FEATURES.view(3, 2, 2).transpose(0, 1), "view": FEATURES.view(2, 3, 2)}, "abc"),
            "cuts: right: every number in its token's row; view: 8 numbers in another token's row",
        ),
        (merges(FEATURES, {"right": FEATURES}, "abc"), "cuts: right: every number in its token's row"),
    ],
)
def test_a_picture_of_html_is_told_in_words(picture, words):
    assert picture._repr_mimebundle_()["text/plain"] == words


def test_each_test_of_examine_is_drawn():
    assert all(callable(getattr(properties, name)) for name in TESTS) and len(TESTS) == 10
