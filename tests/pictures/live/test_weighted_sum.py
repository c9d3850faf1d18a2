"""The static twin of the weighted sum: its numbers are torch's, and what does not fit is refused in words."""

import json
import re

import pytest
import torch

from companion.pictures.live.weighted_sum import weighted_sum
from companion.pictures.words import shown

NAMES = ['<b>&"', "is", "short"]


@pytest.fixture
def numbers():
    torch.manual_seed(0)
    return torch.softmax(torch.randn(3, 3), dim=-1), torch.randn(3, 28)


def page(*arguments, **options):
    return weighted_sum(*arguments, **options)._repr_mimebundle_()["text/html"]


def test_the_twin_holds_torch_s_weighted_values_and_their_sum(numbers):
    weights, value = numbers
    cells = re.findall(r"<td [^>]*>([^<]*)</td>", page(weights, value, NAMES, follow=1))
    parts = weights[1].double()[:, None] * value.double()
    rows = [[weight, *part] for weight, part in zip(weights[1].tolist(), parts[:, :6].tolist())]
    found = [cell for cell in cells if re.fullmatch(r"−?\d+\.\d\d", cell)]
    wanted = [shown(number) for row in rows for number in row]
    assert found == [*wanted, *map(shown, parts.sum(dim=0)[:6].tolist())]


def test_it_says_how_many_features_are_left_out_and_only_then(numbers):
    weights, value = numbers
    assert "first 6 of 28 features" in page(weights, value, NAMES)
    assert "first" not in re.search(r"α · v[^<]*", page(weights, value[:, :6], NAMES))[0]


def test_hostile_tokens_are_text_and_sixteen_keys_stay_small(numbers):
    assert "<b>" not in page(*numbers, NAMES)
    large = page(torch.full((16, 16), 1 / 16), torch.randn(16, 28), [f"token {place}" for place in range(16)])
    assert len(json.dumps(large, ensure_ascii=False).encode()) < 25_000


def test_what_does_not_fit_is_refused_in_words(numbers):
    weights, value = numbers
    with pytest.raises(ValueError, match=r"value has shape \(2, 28\), but 3 keys need \(3, d_v\)"):
        weighted_sum(weights, value[:2], NAMES)
    with pytest.raises(ValueError, match="follow is 3, but the queries have the numbers 0 to 2"):
        weighted_sum(weights, value, NAMES, follow=3)


def test_the_twin_multiplies_the_numbers_that_the_script_gets():
    weights, value = torch.tensor([[0.25, 0.75]]), torch.tensor([[0.3], [0.0]])  # 0.3 in float32 lies above 0.3
    page = weighted_sum(weights, value, ["query"], ["a", "b"])._repr_mimebundle_()["text/html"]
    assert ">0.07<" in page and ">0.08<" not in page
