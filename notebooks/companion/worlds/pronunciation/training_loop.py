"""How a pronouncer learns: batches of words of one length, and a loop that hands out each step's loss."""

import functools
import random

import torch
from torch import nn
from torch.nn import functional as F

from companion.worlds.pronunciation.dictionary import PADDING, pad

WARM_UP = 0.04  # of all steps: the learning rate climbs, then falls to zero


def batches(pairs, batch_size, seed=0):
    """Yield batches without end: letters (batch, letters) and phonemes (batch, phonemes), padded.

    pairs: as from `encode_pairs`, all in each round, in a new order. Words of one length share a batch.
    """
    shuffler = random.Random(seed)
    while True:
        order = shuffler.sample(pairs, len(pairs))
        order.sort(key=lambda pair: (len(pair[0]), len(pair[1])))
        groups = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
        shuffler.shuffle(groups)
        for group in groups:
            letters, phonemes = zip(*group)
            yield pad(letters), pad(phonemes)


def shifted(phonemes):
    """Return what a decoder reads at each place and what it should say there, both (batch, phonemes - 1).

    phonemes: ids (batch, phonemes), from begin to end, padded. Teacher forcing: what is read is what is true.
    Williams and Zipser, "A Learning Algorithm for Continually Running Fully Recurrent Neural Networks", 1989.
    """
    return phonemes[:, :-1], phonemes[:, 1:]


def loss_without_padding(logits, targets, label_smoothing=0.0):
    """Return the mean cross-entropy of all targets that are not padding, one number.

    logits: (batch, phonemes, ids); targets: ids (batch, phonemes); label_smoothing: share of a target spread over ids.
    """
    options = {"ignore_index": PADDING, "label_smoothing": label_smoothing}
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), **options)


class Training:
    """Training of a model on pairs of letters and phonemes; to loop over it is to train, and gives each step's loss.

    model: anything that returns logits for (letters, phonemes so far); pairs: as from `encode_pairs`;
    learning_rate: the highest; label_smoothing: of `loss_without_padding`; loss: a function that takes its place.
    The same seed and model give the same losses. Dropout draws from torch's own generator.
    """

    def __init__(self, model, pairs, steps, batch_size, learning_rate=5e-3, label_smoothing=0.0, loss=None, seed=0):
        self.model, self.steps, self.step = model, steps, 0
        self._loss = loss or functools.partial(loss_without_padding, label_smoothing=label_smoothing)
        self._batches = batches(pairs, batch_size, seed)
        options = {"betas": (0.9, 0.98), "weight_decay": 0.01, "fused": True}  # the same steps, in less time
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, **options)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, self._share_of_learning_rate)

    def __iter__(self):
        while self.step < self.steps:
            self.model.train()
            letters, phonemes = next(self._batches)
            inputs, targets = shifted(phonemes)
            loss = self._loss(self.model(letters, inputs), targets)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=1.0)
            self.optimizer.step()
            self.schedule.step()
            self.step += 1
            yield loss.item()

    def _share_of_learning_rate(self, step):
        progress = (step + 1) / (self.steps + 1)
        return min(progress / WARM_UP, (1 - progress) / (1 - WARM_UP))
