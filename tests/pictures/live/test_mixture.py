import math

import torch
from live_pictures import rows

from companion.pictures.live.mixture import mixture
from companion.pictures.words import shown

WEIGHTS, VALUE = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]])
LABELS = ["Life", "is", "short"]


def written(vector):
    return f"({', '.join(map(shown, vector.tolist()))})"


def test_table_and_sentence_hold_torchs_products_and_context():
    picture = mixture(WEIGHTS, VALUE, LABELS)
    context = WEIGHTS @ VALUE
    head, *values, total = rows(picture)
    assert head == ["", "value v", "weight α", "α · v"]
    assert values == [
        [label, written(value), shown(weight.item()), written(weight * value)]
        for label, weight, value in zip(LABELS, WEIGHTS, VALUE)
    ]
    assert total == ["context", "", "Σ 1.00", written(context)]
    assert picture.text == (
        f"Context {written(context)} = 0.50 · Life + 0.30 · is + 0.20 · short. "
        f"Length {shown(context.norm().item())}; the longest value has {shown(math.hypot(3, 1))}."
    )
