import math
import re
from xml.etree import ElementTree

import pytest
import torch

from companion.pictures.live.mixture import mixture
from companion.pictures.words import shown

WEIGHTS, VALUE = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]])
LABELS = ["Life", "is", "short"]


def bundle(weights=WEIGHTS, value=VALUE, labels=LABELS):
    return mixture(weights, value, labels)._repr_mimebundle_()


def written(vector):
    return f"({', '.join(map(shown, vector.tolist()))})"


def rows(page):
    """The texts of the table. The parser also refuses broken markup."""
    table = ElementTree.fromstring(re.search(r"<table.*?</table>", page)[0])
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def test_the_table_holds_the_weighted_values_and_the_context_of_torch():
    head, *values, total = rows(bundle()["text/html"])
    assert head == ["", "value v", "weight α", "α · v"]
    assert values == [
        [label, written(value), shown(weight.item()), written(weight * value)]
        for label, weight, value in zip(LABELS, WEIGHTS, VALUE)
    ]
    assert total == ["context", "", "Σ 1.00", written(WEIGHTS @ VALUE)]


def test_the_sentence_tells_the_sum_and_the_lengths():
    shown_as = bundle()
    sentence = (
        f"Context {written(WEIGHTS @ VALUE)} = 0.50 · Life + 0.30 · is + 0.20 · short. "
        f"Length {shown((WEIGHTS @ VALUE).norm().item())}; the longest value has {shown(math.hypot(3, 1))}."
    )
    assert shown_as["text/plain"] == f"mixture: {sentence}"
    assert sentence in re.sub("</?bdi>", "", shown_as["text/html"])


def test_one_value_alone_is_its_own_average():
    assert rows(bundle([1.0], VALUE[:1], LABELS[:1])["text/html"])[-1][-1] == written(VALUE[0])


@pytest.mark.parametrize(
    ("weights", "value", "labels", "message"),
    [
        (WEIGHTS, VALUE[:, 0], LABELS, r"value has shape \(3,\), but .* the plane has two numbers"),
        (WEIGHTS, torch.ones(3, 4), LABELS, r"value has shape \(3, 4\), but 3 labels need \(3, 2\)"),
        (WEIGHTS[:2], VALUE, LABELS, r"the weights have shape \(1, 2\), but .* 3 key labels"),
        (WEIGHTS / 2, VALUE, LABELS, "the weights sum to 0.5000, but an average needs 1: divide them by their sum"),
        (torch.tensor([1.5, -0.5, 0.0]), VALUE, LABELS, "weights lie between 0 and 1, but these run from -0.50"),
        (WEIGHTS, 100 * VALUE, LABELS, "the largest number is 300.0, but the plane shows from 0.1 to 10: scale them"),
        (WEIGHTS, VALUE * math.nan, LABELS, "the largest number is nan"),
    ],
)
def test_what_is_no_average_in_the_plane_is_refused(weights, value, labels, message):
    with pytest.raises(ValueError, match=message):
        mixture(weights, value, labels)
