"""Two controls for notebook 14, trained as its own model is: one that cannot choose letters, and a recurrent one.

python -m companion.pronunciation.controls    trains all, with several seeds, and stores them: minutes of one core
"""

import time
from pathlib import Path

import torch
from torch import nn

from companion.pronunciation.decoding import pronounce
from companion.pronunciation.dictionary import encode_pairs, read_dictionary, split_words
from companion.pronunciation.error_rates import error_rates
from companion.pronunciation.pronouncer import Pronouncer
from companion.pronunciation.recurrent import RecurrentPronouncer
from companion.pronunciation.trained import read, store
from companion.pronunciation.training import Training

WEIGHTS = Path(__file__).with_name("controls.pt")
RECORD = Path(__file__).with_name("controls.json")
D_MODEL, SEEDS = 64, (0, 1, 2)
TRAINING = {"steps": 1_024, "batch_size": 64}
KINDS = {
    "attention": lambda d_model: Pronouncer(d_model, num_heads=2),
    "average": lambda d_model: averaging(Pronouncer(d_model, num_heads=2)),
    "recurrent": RecurrentPronouncer,
}
RUNS = [(kind, D_MODEL, seed) for seed in SEEDS for kind in KINDS]
RUNS += [(kind, D_MODEL // 2, 0) for kind in ("attention", "average")]
KEPT = [(kind, D_MODEL, 0) for kind in ("average", "recurrent")]


def averaging(model):
    """Return the model with queries of zero that training cannot change: all letters get equal weights, for ever."""
    for block in model.decoder:
        for parameter in block.cross_attention.W_query.parameters():
            nn.init.zeros_(parameter).requires_grad_(False)
    return model


def load_controls():
    """Return {"average": a `Pronouncer`, "recurrent": a `RecurrentPronouncer`}, in evaluation mode, and the record.

    Raises ValueError as `trained.read` does.
    """
    state, record = read(WEIGHTS, RECORD)
    models = nn.ModuleDict({kind: KINDS[kind](d_model) for kind, d_model, _ in KEPT})
    models.load_state_dict(state)
    return dict(models.eval().items()), record


def main():
    torch.set_num_threads(1)
    dictionary = read_dictionary()
    split = split_words(dictionary)
    pairs = encode_pairs(split.training, dictionary)
    kept, runs = nn.ModuleDict(), []
    for kind, d_model, seed in RUNS:
        torch.manual_seed(seed)
        model = KINDS[kind](d_model)
        for _ in Training(model, pairs, **TRAINING, seed=seed):
            pass
        test = [round(rate, 4) for rate in error_rates(pronounce(model, split.test), dictionary)]
        runs.append({"kind": kind, "d_model": d_model, "seed": seed, "test": test})  # phoneme errors, word errors
        print(*runs[-1].values(), flush=True)
        if (kind, d_model, seed) in KEPT:
            kept[kind] = model
    store(kept, {"training": TRAINING, "runs": runs, "processor_seconds": round(time.process_time())}, WEIGHTS, RECORD)


if __name__ == "__main__":
    main()
