import pytest
import torch
from live_pictures import rows

from companion.pictures.live.turn_query import turn_query
from companion.pictures.words import shown

QUERY, KEYS = torch.tensor([2.0, 1.0]), torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]])
LABELS = ["key a", "key b", "key c"]


def test_the_table_holds_torchs_scores_and_their_factors():
    picture = turn_query(QUERY, KEYS, LABELS)
    assert ">query (2.00, 1.00), length 2.24</caption>" in picture.twin
    degrees = torch.cosine_similarity(KEYS, QUERY[None]).acos().rad2deg()
    along = KEYS @ QUERY / QUERY.norm()
    assert rows(picture)[1:] == [
        [label, f"{angle:.1f}°", shown(reach), shown(score)]
        for label, angle, reach, score in zip(LABELS, degrees.tolist(), along.tolist(), (KEYS @ QUERY).tolist())
    ]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ([2.0, 1.0], "Largest score: “key b” (3.50); below zero: “key c”."),
        ([2.0, 2.0], "Largest score: “key b” (6.00); below zero: none; zero: “key c”."),
        ([0.0, -1.0], "Largest score: “key a” (−0.30); below zero: “key a”, “key b”, “key c”."),
        ([0.0, 0.0], "Largest score: “key a” (0.00); below zero: none; zero: “key a”, “key b”, “key c”."),
    ],
)
def test_the_sentence_tells_the_largest_score_and_those_at_zero_and_below(query, sentence):
    assert turn_query(query, KEYS, LABELS).text == sentence


def test_a_query_of_zeros_has_no_angle():
    assert [row[1] for row in rows(turn_query([0, 0], KEYS, LABELS))[1:]] == ["–"] * 3
