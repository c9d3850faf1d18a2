import pytest
import torch
from live_pictures import rows

from companion.pictures.live.move_token import move_token
from companion.pictures.words import shown
from utils.attention import scores
from utils.positions import alibi, rotate, sinusoidal

TOKENS = ["the", "dog", "bites", "a", "man"]
torch.manual_seed(0)
INPUTS, (W_QUERY, W_KEY) = torch.randn(5, 16), torch.randn(2, 16, 8) / 3
ARGUMENTS = {"inputs": INPUTS, "W_query": W_QUERY, "W_key": W_KEY, "tokens": TOKENS}


def four(inputs):
    """Each kind of position's scores, by torch and the course's own encodings."""
    inputs, W_query, W_key = (each.double() for each in (inputs, W_QUERY, W_KEY))
    added, query, key = inputs + sinusoidal(5, 16), inputs @ W_query, inputs @ W_key
    return {
        "no positions": scores(query, key),
        "sinusoidal": scores(added @ W_query, added @ W_key),
        "rotary": scores(rotate(query), rotate(key)),
        "ALiBi": scores(query, key) + alibi(8, 5)[0],
    }


@pytest.mark.parametrize("options, order", [({}, [0, 1, 2, 3, 4]), ({"follow": 1, "to": 3}, [0, 2, 3, 1, 4])])
def test_twin_and_words_have_torchs_scores_of_the_sentence_in_its_order(options, order):
    picture = move_token(**ARGUMENTS, **options)
    words, start, counts, tables = [TOKENS[token] for token in order], four(INPUTS), {}, []
    for name, now in four(INPUTS[order]).items():
        before = start[name][order][:, order].flatten().tolist()
        counts[name] = sum(shown(one) != shown(other) for one, other in zip(before, now.flatten().tolist()))
        tables += [["", *words], *([word, *map(shown, row)] for word, row in zip(words, now.tolist()))]
        assert f">{name}: {counts[name]} changed</caption>" in picture.twin
    assert rows(picture) == tables and picture.data["order"] == order
    said = ", ".join(f"{name} {count}" for name, count in counts.items())
    assert picture.text == f"“{' '.join(words)}”. Scores that have changed, of 25: {said}."
    assert counts["no positions"] == 0 and (counts["sinusoidal"] > 0) == bool(options)
