import math
import re
from xml.etree import ElementTree

import pytest
import torch

from companion.pictures.live.parting import parting
from companion.pictures.words import shown

WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
VALUE = torch.tensor([[[1.0, 2.0], [0.0, -1.0], [2.0, 1.0]], [[0.0, 0.5], [-3.0, 0.5], [2.0, 1.0]]])
SENTENCES = [["It", "took", "minute"], ["was", "so", "minute"]]
CONTEXTS = (WEIGHTS[:, None] @ VALUE)[:, 0]


def bundle(weights=WEIGHTS, value=VALUE, sentences=SENTENCES, place=2):
    return parting(weights, value, sentences, place)._repr_mimebundle_()


def table(page):
    """The caption and the rows of the table. The parser also refuses broken markup."""
    found = ElementTree.fromstring(re.search(r"<table.*?</table>", page)[0])
    return found[0].text, [["".join(cell.itertext()) for cell in row] for row in found.iter("tr")]


def test_the_table_holds_weights_lengths_angle_and_distance_of_torch():
    caption, rows = table(bundle()["text/html"])
    angle = torch.cosine_similarity(*CONTEXTS, dim=0).acos().rad2deg()
    assert caption == f"attention 1.00: angle {angle:.1f}°, distance {shown((CONTEXTS[0] - CONTEXTS[1]).norm().item())}"
    assert rows[::2] == [[*words, ""] for words in SENTENCES]
    assert rows[1::2] == [
        [*map(shown, row.tolist()), f"length {shown(context.norm().item())}"] for row, context in zip(WEIGHTS, CONTEXTS)
    ]


def test_the_sentence_tells_how_far_the_two_are_apart():
    shown_as = bundle()
    caption, _ = table(shown_as["text/html"])
    angle, distance = re.search(r"angle (.+), distance (.+)", caption).groups()
    sentence = f"With attention at 1.00, the two contexts of “minute” are {distance} apart, at an angle of {angle}."
    assert shown_as["text/plain"] == f"parting: {sentence}"
    assert sentence in re.sub("</?bdi>", "", shown_as["text/html"])


def test_contexts_that_agree_are_at_no_angle():
    caption, _ = table(bundle(WEIGHTS[[0, 0]], VALUE[[0, 0]])["text/html"])
    assert caption == "attention 1.00: angle 0.0°, distance 0.00"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"value": VALUE[0]}, r"2 sentences, weights \(2, 3\) and value \(3, 2\) do not fit: .* \(2, keys, 2\)"),
        ({"value": VALUE[:, :2]}, r"value \(2, 2, 2\) do not fit"),
        ({"value": VALUE[..., [0, 1, 1]]}, "as an arrow has two numbers"),
        ({"weights": WEIGHTS[:1], "value": VALUE[:1]}, r"weights \(1, 3\)"),
        ({"sentences": SENTENCES[:1]}, "1 sentences.* there must be two sentences"),
        ({"sentences": [SENTENCES[0], ["one"]]}, r"the weights have shape \(1, 3\), but .* 1 key labels"),
        ({"value": VALUE * math.nan}, "the largest number is nan"),
        ({"weights": 3 * WEIGHTS}, "weights lie between 0 and 1"),
        ({"place": 3}, "place is 3, but the words have the places 0 to 2"),
        ({"place": 1}, "the two values at place 1 differ; take a place that holds the same word in both"),
    ],
)
def test_what_is_not_one_word_in_two_sentences_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        bundle(**changed)
