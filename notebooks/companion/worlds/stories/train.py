"""Train the writer that notebook 18 shows, and store it as it was at five steps.

python -m companion.worlds.stories.train        in a few minutes of one core
"""

import copy
import itertools
import platform
from importlib.metadata import version

import torch
from torch import nn

from companion.worlds.stored import store
from companion.worlds.stories.trained import RECORD, WEIGHTS
from companion.worlds.stories.writer import BATCH, LEARNING_RATE, Writer, examples, loss_of, train

SEED, STEPS, NUM_STORIES = 0, 2000, 20_000
STORED_STEPS = (0, 100, 300, 1000, STEPS)  # the steps after which the model is stored


def main():
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    model, training, held_back = Writer(), examples(NUM_STORIES, "training"), examples(400, "test")
    models, log = nn.ModuleDict(), []
    for step, _ in itertools.chain(train(model, *training, SEED, STEPS), [(STEPS, None)]):
        if step % 100 == 0:
            with torch.no_grad():
                log.append([step, round(loss_of(model, *held_back).item(), 4)])
            print("step, loss of stories held back:", *log[-1], flush=True)
        if step in STORED_STEPS:
            models[str(step)] = copy.deepcopy(model)
    record = {
        "steps": STORED_STEPS,
        "seed": SEED,
        "stories": NUM_STORIES,
        "batch": BATCH,
        "learning_rate": LEARNING_RATE,
        "machine": f"one thread, {platform.machine()}",
        "versions": {"python": platform.python_version(), "torch": version("torch")},
        "held_back": log,  # [step, loss of 400 stories held back]
    }
    store(models, record, WEIGHTS, RECORD)


if __name__ == "__main__":
    main()
