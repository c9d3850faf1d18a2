"""The writer as it was at five steps of a training, and read from what is stored. Used in notebook 18.

python -m companion.worlds.stories.trained        trains and stores it, in a few minutes of one core
"""

import copy
import itertools
import platform
from importlib.metadata import version
from pathlib import Path

import torch
from torch import nn

from companion.worlds.stored import read, store
from companion.worlds.stories.writer import BATCH, LEARNING_RATE, Writer, examples, loss_of, train_writer_in_steps

STORED = Path(__file__).with_suffix(".json")  # beside it, trained.pt
SEED, NUM_STORIES = 0, 20_000
STEPS = (0, 100, 300, 1000, 2000)  # after which the model is stored


def load_series():
    """Return {step: the writer as it was then}, and the record of its training. Raises ValueError as `read` does."""
    models, record = read(lambda record: nn.ModuleDict({str(step): Writer() for step in record["steps"]}), STORED)
    return {int(step): model for step, model in models.items()}, record


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    model, training, held_back = Writer(), examples(NUM_STORIES, "training"), examples(400, "test")
    models, log = nn.ModuleDict(), []
    for step, _ in itertools.chain(train_writer_in_steps(model, *training, SEED, STEPS[-1]), [(STEPS[-1], None)]):
        if step % 100 == 0:
            with torch.no_grad():
                log.append([step, round(loss_of(model, *held_back).item(), 4)])
            print("step, loss of stories held back:", *log[-1], flush=True)
        if step in STEPS:
            models[str(step)] = copy.deepcopy(model)
    record = {
        "steps": STEPS,
        "seed": SEED,
        "stories": NUM_STORIES,
        "batch": BATCH,
        "learning_rate": LEARNING_RATE,
        "machine": f"one thread, {platform.machine()}",
        "versions": {"python": platform.python_version(), "torch": version("torch")},
        "held_back": log,  # [step, loss of 400 stories held back]
    }
    store(models, record, STORED)
