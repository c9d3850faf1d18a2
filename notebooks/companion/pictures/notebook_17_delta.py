"""One step of the delta rule on a small state: what it answers before and after."""

import torch

from companion.pictures.charts import bars
from companion.pictures.palette import ROLES

KEY, VALUE = (torch.tensor(numbers, dtype=torch.float64) for numbers in ([0.6, 0.8, 0], [0, 1.8, 0.9]))
STATE = [[1, 0, 1], [0.5, 1, 0], [1.5, 0.5, 1]]


def corrected(step, rate=0.5):
    """Show a state's answer to a key before and after a step, a function, and the value, feature by feature."""
    before = torch.tensor(STATE, dtype=torch.float64)
    answers = {"before": KEY @ before, "after": KEY @ step(before, KEY, VALUE, rate), "value": VALUE}
    features = {f"feature {i}": {name: round(row[i].item(), 9) for name, row in answers.items()} for i in range(3)}
    colors = {"value": ROLES["value"].fill, "after": ROLES["context"].fill}
    caption = f"One step at a rate of {rate:g}: what the state answers to the key, before and after."
    return bars(features, "answer to the key", colors, caption=caption)
