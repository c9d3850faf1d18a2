import re

import pytest
import torch

from companion.pictures.live.linked_heads import linked_heads

TOKENS = ["Life", "is", "short"]
torch.manual_seed(0)
WEIGHTS = torch.softmax(2 * torch.randn(2, 3, 3), dim=-1)  # (heads, queries, keys)
TIMES = torch.softmax(torch.randn(4, 1, 3, 3), dim=-1)
LOSSES = {"losses": [3.0, 2.0, 1.5, 0.25], "steps": [0, 10, 20, 30]}


def test_the_twin_has_a_table_for_each_head_with_torchs_numbers():
    numbers = re.findall(r">(\d\.\d\d)<", linked_heads(WEIGHTS, TOKENS).twin)
    assert numbers == [f"{number:.2f}" for head in WEIGHTS for row in head for number in row]


def test_words_say_where_each_head_looks_and_one_needs_no_number():
    looks = [f"most at “{TOKENS[row.argmax()]}” ({row.max():.2f})" for row in WEIGHTS[:, 2]]
    said = ", ".join(f"head {head} {each}" for head, each in enumerate(looks))
    assert linked_heads(WEIGHTS, TOKENS, follow=2).text == f"“short” looks: {said}."
    assert linked_heads(WEIGHTS[:1], TOKENS, follow=2).text == f"“short” looks {looks[0]}."


def test_the_data_holds_every_step_and_the_twin_shows_the_last():
    picture = linked_heads(TIMES, TOKENS, **LOSSES)
    numbers = [[row.split() for row in heads[0].split("/")] for heads in picture.data["weights"]]
    assert numbers == [[[f"{100 * weight:.0f}" for weight in row] for row in heads[0]] for heads in TIMES]
    assert [picture.data["losses"], picture.data["steps"]] == list(LOSSES.values())
    assert f">{TIMES[-1, 0, 0, 0]:.2f}<" in picture.twin


def test_a_row_ends_where_every_head_hides_the_rest():
    causal = torch.tensor([[[1, 0, 0], [0.25, 0.75, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0], [0, 0, 1]]])
    picture = linked_heads(causal, TOKENS)
    assert picture.data["weights"] == [["100/25 75/0 100 0", "100/100 0/0 0 100"]]
    cells = [row.count("<td") for row in picture.twin.split("<tr")]
    assert [count for count in cells if count != 0] == [1, 1, 2, 3, 1, 1, 2, 3]  # a head's first row is of names


@pytest.mark.parametrize(
    "weights, options, message",
    [
        (WEIGHTS[0], {}, "the weights have shape (3, 3); (heads, queries, keys) was expected"),
        (WEIGHTS, LOSSES, "the weights have shape (2, 3, 3); (times, heads, queries, keys) was expected"),
        (TIMES, LOSSES | {"steps": [1]}, "4 times need as many losses and steps; 4 and 1 were given"),
        (WEIGHTS, {"follow": 3}, "follow is 3, but the queries have the numbers 0 to 2"),
        (torch.zeros(2, 50, 50), {}, "5000 weights are too many for one page; show at most 4096"),
        (4 * WEIGHTS, {}, "weights lie between 0 and 1"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(weights, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        linked_heads(weights, TOKENS, **options)
