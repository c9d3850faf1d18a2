"""The larger pronouncer, read from what is stored. Used in notebook 14."""

from pathlib import Path

from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.stored import read

WEIGHTS = Path(__file__).with_name("trained.pt")
RECORD = Path(__file__).with_name("trained.json")


def load_trained(weights=WEIGHTS, record=RECORD):
    """Return the trained `Pronouncer`, in evaluation mode, and the record of its training, a dict.

    weights, record: the two files; those of the course if not given. Raises ValueError as `read` does.
    """
    state, record = read(weights, record)
    model = Pronouncer(**record["model"])
    model.load_state_dict(state)
    return model.eval(), record
