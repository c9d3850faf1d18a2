import math
from itertools import islice

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from companion.worlds.pronunciation.dictionary import PADDING, PHONEMES, encode_pairs
from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.pronunciation.training import Training, batches, shifted


def training(dictionary, steps=12, seed=0, dropout=0.1):
    torch.manual_seed(0)
    model = Pronouncer(16, 2, dropout=dropout)
    return Training(
        model, encode_pairs(dictionary, dictionary), steps=steps, batch_size=4, label_smoothing=0.1, seed=seed
    )


def test_the_same_seed_gives_the_same_losses_and_another_seed_others(dictionary):
    assert list(training(dictionary)) == list(training(dictionary))
    assert list(training(dictionary, dropout=0.0)) != list(training(dictionary, seed=1, dropout=0.0))


def test_each_place_reads_what_is_true_and_should_say_what_comes_next():
    inputs, targets = shifted(torch.tensor([[1, 25, 8, 2], [1, 33, 2, 0]]))
    assert inputs.tolist() == [[1, 25, 8], [1, 33, 2]] and targets.tolist() == [[25, 8, 2], [33, 2, 0]]


class Unchanging(nn.Module):
    """A model that always expects padding."""

    def __init__(self):
        super().__init__()
        self.logits = nn.Parameter(10.0 * F.one_hot(torch.tensor(PADDING), len(PHONEMES)))

    def forward(self, letters, phonemes):
        return self.logits.expand(*phonemes.shape, -1)


def test_padding_is_nothing_to_be_learned(dictionary):
    pairs = encode_pairs(["know", "note"], dictionary)  # as many letters, but two phonemes and three
    loss = next(iter(Training(Unchanging(), pairs, steps=1, batch_size=2)))
    assert loss == pytest.approx(math.log(math.exp(10) + len(PHONEMES) - 1)), "each target had a logit of 0"


def test_the_learning_rate_climbs_then_falls_to_nearly_nothing(dictionary):
    run = training(dictionary, steps=100)
    rates = [run.schedule.get_last_lr()[0] for _ in run]
    highest = rates.index(max(rates))
    assert rates[0] < rates[highest] and 2 <= highest <= 5 and rates[-1] < 0.02 * rates[highest]
    assert rates[highest:] == sorted(rates[highest:], reverse=True)


def test_a_round_has_every_pair_once_and_the_next_another_order(dictionary):
    pairs = sorted(encode_pairs(dictionary, dictionary))
    rounds = batches(pairs, batch_size=4)
    rounds_of_pairs = [[pair for batch in islice(rounds, 3) for pair in unpadded(*batch)] for _ in range(2)]
    assert [sorted(pairs_seen) for pairs_seen in rounds_of_pairs] == [pairs, pairs] and rounds_of_pairs[
        0
    ] != rounds_of_pairs[1]


@pytest.mark.parametrize("seed", range(3))
def test_words_of_one_length_go_into_one_batch(dictionary, seed):
    pairs = encode_pairs(
        ["know", "tie", "note", "toe", "read"], dictionary
    )  # four letters, or three; "read" is two pairs
    shapes = sorted(letters.shape for letters, _ in islice(batches(pairs, 2, seed), 3))
    assert shapes == [(2, 4), (2, 5), (2, 5)]


def unpadded(letters, phonemes):
    return [
        ([i for i in word if i], [i for i in sounds if i]) for word, sounds in zip(letters.tolist(), phonemes.tolist())
    ]


def test_a_loss_of_ones_own_is_what_is_learned_from(dictionary):
    def always_seven(logits, targets):
        return 7 + 0 * logits.sum()

    pairs = encode_pairs(["know"], dictionary)
    assert list(Training(Unchanging(), pairs, steps=2, batch_size=1, loss=always_seven)) == [7, 7]
