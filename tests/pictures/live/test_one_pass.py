import torch
from live_pictures import rows

from companion.pictures.live.one_pass import one_pass
from companion.pictures.words import shown

SCORES = torch.tensor([0.5, -1.0, 2.0, 2.0, 3.5])
VALUES = torch.tensor([8.0, 16.0, 4.0, 0.0, 1.0])


def test_each_row_holds_what_torch_finds_in_the_keys_so_far():
    head, *body = rows(one_pass(SCORES, VALUES))
    assert head == ["key", "score", "largest", "factor", "sum", "context"]
    for number, row in enumerate(body):
        seen = SCORES[: number + 1]
        weights = (seen - seen.max()).exp()
        factor = shown((seen[:-1].max() - seen.max()).exp().item()) if number else "–"
        kept = [seen.max().item(), weights.sum().item(), (weights @ VALUES[: number + 1]).item()]
        largest, total, context = map(shown, kept)
        assert row == [f"{number}", shown(SCORES[number].item()), largest, factor, total, context]


def test_the_sentence_tells_the_moment_at_which_most_is_lost():
    said = "Key 2 has a larger score: all that was kept shrinks by exp(0.50 − 2.00) = 0.22, and then its weight, 1.00,"
    assert one_pass(SCORES, VALUES).text == f"{said} is added."
    assert "All keys are read: 8.00 / 1.00 = 8.00." in one_pass(SCORES[:1], VALUES[:1]).text
