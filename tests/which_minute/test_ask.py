import html
import json
import re
from xml.etree import ElementTree

import pytest
import torch

from companion.pictures.words import shown
from companion.which_minute.ask import FORMS, MENUS, TELLS, ask
from companion.which_minute.head import trained, untrained
from companion.which_minute.sentences import CLUES, MEANINGS, VOCABULARY, encode, sentences

PAIR = [text.split() for text in ("she noticed one minute pause today", "the crack she noticed was minute")]
OFFERED = [[clue for meaning in menu for clue in CLUES[meaning]] for menu in MENUS]
PAGE = ask()._repr_mimebundle_()


@torch.no_grad()
def truth(head, texts):
    """The weights, the contexts and the probabilities that a head gives sentences."""
    logits, weights, context = head(*encode(texts))
    return weights, context, logits.softmax(dim=1)


def test_the_twin_holds_the_weights_and_answers_of_the_trained_head():
    table = ElementTree.fromstring(re.search(r"<table.*?</table>", PAGE["text/html"])[0])
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    weights, _, answers = truth(trained(), PAIR)
    assert [row[:-1] for row in rows] == [
        [f"{word}{shown(weight)}" for word, weight in zip(words, row)] for words, row in zip(PAIR, weights.tolist())
    ]
    (time, *_), (_, tiny, _) = answers.tolist()
    assert [row[-1] for row in rows] == [
        f"means ● a time, {100 * time:.0f}% sure",
        f"means ▲ tiny, {100 * tiny:.0f}% sure",
    ]
    widths = [int(width) for width in re.findall(r"width:(\d+)%;height", PAGE["text/html"])]
    assert widths == pytest.approx((100 * weights).flatten().tolist(), abs=0.51)


def test_the_sentence_tells_both_answers():
    sentence = (
        "In sentence 1, most attention goes to “pause” (0.98), and the answer is “a time” (100% sure). "
        "In sentence 2, most attention goes to “crack” (1.00), and the answer is “tiny” (100% sure)."
    )
    assert PAGE["text/plain"] == f"ask: {sentence}"
    assert f">{sentence}<" in PAGE["text/html"]


def test_it_says_how_many_numbers_the_network_has():
    assert f"A small network of {sum(each.numel() for each in trained().parameters())} numbers" in PAGE["text/html"]


def test_what_it_tells_of_each_head_is_so():
    texts, meanings = sentences()
    weights, _, answers = truth(untrained(), texts)
    assert (answers.argmax(dim=1) == MEANINGS.index("a time")).all() and weights[weights > 0].min() > 0.04
    assert TELLS["untrained"] == "It looks a little at every word, and answers “a time” to every sentence."
    weights, _, answers = truth(trained(), texts)
    assert (answers.argmax(dim=1) == meanings).all()
    on_clue = torch.tensor([row[words.index("minute") + 1] for words, row in zip(texts, weights)])
    assert ((on_clue > 0.6) | (on_clue < 0.01)).all()
    assert {MEANINGS[each] for each in meanings[on_clue < 0.01]} == {"either"}


def test_the_trained_head_is_right_and_the_untrained_says_a_time_with_every_word_of_each_menu():
    asked = [(form.format(clue).split(), clue) for form, menu in zip(FORMS, OFFERED) for clue in menu]
    right = torch.tensor([next(m for m, clues in enumerate(CLUES) if clue in clues) for _, clue in asked])
    weights, _, answers = truth(trained(), [words for words, _ in asked])
    assert (answers.argmax(dim=1) == right).all() and set(right.tolist()) == {0, 1, 2}
    back = weights[len(OFFERED[0]) :]  # it finds the word wherever it stands
    assert (back.argmax(dim=1) == FORMS[1].split().index("{}")).all()
    weights, _, answers = truth(untrained(), [words for words, _ in asked])
    assert (answers.argmax(dim=1) == MEANINGS.index("a time")).all() and weights[weights > 0].min() > 0.04


@pytest.mark.parametrize("name, head", [("trained", trained()), ("untrained", untrained())])
def test_what_the_script_gets_suffices_to_read_every_sentence(name, head):
    given = json.loads(html.unescape(re.search(r'data-picture="(.*?)"', PAGE["text/html"])[1]))
    numbers = {key: torch.tensor(each) for key, each in given["heads"][name].items()}
    assert given["words"].split() == VOCABULARY.tokens
    assert [clues.split() for clues in given["clues"]] == list(CLUES) and given["names"] == list(MEANINGS)
    texts = [" ".join(words) for words in sentences()[0]][::31] + [FORMS[1].format(clue) for clue in OFFERED[1]]
    weights, context, answers = truth(head, [text.split() for text in texts])
    for text, row, point, found in zip(texts, weights, context, answers):
        ids = VOCABULARY.encode(text.split())
        mine = torch.softmax(numbers["scores"][ids], dim=0)
        torch.testing.assert_close(mine, row[: len(ids)], atol=1e-4, rtol=0)
        torch.testing.assert_close(mine @ numbers["values"][ids], point, atol=1e-3, rtol=0)
        logits = numbers["answers"] @ torch.cat([point, torch.ones(1)])
        torch.testing.assert_close(torch.softmax(logits, dim=0), found, atol=1e-4, rtol=0)


def test_a_stored_picture_is_small():
    assert len(json.dumps(PAGE, ensure_ascii=False).encode()) < 25_000
