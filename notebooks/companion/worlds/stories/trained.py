"""The writer as it was at five steps of a training, read from what is stored. Used in notebook 18."""

from pathlib import Path

from torch import nn

from companion.worlds.stored import read
from companion.worlds.stories.writer import Writer

STORED = Path(__file__).with_name("trained.json")  # beside it, trained.pt


def load_series():
    """Return {step: the writer as it was then}, and the record of its training. Raises ValueError as `read` does."""
    models, record = read(lambda record: nn.ModuleDict({str(step): Writer() for step in record["steps"]}), STORED)
    return {int(step): model for step, model in models.items()}, record
