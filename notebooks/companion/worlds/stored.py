"""Weights that come with the course, with the record of their training: stored, checked, read.

The numbers of a small model stand in the record, NAME.json; those of a larger one lie beside it, in NAME.pt.
"""

import hashlib
import io
import json

import torch
from torch import nn


def read(file):
    """Return what `store` wrote: a state dict, whose numbers a model widens to 32 bits, and the record.

    Raises ValueError if the weights are not, to the byte, those that the record was made with.
    """
    record = json.loads(file.read_text(encoding="utf-8"))
    inside = record.get("weights")
    file = file if inside else file.with_suffix(".pt")
    stored = _as_bytes(inside) if inside else file.read_bytes()
    if hashlib.sha256(stored).hexdigest() != record["sha256"]:
        raise ValueError(f"{file.name} does not hold what was stored; get this file again, as the course holds it")
    if inside:
        return {name: torch.tensor(numbers) for name, numbers in inside.items()}, record
    return torch.load(io.BytesIO(stored), weights_only=True), record


def read_models(models, file):
    """Give models, {name: model}, the numbers that are stored for them; return them to evaluate with, and the record.

    Raises ValueError as `read` does.
    """
    state, record = read(file)
    models = nn.ModuleDict(models)
    models.load_state_dict(state)
    return dict(models.eval().items()), record


def store(model, record, file, decimals=None):
    """Write a model's weights, and the record with their SHA-256.

    decimals: how many each number has in the record; if not given, the numbers lie beside it, in 16 bits.
    """
    state, inside = model.state_dict(), {}
    if decimals:
        weights = {name: tensor.double().round(decimals=decimals).tolist() for name, tensor in state.items()}
        stored, inside = _as_bytes(weights), {"weights": weights}
    else:
        torch.save({name: tensor.half() for name, tensor in state.items()}, buffer := io.BytesIO())
        file.with_suffix(".pt").write_bytes(stored := buffer.getvalue())
    record = record | {"sha256": hashlib.sha256(stored).hexdigest()} | inside
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items())
    file.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _as_bytes(weights):
    return json.dumps(weights, sort_keys=True).encode()
