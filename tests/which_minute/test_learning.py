import math
import re

import pytest
import torch
from live_pictures import rows

from companion.pictures.words import shown
from companion.which_minute.head import trained, untrained
from companion.which_minute.learning import Film, examples, learning, share_right
from companion.which_minute.sentences import VOCABULARY, encode, sentences
from utils.attention import padding_mask

SENTENCES = [["one", "minute", "pause"], ["one", "minute", "crack"], ["one", "minute", "gap"]]
STEPS, LOSSES, MEANINGS = [0, 20], [1.0987, 0.0125], [0, 1, 2]
WEIGHTS = torch.tensor(
    [[[0.3, 0.3, 0.4], [0.4, 0.3, 0.3], [0.3, 0.4, 0.3]], [[0.02, 0.0, 0.98], [0.0, 0.005, 0.995], [0.6, 0.3, 0.1]]]
)
CONTEXTS = torch.tensor([[[0.1, 0.2], [0.0, 0.1], [0.2, 0.0]], [[-3.54, -1.59], [-0.41, 4.9], [1.92, -2.97]]])
ARGUMENTS = {"steps": STEPS, "losses": LOSSES, "weights": WEIGHTS, "contexts": CONTEXTS, "sentences": SENTENCES}
ARGUMENTS |= {"meanings": MEANINGS}


def test_the_table_holds_the_last_weights_as_numbers_and_as_bars():
    picture = learning(**ARGUMENTS)
    assert ">Weights of “minute” at step 20, loss 0.013</caption>" in picture.twin
    assert rows(picture) == [
        [meaning, *(f"{word}{shown(weight)}" for word, weight in zip(words, row))]
        for meaning, words, row in zip(("● a time", "▲ tiny", "■ either"), SENTENCES, WEIGHTS[-1].tolist())
    ]
    widths = [int(width) for width in re.findall(r"[\";]width:(\d+)%", picture.twin)]
    assert widths == pytest.approx((100 * WEIGHTS[-1]).flatten().tolist(), abs=0.51)


def test_the_sentence_tells_where_minute_looks_most():
    said = "Step 20, loss 0.013: in “one minute pause”, “minute” looks most at “pause” (0.98)."
    assert learning(**ARGUMENTS).text == said


def test_the_script_gets_every_step_with_two_decimals():
    data = learning(**ARGUMENTS).data
    assert [data[name] for name in ("steps", "losses", "meanings", "follow")] == [STEPS, LOSSES, MEANINGS, 0]
    assert torch.allclose(torch.tensor(data["weights"]) / 100, WEIGHTS, atol=0.0051)
    assert torch.allclose(torch.tensor(data["contexts"]), CONTEXTS, atol=0.0051)
    assert data["reach"] == 5


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"weights": 3 * WEIGHTS}, "weights lie between 0 and 1"),
        ({"contexts": CONTEXTS * math.nan}, "the largest number is nan"),
    ],
)
def test_what_is_no_training_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        learning(**ARGUMENTS | changed)


def test_examples_are_all_sentences_once_and_hide_padding():
    calls = []
    training, held_back = examples(lambda *given: calls.append(given) or padding_mask(*given))
    ids, padding, positions, meanings = map(torch.cat, zip(held_back, training))
    assert [len(part) for part in held_back] == [400] * 4 and len(calls) == 1
    texts, right = sentences()
    found = {(*row[hidden[0]].tolist(), meaning) for row, hidden, meaning in zip(ids, padding, meanings.tolist())}
    told = {(*VOCABULARY.encode(words), meaning) for words, meaning in zip(texts, right.tolist())}
    assert found == told and len(ids) == len(texts)
    assert (ids[torch.arange(len(ids)), positions] == VOCABULARY.encode(["minute"])[0]).all()


def test_the_trained_head_is_right_and_an_untrained_one_is_not():
    _, held_back = examples(padding_mask)
    assert share_right(trained(), held_back) == 1 and share_right(untrained(), held_back) < 0.7


def test_a_film_keeps_steps_and_leaves_the_training_as_it_is():
    head, alone = untrained(), untrained()
    _, (ids, padding, positions, meanings) = examples(padding_mask)
    film, kept = Film(head), []
    for each, steps in ((alone, range(120)), (head, film.steps(120))):
        optimizer = torch.optim.Adam(each.parameters(), lr=0.02)
        for _ in steps:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(each(ids, padding, positions)[0], meanings).backward()
            optimizer.step()
        kept.append(each.state_dict())
    assert all(torch.equal(part, kept[1][name]) for name, part in kept[0].items())
    given = film.show().data
    assert given["steps"] == [*range(0, 100, 5), 120] and given["meanings"] == [0, 1, 2] * 2
    assert [words[4] for words in given["sentences"]] == ["pause", "crack", "gap", "break", "hole", "difference"]
    last = head(*encode(given["sentences"]))
    assert torch.allclose(torch.tensor(given["contexts"][-1]), last[2], atol=0.0051)
    loss = torch.nn.functional.cross_entropy(last[0], torch.tensor(given["meanings"])).item()
    assert given["losses"][-1] == pytest.approx(loss, abs=1e-3) and given["losses"][0] > given["losses"][-1]
