import torch

from companion.pronunciation.alignment import look
from companion.pronunciation.both_ways import answers, both_ways
from companion.pronunciation.dictionary import PHONEMES
from companion.pronunciation.sounds import SOUNDS, heard_in
from companion.pronunciation.trained import load_trained

MODEL = load_trained()[0]
DICTIONARY = {"knight": [("N", "AY", "T")], "facade": [("F", "AH", "S", "AA", "D")]}


def test_a_model_that_is_given_its_own_beginning_answers_what_it_writes():
    said, weights = look(MODEL, "facade")
    given, read = answers(MODEL, "facade", said)
    assert given == [*said, "end"]
    assert torch.equal(weights, read)


def test_an_error_leads_to_the_next_in_writing_and_not_in_training():
    drawn = both_ways(MODEL, ["knight", "facade"], DICTIONARY, block=1, head=3)
    assert [way[0] for way in drawn["words"]["knight"][1:]] == [["N", "AY", "T", "end"]] * 2
    true, (taught, weights), (written, _) = drawn["words"]["facade"]
    assert taught == ["F", "AH", "K", "AA", "D", "end"]
    assert written == ["F", "AH", "K", "EY", "D", "end"]
    assert true == DICTIONARY["facade"][0] and weights.shape == (6, 7)


def test_every_phoneme_has_a_word_in_which_it_is_heard():
    assert set(SOUNDS) == set(PHONEMES.symbols)
    assert heard_in(["N", "end"]) == ["N · knee", "end"]
