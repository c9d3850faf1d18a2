from itertools import product

import torch
from live_pictures import twin_rows

from companion.pictures.words import shown
from companion.worlds.which_minute.ask import FORMS, MENUS, TELLS, ask
from companion.worlds.which_minute.head import trained, untrained
from companion.worlds.which_minute.sentences import (
    BEFORE,
    CLUES,
    ENDINGS,
    MEANING_OF,
    MEANINGS,
    OPENINGS,
    encode,
    sentences,
)

PAIR = [text.split() for text in ("she noticed one minute pause today", "the crack she noticed was minute")]
OFFERED = [[clue for meaning in menu for clue in CLUES[meaning]] for menu in MENUS]
AROUND = [*product(OPENINGS, BEFORE, ENDINGS)]  # sentences without a clue
PICTURE = ask()


@torch.no_grad()
def truth(head, texts):
    """The weights, the contexts and the probabilities that a head gives sentences."""
    logits, weights, context = head(*encode(texts))
    return weights, context, logits.softmax(dim=1)


def test_the_twin_holds_the_weights_and_answers_of_the_trained_head():
    weights, _, answers = truth(trained(), PAIR)
    assert [row[:-1] for row in twin_rows(PICTURE)] == [
        [f"{word}{shown(weight)}" for word, weight in zip(words, row)] for words, row in zip(PAIR, weights.tolist())
    ]
    (time, *_), (_, tiny, _) = answers.tolist()
    says = [f"means ● a time, {100 * time:.0f}% sure", f"means ▲ tiny, {100 * tiny:.0f}% sure"]
    assert [row[-1] for row in twin_rows(PICTURE)] == says
    assert PICTURE.text == (
        "In sentence 1, most attention goes to “pause” (0.98), and the answer is “a time” (100% sure). "
        "In sentence 2, most attention goes to “crack” (1.00), and the answer is “tiny” (100% sure)."
    )
    count = sum(each.numel() for each in trained().parameters())
    assert f"A small network of {count} numbers" in PICTURE._repr_mimebundle_()["text/html"]


def test_what_it_tells_of_each_head_is_so():
    texts, meanings = sentences()
    asked = [(form.format(clue).split(), clue) for form, menu in zip(FORMS, OFFERED) for clue in menu]  # of both menus
    right = [MEANING_OF[clue] for _, clue in asked]
    texts, meanings = texts + [words for words, _ in asked], torch.cat([meanings, torch.tensor(right)])
    weights, _, answers = truth(untrained(), texts)
    assert (answers.argmax(dim=1) == MEANINGS.index("a time")).all() and weights[weights > 0].min() > 0.04
    assert TELLS["untrained"] == "It looks a little at every word, and answers “a time” to every sentence."
    weights, _, answers = truth(trained(), texts)
    assert (answers.argmax(dim=1) == meanings).all()
    back = weights[-len(OFFERED[1]) :]  # it finds the clue wherever it stands
    assert (back.argmax(dim=1) == FORMS[1].split().index("{}")).all()
    without = [[*opening.split(), *before.split(), "minute", *end.split()] for opening, before, end in AROUND]
    assert (truth(trained(), without)[2].argmax(dim=1) == MEANINGS.index("either")).all()
