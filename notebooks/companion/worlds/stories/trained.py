"""The writer as it was at five steps of a training, read from what is stored. Used in notebook 18."""

from pathlib import Path

from companion.worlds.stored import read_models
from companion.worlds.stories.writer import Writer

STORED = Path(__file__).with_name("trained.json")  # beside it, trained.pt
STEPS = (0, 100, 300, 1000, 2000)  # after which it was stored


def load_series():
    """Return {step: the writer as it was then}, and the record of its training, a dict.

    Raises ValueError as `read` does.
    """
    models, record = read_models({str(step): Writer() for step in STEPS}, STORED)
    return {int(step): model for step, model in models.items()}, record
