"""One step of the delta rule on a small state: what it answers before and after."""

import torch

from companion.pictures.notebook_02_vectors import vectors

KEY, VALUE = (torch.tensor(numbers, dtype=torch.float64) for numbers in ([0.6, 0.8, 0], [0, 1.8, -0.6, 0.5]))
STATE = [[1, 0, -1, 0.5], [0.5, 1, 0, -1], [1.5, -0.5, 1, 0]]


def corrected(step, rate=0.5):
    """Show a state, what misses in its answer to a key, and the state and its answer after a step, a function."""
    before = torch.tensor(STATE, dtype=torch.float64)
    after = step(before, KEY, VALUE, rate)
    times = [f"{number:g} ×" for number in KEY.tolist()]
    answers = [KEY @ before, VALUE, VALUE - KEY @ before, KEY @ after]
    groups = {
        "The state before": (times, before),
        "Its answer to the key": (["before", "value", "missing", "after"], torch.stack(answers)),
        "The state after": (times, after),
    }
    groups = {heading: (labels, rows.round(decimals=9)) for heading, (labels, rows) in groups.items()}  # zeros stay 0
    return vectors(groups, mark="after", title=f"A state is asked, and corrected at a rate of {rate:g}")
