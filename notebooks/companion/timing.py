"""How long ways to write attention took, and how much memory, where `tests/benchmark.py` measured them once."""

import json
from math import nan
from pathlib import Path

import torch

MEASURED = json.loads(Path(__file__).with_name("measured.json").read_text(encoding="utf-8"))
WAYS = {  # that notebook 16 compares: {its word: the name under which it was measured}
    "plain": "combined Q, K, V; matmul",
    "tiles": "`tiled_attention`",
    "PyTorch's own": "combined Q, K, V; SDPA",
}


def load_speeds(quantity, ways):
    """Return the lengths at which `tests/benchmark.py` measured these ways, and what it measured, (ways, lengths).

    quantity: "seconds" or "megabytes"; nan where a way did not fit into memory. Of a causal layer of 12 heads of 64,
    one sentence, in float32, on the machine that `MEASURED` names.
    """
    lengths = {column: tokens for column, (batch, tokens) in enumerate(MEASURED["sizes"]) if batch == 1}
    rows = [MEASURED["ways"][way][quantity] for way in ways]
    return [*lengths.values()], torch.tensor([[nan if row[i] is None else row[i] for i in lengths] for row in rows])
