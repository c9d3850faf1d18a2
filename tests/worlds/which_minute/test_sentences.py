import pytest

from companion.worlds.which_minute.sentences import encode


@pytest.mark.parametrize("words, count", [("there was one pause", 0), ("one minute minute pause", 2)])
def test_a_sentence_without_one_minute_is_refused(words, count):
    with pytest.raises(ValueError, match=f"'{words}' has “minute” {count} times; the head reads one"):
        encode([words.split()])


def test_a_word_that_the_head_does_not_know_is_refused_with_those_it_knows():
    with pytest.raises(KeyError, match="not know the word “hour”. It knows only these 53 words: .*, pause, .*, yester"):
        encode([["one", "minute", "hour"]])
