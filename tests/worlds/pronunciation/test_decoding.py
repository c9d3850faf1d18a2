import torch

from companion.worlds.pronunciation.decoding import MOST_PHONEMES, pronounce, share_wrong, write
from companion.worlds.pronunciation.dictionary import BEGIN, END, PADDING, PHONEMES, pad, spelled
from companion.worlds.pronunciation.pronouncer import Pronouncer

WORDS = ["phoenix", "tie", "knight", "it's", "thoughtful"]


class Chain:
    """A model whose next phoneme depends on the last alone, by a table of logits (ids, ids)."""

    def __init__(self, table):
        self.table = table

    def decode(self, phonemes, memory, mask):
        return self.table[phonemes]


def one_by_one(model, word):
    """As plainly as it can be written: one word, one phoneme after the other."""
    ids = [BEGIN]
    while ids[-1] != END and len(ids) <= MOST_PHONEMES:
        logits = model(torch.tensor([spelled(word)]), torch.tensor([ids]))[0, -1]
        logits[[PADDING, BEGIN]] = -torch.inf
        ids.append(int(logits.argmax()))
    return PHONEMES.decode(ids)


def test_the_likeliest_phoneme_is_taken_each_time(learned):
    torch.manual_seed(1)
    for model in (learned, Pronouncer(16, 2).eval()):
        together = pronounce(model, WORDS)
        assert together == {word: one_by_one(model, word) for word in WORDS} and list(together) == WORDS


def test_padding_and_begin_are_never_said():
    b = PHONEMES.encode(["B"])[0]
    table = torch.full((len(PHONEMES), len(PHONEMES)), -30.0)
    table[BEGIN, b] = table[b, END] = 0.0
    table[:, [PADDING, BEGIN]] = 5.0
    assert write(Chain(table), torch.zeros(1), None).tolist() == [[BEGIN, b, END]]


def test_a_model_that_never_ends_is_stopped():
    table = torch.zeros(len(PHONEMES), len(PHONEMES))
    table[:, END] = -torch.inf
    assert len(write(Chain(table), torch.zeros(1), None)[0]) == MOST_PHONEMES + 1


def test_a_hidden_letter_is_read_by_no_phoneme(learned):
    memory, mask = learned.encode(pad([spelled("knight")]))
    changed = memory.clone()
    changed[:, 3] += 100
    hidden = mask.clone()
    hidden[..., 3] = False
    assert write(learned, changed, hidden).equal(write(learned, memory, hidden))
    assert not learned.decode(torch.tensor([[BEGIN]]), changed, mask).equal(
        learned.decode(torch.tensor([[BEGIN]]), memory, mask)
    ), "the change must matter, or nothing was tested"


def test_a_word_is_wrong_if_it_is_said_in_none_of_its_ways():
    dictionary = {"knight": [("N", "AY", "T")], "read": [("R", "EH", "D"), ("R", "IY", "D")]}
    assert share_wrong({"knight": ("K", "N", "AY", "T"), "read": ("R", "IY", "D")}, dictionary) == 1 / 2
