"""The weights that come with the course: stored, checked, read. The larger pronouncer. Used in notebook 14."""

import hashlib
import io
import json
from pathlib import Path

import torch

from companion.worlds.pronunciation.pronouncer import Pronouncer

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


def read(weights, record):
    """Return what `store` wrote: a state dict, whose numbers a model widens to 32 bits, and the record.

    Raises ValueError if the weights are not, to the byte, those that the record was made with.
    """
    record = json.loads(Path(record).read_text(encoding="utf-8"))
    stored = Path(weights).read_bytes()
    if hashlib.sha256(stored).hexdigest() != record["sha256"]:
        name = Path(weights).name
        raise ValueError(f"{name} does not hold what was stored; get this file again, as the course holds it")
    return torch.load(io.BytesIO(stored), weights_only=True), record


def store(model, record, weights=WEIGHTS, record_file=RECORD):
    """Write the model's weights in 16 bits, and the record with their SHA-256."""
    buffer = io.BytesIO()
    torch.save({name: tensor.half() for name, tensor in model.state_dict().items()}, buffer)
    stored = buffer.getvalue()
    record = record | {"sha256": hashlib.sha256(stored).hexdigest()}
    weights.write_bytes(stored)
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items())
    record_file.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
