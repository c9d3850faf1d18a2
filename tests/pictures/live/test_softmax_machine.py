import re

import pytest
import torch
from live_pictures import rows

from companion.pictures.live.softmax_machine import softmax_machine
from companion.pictures.words import shown

TOKENS = ["Life", "is", "short", "eat"]
ROW = torch.tensor([1.75, -1.5, 0.664, 2.2753])


@pytest.mark.parametrize("row", [ROW, ROW - 40, torch.tensor([1000.0, 1001, 3, -2]), torch.zeros(4)])
@pytest.mark.parametrize("temperature, name", [(1, "exp(ω − max)"), (5, "exp((ω − max) / 5.00)")])
def test_the_twin_shows_torchs_numbers(row, temperature, name):
    picture = softmax_machine(row, TOKENS, temperature=temperature)
    head, *body, foot, bar = rows(picture)
    row = row.double()
    exps = torch.exp((row - row.max()) / temperature)
    shares = torch.softmax(row / temperature, dim=-1)
    assert head == ["key", "score ω", name, "weight α = exp / sum"] and picture.data["temperature"] == temperature
    columns = zip(row.tolist(), exps.tolist(), shares.tolist())
    assert body == [[key, *map(shown, numbers)] for key, numbers in zip(TOKENS, columns)]
    assert foot == ["sum", "", f"{exps.sum():.2f}", "1.00"] and len(bar) == 4
    widths = [int(width) / 100 for width in re.findall(r"[;\"]width:(\d+)%;background", picture.twin)]
    assert widths == pytest.approx(shares.tolist(), abs=0.005)  # of the parts of the bar


@pytest.mark.parametrize(
    "row, keys, query, words",
    [
        (ROW, TOKENS, "is", "For “is”: “eat” gets 0.55 of 1, “Life” 0.33."),
        (torch.zeros(2), ["a", "b"], None, "“a” gets 0.50 of 1, “b” 0.50."),
        (torch.tensor([0.0, 9]), ["a", "b"], None, "“b” gets 1.00 of 1."),
        (torch.tensor([-3.0]), ["a"], None, "“a” gets 1.00 of 1."),
    ],
)
def test_the_sentence_names_the_two_largest_shares(row, keys, query, words):
    assert softmax_machine(row, keys, query).text == words


@pytest.mark.parametrize("row, scale", [(ROW, [-4, 5]), (ROW + 40, [0 - 2, 45]), (ROW - 40, [-44, 2])])
def test_the_scale_has_room_around_the_scores_and_holds_zero(row, scale):
    assert softmax_machine(row, TOKENS).data["scale"] == scale
