"""Train the head that notebook 00 shows, and store it.

python -m companion.worlds.which_minute.train        in a second
"""

import torch

from companion.worlds.stored import store
from companion.worlds.which_minute.head import SEED, STEPS, STORED, train, untrained
from companion.worlds.which_minute.sentences import encode, sentences


def main():
    torch.set_num_threads(1)
    texts, meanings = sentences()
    head = untrained()
    for step, loss in train(head, encode(texts), meanings):
        if step % 100 == 0:
            print(f"step {step}: loss {loss:.3f}")
    store(head, {"seed": SEED, "steps": STEPS}, STORED, decimals=4)


if __name__ == "__main__":
    main()
