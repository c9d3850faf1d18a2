import re

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


def test_a_row_ends_where_every_head_hides_the_rest():
    causal = torch.tensor([[[1, 0, 0], [0.25, 0.75, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0], [0, 0, 1]]])
    picture = linked_heads(causal, TOKENS)
    assert picture.data["weights"] == [["100/25 75/0 100 0", "100/100 0/0 0 100"]]
    cells = [row.count("<td") for row in picture.twin.split("<tr")]
    assert [count for count in cells if count != 0] == [1, 1, 2, 3, 1, 1, 2, 3]  # a head's first row is of names
