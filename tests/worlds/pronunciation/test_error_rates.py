from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.worlds.pronunciation.error_rates import edit_distance, error_rates

SEQUENCES = st.lists(st.sampled_from("abc"), max_size=7).map(tuple)


def plainly(first, second):
    """The definition: remove, insert or replace the first symbol, whatever is cheapest in the end."""

    @cache
    def cost(i, j):
        if i == len(first) or j == len(second):
            return len(first) - i + len(second) - j
        return min(cost(i + 1, j) + 1, cost(i, j + 1) + 1, cost(i + 1, j + 1) + (first[i] != second[j]))

    return cost(0, 0)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SEQUENCES, SEQUENCES)
def test_the_distance_is_the_fewest_edits(first, second):
    assert edit_distance(first, second) == plainly(first, second) == edit_distance(second, first)


def test_the_rates_of_three_words_by_hand():
    dictionary = {"knight": [("N", "AY", "T")], "read": [("R", "EH", "D"), ("R", "IY", "D")], "toe": [("T", "OW")]}
    said = {"knight": ("K", "N", "AY", "T"), "read": ("R", "IY", "D"), "toe": ("T",)}
    rates = error_rates(said, dictionary)
    assert rates.phonemes == 2 / 8, "one too many in knight, one too few in toe, of 3 + 3 + 2"
    assert rates.words == 2 / 3


def test_a_wrong_word_is_compared_with_the_way_of_fewest_edits_a_phoneme():
    dictionary = {"either": [("AY", "DH"), ("AY", "DH", "ER", "Z", "Z")]}  # 1 edit for 2 phonemes, or 2 for 5
    assert error_rates({"either": ("AY", "DH", "ER")}, dictionary) == (2 / 5, 1.0)


def test_more_edits_than_phonemes_give_more_than_1():
    assert error_rates({"a": ("B", "B", "B")}, {"a": [("AH",)]}) == (3.0, 1.0)


def test_nothing_to_compare_is_refused():
    with pytest.raises(ValueError, match="give at least one word"):
        error_rates({}, {})
