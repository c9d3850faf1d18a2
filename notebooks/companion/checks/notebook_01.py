"""Check of the exercise in notebook 01 (tokenization), and the course's own answer, with which it goes on."""

from companion.checks.tables import compared_with


def encoded(tokens, vocabulary):
    """Return the id of each token, its position in the vocabulary; an unknown token has that of "<unk>"."""
    ids = {token: position for position, token in enumerate(vocabulary)}
    return [ids.get(token, ids["<unk>"]) for token in tokens]


def _unknown_as(number):
    return lambda tokens, vocabulary: [vocabulary.index(each) if each in vocabulary else number for each in tokens]


ENCODED = {  # {message: wrong answer}
    "these are positions in the sentence; an id is a position in the vocabulary": lambda words, _: [*range(len(words))],
    "positions are counted from 0, these ids from 1": lambda *given: [number + 1 for number in encoded(*given)],
    "a token that the vocabulary does not have is left out; it gets the id of '<unk>'": lambda tokens, vocabulary: [
        vocabulary.index(token) for token in tokens if token in vocabulary
    ],
    "'cake' gets None, but a model can only read numbers; its id is that of '<unk>'": _unknown_as(None),
    "the unknown 'cake' gets 6, but '<unk>' is number 5 here; look '<unk>' up, do not compute its id": _unknown_as(6),
    "your result contains the string '<unk>'; put its id there": _unknown_as("<unk>"),
    "your ids come in the order of the vocabulary; go through the tokens, one by one": lambda tokens, vocabulary: [
        position for position, known in enumerate(vocabulary) if known in tokens
    ],
}
LOOKING_UP = {  # what Python says, and the cause
    "list indices must be": "{error}; a list is indexed by position: vocabulary.index(token) gives a token's position",
    "'cake'": "'cake' is not in the vocabulary, and looking it up stopped with an error; give it the id of '<unk>'",
}


@compared_with(encoded, ENCODED, LOOKING_UP)
def check_encode(encode):
    """each token has its id, and those that are not known have the id of “<unk>”."""
    for tokens, vocabulary in (
        (["to", "do", "cake", "Be", "to", "Do"], ["Be", "a", "do", "it", "to", "<unk>"]),
        (["b", "a"], ["a", "<unk>"]),
    ):
        yield f"encode({tokens}, {vocabulary})", (tokens, vocabulary)
