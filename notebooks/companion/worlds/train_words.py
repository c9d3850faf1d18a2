"""Train the model that notebook 08 opens with, as the notebook trains its own, and store it.

python -m companion.worlds.train_words        in ten seconds
"""

import json

import torch

from companion.course_answers import one_loop
from companion.fitting import fit, redraw
from companion.worlds.words import STORED, Speller, encode, split_words

if __name__ == "__main__":
    torch.set_num_threads(1)
    model = redraw(Speller().double(), 0, "letter", "position", "attend", "next")
    letters, following = encode(split_words()[0])
    torch.manual_seed(0)
    fit(one_loop, model, [letters], following, steps=600, size=128, lr=0.01)
    numbers = {name: part.round(decimals=3).tolist() for name, part in model.state_dict().items()}
    STORED.write_text(json.dumps(numbers, separators=(",", ":")) + "\n", encoding="utf-8")
