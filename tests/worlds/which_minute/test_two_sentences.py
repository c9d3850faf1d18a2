from itertools import product

import torch

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
from companion.worlds.which_minute.two_sentences import FORMS, MENUS, TELLS

OFFERED = [[clue for meaning in menu for clue in CLUES[meaning]] for menu in MENUS]
AROUND = [*product(OPENINGS, BEFORE, ENDINGS)]  # sentences without a clue


@torch.no_grad()
def truth(head, texts):
    """The weights and the answers that a head gives sentences."""
    logits, weights, _ = head(*encode(texts))
    return weights, logits


def test_what_it_tells_of_each_head_is_so():
    texts, meanings = sentences()
    asked = [(form.format(clue).split(), clue) for form, menu in zip(FORMS, OFFERED) for clue in menu]  # of both menus
    right = [MEANING_OF[clue] for _, clue in asked]
    texts, meanings = texts + [words for words, _ in asked], torch.cat([meanings, torch.tensor(right)])
    weights, answers = truth(untrained(), texts)
    assert (answers.argmax(dim=1) == MEANINGS.index("a time")).all() and weights[weights > 0].min() > 0.04
    assert TELLS["untrained"] == "It looks a little at every word, and answers “a time” to every sentence."
    weights, answers = truth(trained(), texts)
    assert (answers.argmax(dim=1) == meanings).all()
    back = weights[-len(OFFERED[1]) :]  # it finds the clue wherever it stands
    assert (back.argmax(dim=1) == FORMS[1].split().index("{}")).all()
    without = [[*opening.split(), *before.split(), "minute", *end.split()] for opening, before, end in AROUND]
    assert (truth(trained(), without)[1].argmax(dim=1) == MEANINGS.index("either")).all()
