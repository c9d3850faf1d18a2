"""Checks of the assignment a1_single_head: a sentence's context, and what the words of a class's sentence read."""

import json
import random

import torch

from classroom.checks.a1_single_head.encode import UNKNOWN
from classroom.checks.graded import context_and_weights, graded, own_weights
from classroom.student import agree
from companion.checks.feedback import Mistake, close, expect, expect_parts, expect_tensor
from utils.attention import attention, project

RIGHT = "right"
SWAPPED = "query and key are exchanged: `project` takes and returns them in the order query, key, value"
D_MODEL, D_K, D_V = 5, 3, 4  # of the class's sentence: different, so that exchanged sizes show


@graded
def check_sentence_context(student, draw):
    """from the words of a sentence to its context vectors, in one function."""
    known, (d_in, d_k, d_v) = draw.words(5), draw.sizes(3, high=6)
    vocabulary = [*known, UNKNOWN]
    words = [*draw.choices(known, k=6), draw.words(1)[0] + "xyz"]
    matrices = draw.normal(d_in, d_k), draw.normal(d_in, d_k), draw.normal(d_in, d_v)
    table = draw.normal(len(vocabulary), d_in) / 2
    given = student.call("sentence_context", " ".join(words), vocabulary, table, *matrices)
    ids = [vocabulary.index(word) if word in vocabulary else len(known) for word in words]
    query, key, value = project(table[ids], *matrices)
    context, weights = attention(query, key, value)
    given = context_and_weights(given, (context, weights), "sentence_context")
    parts = student.own("project", table[ids], *matrices)
    own = student.own("attention", *parts) if _shapes(parts) == _shapes((query, key, value)) else None
    if _shapes(own) == _shapes((context, weights)) and agree(tuple(given), tuple(own)):
        return  # what is wrong with these is charged by their own checks
    doing = f"sentence_context of {len(words)} words"
    mistakes = {SWAPPED: attention(key, query, value)[1]}
    expect_tensor(given[1], weights, f"the tensor of weights of {doing}", mistakes)
    mistakes = {"the weights mix the rows of the table; they mix the values": weights @ table[ids]}
    expect_tensor(given[0], context, f"the context of {doing}", mistakes)


def _shapes(parts):
    return [getattr(part, "shape", None) for part in parts] if isinstance(parts, (list, tuple)) else None


@graded
def check_most_read(student, draw):
    """the word that it reads most, and how much."""
    sentence, asked, seed = _class_sentence(student.class_seed)
    word, weight = expect_parts(student.call("most_read"), ("word", "weight"), "most_read")
    weight = weight.item() if isinstance(weight, torch.Tensor) and weight.numel() == 1 else weight
    expect(isinstance(weight, (int, float)), f"the weight in most_read() is a {type(weight).__name__}; give a number")
    readings = _readings(sentence, asked, seed)
    right, _ = readings.pop(RIGHT)
    own = student.own("sentence_context", sentence, _vocabulary(sentence), *_numbers(_vocabulary(sentence), seed))
    table, words = _weights(sentence, seed), _words(sentence)
    own = own_weights(own[1] if _shapes(own) and len(own) == 2 else None, table)  # its slips are charged by its checks
    rows = [each[words.index(asked)] for each in (table, own)]
    if any(word == words[row.argmax()] and _near(weight, row.max()) for row in rows):
        return
    # No message says the right word: it would be the answer.
    for message, wrong in readings.items():
        expect(word != wrong[0] or not _near(weight, wrong[1]), f"most_read() gives {word!r}: {message}")
    _check_unchanged(student, sentence, asked, seed)
    message = f"most_read() gives {word!r}, which is no word of the sentence as its vocabulary has them"
    expect(word in words, message)
    expect(word == right, f"most_read() gives {word!r}, but {asked!r} reads another word more: look along its row")
    raise Mistake(f"{word!r} is right, but its weight is not {weight:.4g}: read it in the row of {asked!r}, 3 decimals")


def _readings(sentence, asked, seed):
    """Return the word and the weight that each way of reading the table gives: {mistake: (word, weight)}."""
    words, vocabulary = _words(sentence), _vocabulary(sentence)
    weights = _weights(sentence, seed)
    place, row_of_id = words.index(asked), weights[vocabulary.index(asked)]
    row, column = weights[place], weights[:, place]
    looked_up = dict(enumerate(vocabulary)).get(int(row.argmax()), "")
    return {
        RIGHT: (words[row.argmax()], row.max()),
        "you read a column; a query's weights are a row": (words[column.argmax()], column.max()),
        "rows are the sentence's words in their order, not the vocabulary's": (
            words[row_of_id.argmax()],
            row_of_id.max(),
        ),
        "a column's number is a place in the sentence, not in the vocabulary": (looked_up, row.max()),
    }


def _weights(sentence, seed):
    vocabulary = _vocabulary(sentence)
    table, *matrices = _numbers(vocabulary, seed)
    inputs = table[[vocabulary.index(word) for word in _words(sentence)]]
    return attention(*project(inputs, *matrices))[1]


def _tells_apart(sentence, asked, seed):
    """Say whether no wrong reading finds the right word, and whether it leads by more than rounding hides."""
    (right, share), *wrong = _readings(sentence, asked, seed).values()
    words = _words(sentence)
    others = [weight for word, weight in zip(words, _weights(sentence, seed)[words.index(asked)]) if word != right]
    return share - max(others) > 0.02 and all(word != right for word, _ in wrong)


def _near(weight, right):
    return abs(weight - right.item()) < 2e-3


def _check_unchanged(student, sentence, asked, seed):
    """Say if the notebook's own sentence or numbers are not those of the class any more."""
    vocabulary = _vocabulary(sentence)
    names = "sentence", "vocabulary", "asked", "table", "W_query", "W_key", "W_value"
    for name, right in zip(names, (sentence, vocabulary, asked, *_numbers(vocabulary, seed))):
        now = student.read(name)
        same = type(now) is type(right) and (close(now, right) if isinstance(now, torch.Tensor) else now == right)
        expect(same, f"`{name}` is not what it was at the top: its cell was changed, or another reuses the name")


def variation(seed):
    """Return {old text: new text}: the sentence, the word that is asked about and the numbers of one class."""
    texts = []
    for sentence, asked, numbers in (_class_sentence(None), _class_sentence(seed)):
        vocabulary = json.dumps(_vocabulary(sentence))
        texts.append([f'"{sentence}"', vocabulary, f'asked = "{asked}"', f"manual_seed({numbers})"])
    return dict(zip(*texts))


def _numbers(vocabulary, seed):
    """Return the table and the three matrices at the top of the notebook."""
    numbers = torch.Generator().manual_seed(seed)
    shapes = (len(vocabulary), D_MODEL), (D_MODEL, D_K), (D_MODEL, D_K), (D_MODEL, D_V)
    table, query, key, value = (torch.randn(shape, generator=numbers) for shape in shapes)
    return [table, query / 2, key / 2, value]


def _words(sentence):
    return [word.strip(",.") for word in sentence.lower().split()]


def _vocabulary(sentence):
    return [*sorted(set(_words(sentence))), UNKNOWN]


def _class_sentence(seed):
    """Return a class's sentence, the word asked about, and the seed of its numbers."""
    if seed is None:
        return "A good friend listens, and a good friend asks.", "listens", 20
    choose = random.Random(seed)
    while True:
        kind = choose.choice(["kind", "brave", "quiet", "patient"])
        who = choose.choice(["teacher", "nurse", "pilot", "baker"])
        first, second = choose.sample(["waits", "reads", "smiles", "explains", "remembers", "hurries"], 2)
        drawn = f"A {kind} {who} {first}, and a {kind} {who} {second}.", first, choose.randint(2, 10_000)
        if _tells_apart(*drawn):
            return drawn
