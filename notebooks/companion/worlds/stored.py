"""Weights that come with the course, in a file beside the record of their training: stored, checked, read."""

import hashlib
import io
import json
from pathlib import Path

import torch


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


def store(model, record, weights, record_file):
    """Write the model's weights in 16 bits, and the record with their SHA-256."""
    buffer = io.BytesIO()
    torch.save({name: tensor.half() for name, tensor in model.state_dict().items()}, buffer)
    stored = buffer.getvalue()
    record = record | {"sha256": hashlib.sha256(stored).hexdigest()}
    weights.write_bytes(stored)
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items())
    record_file.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
