"""The larger pronouncer, read from what is stored. Used in notebook 14."""

from pathlib import Path

from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.stored import read

STORED = Path(__file__).with_name("trained.json")  # beside it, trained.pt


def load_trained(stored=STORED):
    """Return the trained `Pronouncer`, in evaluation mode, and the record of its training, a dict.

    stored: the record's file; that of the course if not given. Raises ValueError as `read` does.
    """
    return read(lambda record: Pronouncer(**record["model"]), stored)
