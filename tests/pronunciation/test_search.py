from itertools import product

import pytest
import torch

from utils.pronunciation.dictionary import BEGIN, END, PADDING, PHONEMES, pad, spelled
from utils.pronunciation.pronouncer import Pronouncer
from utils.pronunciation.search import MOST_PHONEMES, pronounce, search

WORDS = ["phoenix", "tie", "knight", "it's", "thoughtful"]


class Chain:
    """A model whose next phoneme depends on the last alone, by a table of logits (ids, ids)."""

    def __init__(self, table):
        self.table = table

    def encode(self, letters):
        return letters, letters

    def decode(self, phonemes, memory, mask):
        return self.table[phonemes]


@pytest.fixture
def untrained():
    torch.manual_seed(1)
    return Pronouncer(16, 2).eval()


def one_by_one(model, word):
    """Greedy, as plainly as it can be written: one word, one phoneme after the other."""
    said = [BEGIN]
    while said[-1] != END and len(said) <= MOST_PHONEMES:
        logits = model(torch.tensor([spelled(word)]), torch.tensor([said]))[0, -1]
        logits[[PADDING, BEGIN]] = -torch.inf
        said.append(int(logits.argmax()))
    return PHONEMES.decode(said)


def probability(model, word, pronunciation):
    said = [BEGIN, *PHONEMES.encode(pronunciation), END]
    with torch.no_grad():
        steps = model(torch.tensor([spelled(word)]), torch.tensor([said[:-1]]))[0].log_softmax(dim=-1)
    return sum(float(step[phoneme]) for step, phoneme in zip(steps, said[1:]))


def test_a_beam_of_1_takes_the_likeliest_phoneme_each_time(learned, untrained):
    for model in (learned, untrained):
        assert pronounce(model, WORDS) == {word: one_by_one(model, word) for word in WORDS}


def test_words_do_not_change_each_other_and_come_back_in_the_order_given(learned):
    for beam in (1, 3):
        together = pronounce(learned, WORDS, beam)
        assert list(together) == WORDS
        assert together == {word: pronounce(learned, [word], beam)[word] for word in WORDS}


def test_a_beam_finds_what_is_likelier_as_a_whole():
    b, d, g = PHONEMES.encode(["B", "D", "G"])
    table = torch.full((len(PHONEMES), len(PHONEMES)), -30.0)
    table[BEGIN, [b, d]] = torch.tensor([0.6, 0.4]).log()
    table[b, [END, d, g]] = torch.tensor([0.4, 0.3, 0.3]).log()  # B alone: 0.6 * 0.4 = 0.24
    table[d, END] = table[g, END] = 0.0  # D alone: 0.4
    letters = pad([spelled("tie"), spelled("toe")])
    assert search(Chain(table), letters, beam=1).tolist() == [[BEGIN, b, END]] * 2
    assert search(Chain(table), letters, beam=2).tolist() == [[BEGIN, d, END]] * 2


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_beam_finds_the_likeliest_of_all(seed):
    generator = torch.Generator().manual_seed(seed)
    few = PHONEMES.encode(["B", "D", "G"])
    table = torch.full((len(PHONEMES), len(PHONEMES)), -40.0)
    for last in (BEGIN, *few):
        table[last, [*few, END]] = torch.randn(4, generator=generator) * 2
    steps = table.log_softmax(dim=-1)

    def total(said):
        return sum(float(steps[last, phoneme]) for last, phoneme in zip((BEGIN, *said), (*said, END)))

    likeliest = max((said for length in range(7) for said in product(few, repeat=length)), key=total)
    found = search(Chain(table), pad([spelled("tie")]), beam=30)[0].tolist()
    assert PHONEMES.decode(found) == PHONEMES.decode(likeliest)


def test_a_beam_is_not_less_likely_than_greedy_on_a_trained_model(learned):
    greedy, wide = pronounce(learned, WORDS), pronounce(learned, WORDS, beam=5)
    for word in WORDS:
        assert probability(learned, word, wide[word]) >= probability(learned, word, greedy[word]) - 1e-5


def test_padding_and_begin_are_never_said():
    b = PHONEMES.encode(["B"])[0]
    table = torch.full((len(PHONEMES), len(PHONEMES)), -30.0)
    table[BEGIN, b] = table[b, END] = 0.0
    table[:, [PADDING, BEGIN]] = 5.0
    for beam in (1, 3):
        assert search(Chain(table), pad([spelled("tie")]), beam)[0, :3].tolist() == [BEGIN, b, END]


def test_a_model_that_never_ends_is_stopped():
    table = torch.zeros(len(PHONEMES), len(PHONEMES))
    table[:, END] = -torch.inf
    assert len(search(Chain(table), pad([spelled("tie")]))[0]) == MOST_PHONEMES + 1


def test_a_beam_of_nothing_is_refused(untrained):
    with pytest.raises(ValueError, match="beam is 0; at least 1"):
        pronounce(untrained, WORDS, beam=0)
