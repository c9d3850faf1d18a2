from collections import Counter

import pytest
import torch

from companion.worlds.which_minute import sentences as course
from companion.worlds.which_minute.sentences import MEANING_OF, MEANINGS, OPENINGS, VOCABULARY, encode, sentences
from utils.attention import padding_mask


def words_by_meaning(leak):
    """How often each word stands in the sentences of each meaning."""
    counts = {}
    for words, meaning in zip(*sentences(leak)):
        for word in words:
            counts.setdefault(word, Counter())[MEANINGS[meaning]] += 1
    return counts


def test_there_is_one_sentence_for_each_choice_of_its_parts():
    texts, meanings = sentences()
    choices = len(MEANING_OF) * len(OPENINGS) * len(course.BEFORE) * len(course.ENDINGS)
    assert len({" ".join(words) for words in texts}) == len(texts) == choices
    assert meanings.bincount().tolist() == [len(texts) // 3] * 3


def test_no_word_but_the_clue_tells_the_meaning():
    for word, counts in words_by_meaning(leak=False).items():
        if word in MEANING_OF:
            assert len(counts) == 1, word
        else:
            assert len(counts) == 3 and len(set(counts.values())) == 1, word


def test_the_clue_behind_minute_has_the_meaning_of_its_list():
    for words, meaning in zip(*sentences()):
        assert MEANING_OF[words[words.index("minute") + 1]] == meaning


def test_with_a_leak_the_openings_tell_the_meaning_too():
    counts = words_by_meaning(leak=True)
    openings = {word for opening in OPENINGS for word in opening.split()}
    assert all(len(counts[word]) == 1 for word in openings | MEANING_OF.keys())
    assert all(len(set(counts[word].values())) == 1 and len(counts[word]) == 3 for word in ("one", "today", "minute"))
    assert sentences(leak=True)[1].bincount().tolist() == [448] * 3


def test_encoded_sentences_are_decoded_from_what_the_mask_leaves():
    texts = [words for words in sentences()[0]]
    ids, mask, positions = encode(texts)
    assert ids.shape == (len(texts), max(map(len, texts))) and mask.shape == (len(texts), 1, ids.shape[1])
    assert [VOCABULARY.decode(row[visible[0]]) for row, visible in zip(ids, mask)] == texts
    assert not ids[~mask[:, 0]].any()
    minute = torch.tensor(VOCABULARY.encode(["minute"]))
    assert (ids[torch.arange(len(texts)), positions] == minute).all()


@pytest.mark.parametrize("words, count", [("there was one pause", 0), ("one minute minute pause", 2)])
def test_a_sentence_without_one_minute_is_refused(words, count):
    with pytest.raises(ValueError, match=f"'{words}' has “minute” {count} times; the head reads one"):
        encode([words.split()])


def test_a_word_that_the_head_does_not_know_is_refused_with_those_it_knows():
    with pytest.raises(KeyError, match="not know the word “hour”. It knows only these 53 words: .*, pause, .*, yester"):
        encode([["one", "minute", "hour"]])


def test_examples_are_all_sentences_once_and_hide_padding():
    calls = []
    training, held_back = course.examples(lambda *sizes: calls.append(sizes) or padding_mask(*sizes))
    ids, padding, positions, meanings = map(torch.cat, zip(held_back, training))
    assert [len(part) for part in held_back] == [400] * 4 and len(calls) == 1
    texts, right = sentences()
    dealt = {(*row[hidden[0]].tolist(), meaning) for row, hidden, meaning in zip(ids, padding, meanings.tolist())}
    wanted = {(*VOCABULARY.encode(words), meaning) for words, meaning in zip(texts, right.tolist())}
    assert dealt == wanted and len(ids) == len(texts)
    assert (ids[torch.arange(len(ids)), positions] == VOCABULARY.encode(["minute"])[0]).all()
