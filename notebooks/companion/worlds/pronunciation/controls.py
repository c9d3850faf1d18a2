"""Two controls for notebook 14, trained as its own model is, that cannot choose which letters they read.

One averages all letters, the other a few that a mask fixes. A model that may choose is trained and kept beside them.

python -m companion.worlds.pronunciation.controls        trains all with several seeds, in minutes of one core
"""

import time
from pathlib import Path

import torch
from torch import nn

from companion.pictures.palette import ROLES
from companion.pictures.spread import spreads
from companion.worlds.pronunciation.decoding import pronounce, share_wrong
from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.pronunciation.trained import prepare
from companion.worlds.pronunciation.training_loop import Training
from companion.worlds.stored import read, store

STORED = Path(__file__).with_name("controls.json")  # beside it, controls.pt
D_MODEL, SEEDS = 64, (0, 1, 2)
TRAINING = {"steps": 768, "batch_size": 64}
BENT = 3  # so many more letters than phonemes, and the window of the last phonemes ends before their letters


class Windowed(Pronouncer):
    """A `Pronouncer` whose two heads read the letters of a `window`."""

    def decode(self, phonemes, memory, mask, need_weights=False):
        """Return what `Pronouncer.decode` does."""
        mask = mask.unsqueeze(1) & window(phonemes.shape[-1], memory.shape[-2])
        return super().decode(phonemes, memory, mask, need_weights)


def window(num_phonemes, num_letters):
    """Let head 0 read letters t - 1 and t for phoneme t, and head 1 letters t + 1 and t + 2.

    Returns (2, num_phonemes, num_letters), True = may attend.
    >>> (window(2, 4) * 1).tolist()
    [[[1, 0, 0, 0], [1, 1, 0, 0]], [[0, 1, 1, 0], [0, 0, 1, 1]]]
    """
    ahead = torch.arange(num_letters) - torch.arange(num_phonemes)[:, None]
    return torch.stack([(ahead == -1) | (ahead == 0), (ahead == 1) | (ahead == 2)])


def unasked(model):
    """Return the model with queries of zero that training cannot change: what a head may read gets equal weights."""
    for block in model.decoder:
        for parameter in block.cross_attention.W_query.parameters():
            nn.init.zeros_(parameter).requires_grad_(False)
    return model


MODELS = {
    "attention": lambda: Pronouncer(D_MODEL, num_heads=2),
    "window": lambda: unasked(Windowed(D_MODEL, num_heads=2)),
    "average": lambda: unasked(Pronouncer(D_MODEL, num_heads=2)),
}


def load_controls():
    """Return `MODELS` of the first seed, by kind, and the record of all seeds. Raises ValueError as `read` does."""
    return read(lambda record: nn.ModuleDict({kind: make() for kind, make in MODELS.items()}), STORED)


def show_right(record, caption=None):
    """Draw a record's words right in %, of all test words and of the bent ones, a dot for each seed."""
    shares = [
        [[run[pile] for pile in ("test", "bent")] for run in record["runs"] if run["kind"] == kind] for kind in MODELS
    ]
    percents = 100 - 100 * torch.tensor(shares)  # (kinds, seeds, piles)
    ends = zip(percents[0].amin(dim=0).tolist(), percents[0].amax(dim=0).tolist())  # of those that may choose
    piles = "% right of all 12,000 test words", "% right of the bent ones"
    charts = {pile: (band, "may choose", 50) for pile, band in zip(piles, ends)}
    names = "may choose", "four fixed", "all letters"
    return spreads(dict(zip(names, percents)), charts, caption, {names[0]: ROLES["weight"].fill})


def bent(words, dictionary):
    """Return the words with at least `BENT` more letters than phonemes, such as "thoughtful"."""
    return [word for word in words if len(word) - max(map(len, dictionary[word])) >= BENT]


if __name__ == "__main__":
    dictionary, split, pairs = prepare()
    piles = {"test": split.test, "bent": bent(split.test, dictionary)}
    kept, runs = nn.ModuleDict(), []
    for seed in SEEDS:
        for kind, make in MODELS.items():
            torch.manual_seed(seed)
            model = make()
            list(Training(model, pairs, **TRAINING, seed=seed))
            said = pronounce(model, split.test)
            wrong = {name: share_wrong({word: said[word] for word in pile}, dictionary) for name, pile in piles.items()}
            runs.append({"kind": kind, "seed": seed} | wrong)  # shares of the words
            print(*runs[-1].values(), flush=True)
            if seed == SEEDS[0]:
                kept[kind] = model
    words = {name: len(pile) for name, pile in piles.items()}
    record = {"training": TRAINING, "words": words, "runs": runs, "processor_seconds": round(time.process_time())}
    store(kept, record, STORED)
