import math

import pytest
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


@pytest.mark.parametrize(
    ("weights", "value", "message"),
    [
        (WEIGHTS, VALUE[:, 0], r"value has shape \(3,\), but 3 labels need \(3, 2\); the plane has two numbers"),
        (WEIGHTS[:2], VALUE, r"the weights have shape \(1, 2\), but .* 3 key labels"),
        (WEIGHTS / 2, VALUE, "the weights sum to 0.5000, but an average needs 1: divide them by their sum"),
        (WEIGHTS, 100 * VALUE, "the largest number is 300.0, but the plane shows from 0.1 to 10: scale them"),
        (WEIGHTS, VALUE * math.nan, "the largest number is nan"),
    ],
)
def test_what_is_no_average_in_the_plane_is_refused(weights, value, message):
    with pytest.raises(ValueError, match=message):
        mixture(weights, value, LABELS)
