"""Weights that come with the course, with the record of their training: stored, checked, read.

The numbers of a small model stand in the record, NAME.json; those of a larger one lie beside it, in NAME.pt.
"""

import hashlib
import io
import json
import re

import torch


def read(make, file):
    """Return the model that `store` wrote, in evaluation mode, and the record; make(record): makes the model.

    Raises ValueError if the weights are not, to the byte, those that the record was made with.
    """
    record = json.loads(file.read_text(encoding="utf-8"))
    inside = record.get("weights")
    file = file if inside else file.with_suffix(".pt")
    stored = _as_bytes(inside) if inside else file.read_bytes()
    if hashlib.sha256(stored).hexdigest() != record["sha256"]:
        raise ValueError(f"{file.name} does not hold what was stored; get this file again, as the course holds it")
    numbers = inside or torch.load(io.BytesIO(stored), weights_only=True)
    model = make(record)
    model.load_state_dict({name: torch.as_tensor(values) for name, values in numbers.items()})
    return model.eval(), record


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
    write_rows(record | {"sha256": hashlib.sha256(stored).hexdigest()} | inside, file)


def write_rows(rows, file, margin=" ", depth=1):
    """Write rows, a dict or a list, as JSON, one on each line after a margin; depth: 2 if these rows have rows, too."""
    text = json.dumps(rows, indent="\t", ensure_ascii=False)
    joint = rf"(,?)\n\t{{{depth + 1},}}|\n\t{{{depth}}}(?=[]}}])"  # where the text of a row was broken
    text = re.sub(joint, lambda found: ", " if found[1] else "", text)
    file.write_text(text.replace("\t", margin) + "\n", encoding="utf-8")


def _as_bytes(weights):
    return json.dumps(weights, sort_keys=True).encode()
