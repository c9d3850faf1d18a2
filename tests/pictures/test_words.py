import math

import pytest
import torch

from companion.pictures.words import describe_rows, labelled, shown, three_digits, whole

QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
ALL = [[True] * 3] * 2


@pytest.mark.parametrize("row", [[0.3333, 0.3334, 0.3333], [1.0e9, 1.01e9, 0.9e9], [-0.004, 0.004, -0.001]])
def test_of_numbers_that_are_shown_alike_every_description_names_the_first(row):
    allowed = [[False, True, True]]
    assert f" {KEYS[0]} {shown(row[0])}." in describe_rows([row], ["is"], KEYS, ALL, "score")
    assert f" {KEYS[1]} {shown(row[1])}." in describe_rows([row], ["is"], KEYS, allowed, "score", focus=0)


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


def test_as_many_cells_are_shown_as_the_refusal_of_more_allows():
    assert labelled("scores", torch.zeros(64, 64), range(64))[0].shape == (64, 64)
