"""The writer as it was at five steps of a training, read from what is stored. Used in notebook 18."""

from pathlib import Path

from torch import nn

from companion.worlds.stored import read
from companion.worlds.stories.writer import Writer

WEIGHTS, RECORD = (Path(__file__).with_name(f"trained.{kind}") for kind in ("pt", "json"))


def load_series():
    """Return {step: the writer as it was then}, and the record of its training, a dict.

    Raises ValueError if the weights are not, to the byte, those that the record was made with.
    """
    state, record = read(WEIGHTS, RECORD)
    models = nn.ModuleDict({str(step): Writer() for step in record["steps"]})
    models.load_state_dict(state)
    return {int(step): model.eval() for step, model in models.items()}, record
