import pytest
import torch
from live_pictures import rows

from companion.pictures.live.parting import parting
from companion.pictures.words import shown

WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
VALUE = torch.tensor([[[1.0, 2.0], [0.0, -1.0], [2.0, 1.0]], [[0.0, 0.5], [-3.0, 0.5], [2.0, 1.0]]])
SENTENCES = [["It", "took", "minute"], ["was", "so", "minute"]]
ARGUMENTS = {"weights": WEIGHTS, "value": VALUE, "sentences": SENTENCES, "place": 2}


@pytest.mark.parametrize("which", [[0, 1], [0, 0]])
def test_table_and_sentence_hold_torchs_angle_and_distance(which):
    weights, value = WEIGHTS[which], VALUE[which]
    picture = parting(weights, value, SENTENCES, 2)
    contexts = (weights[:, None] @ value)[:, 0]
    angle = f"{torch.cosine_similarity(*contexts, dim=0).clamp(max=1).acos().rad2deg():.1f}°"
    distance = shown((contexts[0] - contexts[1]).norm().item())
    assert f">attention 1.00: angle {angle}, distance {distance}</caption>" in picture.twin
    assert rows(picture)[::2] == [[*words, ""] for words in SENTENCES]
    assert rows(picture)[1::2] == [
        [*map(shown, row.tolist()), f"length {shown(context.norm().item())}"] for row, context in zip(weights, contexts)
    ]
    sentence = f"With attention at 1.00, the two contexts of “minute” are {distance} apart, at an angle of {angle}."
    assert picture.text == sentence
