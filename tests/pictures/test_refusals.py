"""What a figure cannot show is refused, in words that say what was given and what is expected."""

import math
import re

import pytest
import torch

from companion.pictures.arcs import arcs
from companion.pictures.boxes import boxes
from companion.pictures.cache import cache
from companion.pictures.charts import bars, curves, plane
from companion.pictures.cuts import cuts
from companion.pictures.dots import dots
from companion.pictures.grid import grid
from companion.pictures.heads import heads
from companion.pictures.heatmap import heatmap, patches
from companion.pictures.kinds import kinds
from companion.pictures.lanes import block
from companion.pictures.marks import marks
from companion.pictures.spread import spread
from companion.pictures.table import table
from companion.pictures.tiles import tiles
from companion.pictures.vectors import vectors

ARC = {3: [0.0, 0.92, 0.08, 0.0]}
COLUMNS, FIRST, OTHER = {0: torch.zeros(3)}, torch.tensor([True, False, False]), torch.tensor([False, True, True])
FEATURES = torch.arange(12).view(3, 4)
HEADS = torch.stack([FEATURES[:, :2], FEATURES[:, 2:]])
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
TOKENS, KEYS = ["Life", "is"], ["eat", "dessert", "first"]


def cut(features, way):
    return cuts(features, {"mine": way}, "abc")


def shown(matrix, **options):
    return table(matrix, TOKENS, KEYS, **options)


REFUSED = [
    (lambda: arcs("ihai", {}), "0 heads were given; there is room for one above the row, and one below"),
    (lambda: arcs("ihai", dict.fromkeys("abc", ARC)), "3 heads were given; there is room for"),
    (lambda: arcs("ihai", {"a": {0: [1.0]}}), "the weights have shape (1, 1)"),
    (lambda: bars({"loss": -2}, "nats"), "bars begin at 0, but one number is -2"),
    (lambda: block({}, TOKENS), "the block has no parts; name at least one"),
    (lambda: block({"cross-attention": "reads"}, TOKENS), "cross-attention has nothing to read"),
    (lambda: boxes({"empty": ["e a", " "]}), "the step 'empty' has a word without pieces, in ['e a', ' ']; leave it"),
    (lambda: boxes({"none": []}), "the step 'none' has a word without pieces"),
    (lambda: boxes({"one": ["a"], "two": ["a", "b"]}), "the step 'two' has 2 words, and the first step has another"),
    (lambda: boxes({"cake": ["Life", "cake"]}, {"Life": 0}), "the ids have none for cake; encode with <unk>, or add"),
    (lambda: cache(1), "num_tokens is 1, but the first token has nothing to keep"),
    (lambda: curves([1, 2], {"a": [1, 2]}, ["query", "key"], "x", "y"), "give each its own"),
    (lambda: curves([1, 2], dict.fromkeys("abcdef", [1, 2]), ["key"] * 6, "x", "y"), "give each its own"),
    (lambda: cut(FEATURES[0], HEADS), "the features have shape (4,); (3, d_model) with all numbers different was"),
    (lambda: cut(FEATURES[:2], HEADS), "the features have shape (2, 4); (3, d_model)"),
    (lambda: cut(FEATURES * 0, HEADS), "the features have shape (3, 4); (3, d_model) with all numbers different"),
    (lambda: cut(FEATURES, FEATURES), "'mine' has shape (3, 4); (heads, 3, head_dim) with the features' own numbers"),
    (lambda: cut(FEATURES, FEATURES.view(3, 2, 2)), "'mine' has shape (3, 2, 2); (heads, 3, head_dim)"),
    (lambda: cut(FEATURES, HEADS + 30), "'mine' has shape (2, 3, 2); (heads, 3, head_dim) with the features' own"),
    (lambda: dots(COLUMNS, {"a time": FIRST}, "x", "y"), "equally many members"),
    (lambda: dots(COLUMNS, {"a time": FIRST[:2], "tiny": OTHER[:2]}, "x", "y"), "equally many members"),
    (lambda: grid(100 * WEIGHTS, "abc", "abc"), "3 rows and 3 columns need as many percentages"),
    (lambda: grid(100 * WEIGHTS + 10, "ab", "abc"), "each from 0 to 100"),
    (lambda: grid(100 * WEIGHTS - 1, "ab", "abc"), "each from 0 to 100"),
    (lambda: heads(3 * WEIGHTS[None, :, :2], head_dim=2), "weights lie between 0 and 1"),
    (lambda: heatmap(WEIGHTS, TOKENS, KEYS, mask=torch.ones(3, 3).bool()), "the mask's entries have shape (3, 3)"),
    (lambda: kinds({"Words": dict.fromkeys("abcd", (["x"], [[0, 0]]))}, "x", "y"), "4 kinds, but there are 3 markers"),
    (lambda: marks({"one": ["left"], "lost": []}, ["left", "right"], {}), "no column finds lost"),
    (lambda: patches(WEIGHTS.T, KEYS), "the weights have shape (3, 2), but"),
    (lambda: patches(WEIGHTS.T, TOKENS), "3 patches fill no square grid: give side · side of them"),
    (lambda: plane({"a": (1, 0), "b": (0, 1)}, ["query"]), "2 vectors need as many roles, but 1 were given"),
    (lambda: spread({"as it is": [1], "gate": []}, "right", (0, 1), "band"), "gate"),
    (lambda: tiles(4, -1), "there are 10 tiles; give a number from 0 to 9"),
    (lambda: tiles(4, 10), "there are 10 tiles; give a number from 0 to 9"),
    (lambda: vectors({"one": (["a", "b"], [[1.0, 2.0]])}), "the vectors have shape (1, 2), but 2 query labels"),
    (lambda: shown(WEIGHTS.T), "the weights have shape (3, 2), but 2 query labels and 3 key labels need (2, 3)"),
    (lambda: shown(WEIGHTS[0], signed=True), "the scores have shape (3,), but 2 query labels and 3 key labels"),
    (lambda: shown(torch.tensor(1.0)), "the weights have shape (), but"),
    (
        lambda: shown(WEIGHTS[None]),
        "the weights have shape (1, 2, 3), but 2 query labels and 3 key labels need (2, 3);",
    ),
    (lambda: shown(WEIGHTS * math.nan), "a number is nan (not a number): look for 0 / 0"),
    (lambda: shown(WEIGHTS * 4), "these run from 0.00 to 3.64; take the softmax of scores first"),
    (lambda: shown(WEIGHTS - 0.01), "weights lie between 0 and 1"),
    (lambda: shown(WEIGHTS + math.inf), "weights lie between 0 and 1"),
    (
        lambda: table(torch.zeros(64, 65), range(64), range(65)),
        "64 × 65 cells are too many to read; show at most 64",
    ),
]


@pytest.mark.parametrize("draw, message", REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_what_cannot_be_shown_is_refused_with_what_to_do(draw, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        draw()


def test_a_mask_of_numbers_is_refused_and_not_guessed():
    with pytest.raises(TypeError, match="mask has dtype torch.float32; it must be boolean"):
        heatmap(WEIGHTS, TOKENS, KEYS, mask=torch.zeros(2, 3))
