"""Train the controls of notebook 14 with several seeds, and store them.

python -m companion.worlds.pronunciation.train_controls        in minutes of one core
"""

import time

import torch
from torch import nn

from companion.worlds.pronunciation.controls import MODELS, RECORD, SEEDS, TRAINING, WEIGHTS, bent
from companion.worlds.pronunciation.decoding import pronounce, share_wrong
from companion.worlds.pronunciation.dictionary import encode_pairs, read_dictionary, split_words
from companion.worlds.pronunciation.training import Training
from companion.worlds.stored import store


def main():
    torch.set_num_threads(1)
    dictionary = read_dictionary()
    split = split_words(dictionary)
    pairs = encode_pairs(split.training, dictionary)
    judged = {"test": split.test, "bent": bent(split.test, dictionary)}
    kept, runs = nn.ModuleDict(), []
    for seed in SEEDS:
        for kind, make in MODELS.items():
            torch.manual_seed(seed)
            model = make()
            for _ in Training(model, pairs, **TRAINING, seed=seed):
                pass
            pronounced = pronounce(model, split.test)
            wrong = {
                name: round(share_wrong({word: pronounced[word] for word in words}, dictionary), 4)
                for name, words in judged.items()
            }
            runs.append({"kind": kind, "seed": seed} | wrong)  # shares of the words
            print(*runs[-1].values(), flush=True)
            if seed == SEEDS[0]:
                kept[kind] = model
    words = {name: len(words) for name, words in judged.items()}
    record = {"training": TRAINING, "words": words, "runs": runs, "processor_seconds": round(time.process_time())}
    store(kept, record, WEIGHTS, RECORD)


if __name__ == "__main__":
    main()
