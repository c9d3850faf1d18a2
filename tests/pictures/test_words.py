import math

import pytest
import torch

from companion.pictures.words import describe_largest, describe_query, describe_rows, shown, three_digits, whole

QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
ALL = [[True] * 3] * 2


@pytest.mark.parametrize(
    "row, words",
    [
        ([0.2, 0.5, 0.3], "attends most to “dessert” (0.50), then to “first” (0.30)."),
        ([0.004, 0.992, 0.004], "attends most to “dessert” (0.99)."),
        # Equal to the digit shown: the first comes first, whatever the digits that are not shown.
        ([0.3333, 0.3334, 0.3333], "attends most to “eat” (0.33), then to “dessert” (0.33)."),
    ],
)
def test_a_query_is_described_by_its_two_largest_weights(row, words):
    assert describe_query("is", row, KEYS) == f"“is” {words}"


@pytest.mark.parametrize(
    "rows, what, words",
    [
        (WEIGHTS.tolist(), "weight", "Largest weight: “is” to “eat” (0.91)."),
        ([[0.1, 0.2, 0.7], [0.4, 0.3, 0.3]], "weight", "Largest weight: “Life” to “first” (0.70)."),
        ([[0.1, 0.449, 0.451], [0.1, 0.45, 0.454]], "weight", "Largest weight: “Life” to “dessert” (0.45)."),
        ([[-3, -2.5, -math.inf], [-4, -2, -2]], "score", "Largest score: “is” to “dessert” (−2.00)."),
        ([[-1e9, -2e9, -math.inf]] * 2, "score", "Largest score: “Life” to “eat” (−1.0e+9)."),
        ([[-2.0, -0.001, -0.004]] * 2, "score", "Largest score: “Life” to “dessert” (0.00)."),
        ([[0.5, 12.0, math.inf]] * 2, "score", "Largest score: “Life” to “first” (∞)."),
        ([[-math.inf] * 3] * 2, "score", "Largest score: “Life” to “eat” (−∞)."),
    ],
)
def test_the_largest_weight_or_score_is_named_with_its_query_and_key(rows, what, words):
    assert describe_largest(rows, QUERIES, KEYS, what) == words


@pytest.mark.parametrize("row", [[0.3333, 0.3334, 0.3333], [1.0e9, 1.01e9, 0.9e9], [-0.004, 0.004, -0.001]])
def test_of_numbers_that_are_shown_alike_every_description_names_the_first(row):
    allowed = [[False, True, True]]
    assert f" {KEYS[0]} {shown(row[0])}." in describe_rows([row], ["is"], KEYS, ALL, "score")
    assert f" {KEYS[1]} {shown(row[1])}." in describe_rows([row], ["is"], KEYS, allowed, "score", focus=0)
    assert f"to “{KEYS[0]}” (" in describe_largest([row], ["is"], KEYS, "score")
    assert f"most to “{KEYS[0]}” (" in describe_query("is", row, KEYS)


def test_each_query_is_named_with_its_largest_key_if_it_sees_any():
    words = describe_rows(WEIGHTS.tolist(), QUERIES, KEYS, [[True, False, True], [False] * 3], "weight")
    assert words == "2 queries by 3 keys. Largest weight of each query: Life → first 0.30, is → nothing, all masked."


def test_a_number_has_two_decimals_and_a_huge_one_is_in_short():
    numbers = [-1e9, torch.finfo().min, 2.5e12, 1e6, -999999, -0.001, 0.125, -math.inf, math.inf]
    wanted = "−1.0e+9 −3.4e+38 2.5e+12 1.0e+6 −999999.00 0.00 0.12 −∞ ∞"
    assert " ".join(map(shown, numbers)) == wanted


def test_whole_numbers_have_no_point_and_three_digits_are_three():
    assert [*map(whole, [2.0, -1.0])] == ["2", "−1"]
    assert [*map(three_digits, [1040.4, 0.0003821, -2.345, 1.0])] == ["1040", "0.000382", "−2.35", "1"]
