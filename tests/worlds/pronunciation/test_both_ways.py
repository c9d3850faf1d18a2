import torch

from companion.worlds.pronunciation.alignment import look
from companion.worlds.pronunciation.both_ways import answers
from companion.worlds.pronunciation.dictionary import PHONEMES
from companion.worlds.pronunciation.sounds import SOUNDS, heard_in
from companion.worlds.pronunciation.trained import load_trained

MODEL = load_trained()[0]


def test_a_model_that_is_given_its_own_beginning_answers_what_it_writes():
    pronunciation, weights = look(MODEL, "facade")
    names, same_weights = answers(MODEL, "facade", pronunciation)
    assert names == [*pronunciation, "end"]
    assert torch.equal(weights, same_weights)


def test_every_phoneme_has_a_word_in_which_it_is_heard():
    assert set(SOUNDS) == set(PHONEMES.symbols)
    assert heard_in(["N", "end"]) == ["N · knee", "end"]
