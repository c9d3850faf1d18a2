import math
import re
from xml.etree import ElementTree

import pytest
import torch

from companion.pictures.live.turn_query import turn_query
from companion.pictures.words import shown

QUERY, KEYS = torch.tensor([2.0, 1.0]), torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]])
LABELS = ["key a", "key b", "key c"]


def bundle(query=QUERY, keys=KEYS, labels=LABELS):
    return turn_query(query, keys, labels)._repr_mimebundle_()


def rows(page):
    """The texts of the table, without its header. The parser also refuses broken markup."""
    table = ElementTree.fromstring(re.search(r"<table.*?</table>", page)[0])
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")][1:]


def test_the_table_holds_the_scores_of_torch_and_what_they_are_the_product_of():
    assert "query (2.00, 1.00), length 2.24</caption>" in bundle()["text/html"]
    degrees = torch.cosine_similarity(KEYS, QUERY[None]).acos().rad2deg()
    along = KEYS @ QUERY / QUERY.norm()
    assert rows(bundle()["text/html"]) == [
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
    shown_as = bundle(torch.tensor(query))
    assert shown_as["text/plain"] == f"turn-query: {sentence}"
    assert sentence in re.sub("</?bdi>", "", shown_as["text/html"])


def test_a_query_of_zeros_has_no_angle():
    assert [row[1] for row in rows(bundle([0, 0])["text/html"])] == ["–"] * 3


@pytest.mark.parametrize(
    ("query", "keys", "labels", "message"),
    [
        (
            torch.ones(3),
            KEYS,
            LABELS,
            r"query has shape \(3,\) and .*, but 3 labels need \(2,\) and \(3, 2\)",
        ),
        (QUERY, torch.ones(3, 4), LABELS, r"keys \(3, 4\), but 3 labels need .*two numbers for each arrow"),
        (QUERY, KEYS, LABELS[:2], r"keys \(3, 2\), but 2 labels need \(2,\) and \(2, 2\)"),
        (QUERY, torch.ones(0, 2), [], "at least one key"),
        (QUERY, 100 * KEYS, LABELS, "largest number is 250.0, but the plane shows from 0.1 to 10: scale them"),
        (0 * QUERY, 0 * KEYS, LABELS, "largest number is 0.0"),
        (QUERY * math.nan, KEYS, LABELS, "largest number is nan"),
    ],
)
def test_what_has_no_place_in_the_plane_is_refused(query, keys, labels, message):
    with pytest.raises(ValueError, match=message):
        turn_query(query, keys, labels)
