"""Checks of the assignment a1_single_head: a sentence's context, and what the words of a class's sentence read."""

import json
import random

import torch

from classroom.checks.a1_single_head.encode import UNKNOWN, encode, words_of
from classroom.checks.graded import context_and_weights, graded, own_weights
from classroom.student import agree
from companion.checks.feedback import Mistake, expect, expect_parts, expect_tensor
from utils.attention import attention, project

RIGHT = "right"
SWAPPED = "query and key are exchanged: `project` takes and returns them in the order query, key, value"


@graded
def check_sentence_context(student, draw):
    """from the words of a sentence to its context vectors, in one function."""
    known, (d_in, d_k, d_v) = draw.words(5), draw.sizes(3, high=6)
    vocabulary, words = [*known, UNKNOWN], [*draw.choices(known, k=6), draw.words(1)[0] + "xyz"]
    matrices = draw.normal(d_in, d_k), draw.normal(d_in, d_k), draw.normal(d_in, d_v)
    table, sentence = draw.normal(len(vocabulary), d_in) / 2, " ".join(words)
    given = student.call("sentence_context", sentence, vocabulary, table, *matrices)
    inputs = table[encode(sentence, vocabulary)]
    query, key, value = project(inputs, *matrices)
    context, weights = attention(query, key, value)
    given = context_and_weights(given, (context, weights), "sentence_context")
    parts = student.own("project", inputs, *matrices)
    own = student.own("attention", *parts) if isinstance(parts, (list, tuple)) else None
    alike = _shapes(own) == _shapes((context, weights)) and agree(tuple(given), tuple(own))
    if alike and len(own[1].unique()) > 1:  # one number everywhere is nobody's slip
        return  # what is wrong with these is charged by their own checks
    doing = f"sentence_context of {len(words)} words"
    expect_tensor(given[1], weights, f"the tensor of weights of {doing}", {SWAPPED: attention(key, query, value)[1]})
    expect_tensor(given[0], context, f"the context of {doing}")


def _shapes(parts):
    return [getattr(part, "shape", None) for part in parts] if isinstance(parts, (list, tuple)) else None


@graded
def check_most_read(student, draw):
    """the word that it reads most, and how much."""
    drawn = _class_sentence(student.class_seed)
    top, words, readings = _top_of_the_notebook(*drawn), words_of(drawn[0]), _readings(*drawn)
    sentence, vocabulary, asked, *numbers = top.values()
    word, weight = expect_parts(student.call("most_read"), ("word", "weight"), "most_read")
    weight = weight.item() if isinstance(weight, torch.Tensor) and weight.numel() == 1 else weight
    expect(isinstance(weight, (int, float)), f"the weight in most_read() is a {type(weight).__name__}; give a number")
    right, _ = readings.pop(RIGHT)
    own = student.own("sentence_context", sentence, vocabulary, *numbers)
    weights = _weights(*drawn)
    own = own_weights(own[1] if _shapes(own) and len(own) == 2 else None, weights)  # its slips are charged elsewhere
    for row in (weights[words.index(asked)], own[words.index(asked)]):
        if word == words[row.argmax()] and _near(weight, row.max()):
            return
    # No message says the right word: it would be the answer.
    for message, wrong in readings.items():
        expect(word != wrong[0] or not _near(weight, wrong[1]), f"most_read() gives {word!r}: {message}")
    for name, value in top.items():
        same = agree(student.read(name), value)
        expect(same, f"`{name}` is not what it was at the top: its cell was changed, or another reuses the name")
    expect(word == right, f"most_read() gives {word!r}, but {asked!r} reads another word more: look along its row")
    raise Mistake(f"{word!r} is right, but its weight is not {weight:.4g}: read it in the row of {asked!r}, 3 decimals")


def _near(weight, right):
    return abs(weight - right.item()) < 2e-3


def _readings(sentence, asked, seed):
    """Return the word and the weight that each way of reading the table gives: {mistake: (word, weight)}."""
    words, vocabulary, weights = words_of(sentence), _vocabulary(sentence), _weights(sentence, asked, seed)

    def most(row, names=words):
        return dict(enumerate(names)).get(int(row.argmax()), ""), row.max()

    row = weights[words.index(asked)]
    return {
        RIGHT: most(row),
        "you read a column; a query's weights are a row": most(weights[:, words.index(asked)]),
        "rows are the sentence's words in their order, not the vocabulary's": most(weights[vocabulary.index(asked)]),
        "a column's number is a place in the sentence, not in the vocabulary": most(row, vocabulary),
    }


def _weights(sentence, asked, seed):
    _, vocabulary, _, table, *matrices = _top_of_the_notebook(sentence, asked, seed).values()
    return attention(*project(table[encode(sentence, vocabulary)], *matrices))[1]


def _vocabulary(sentence):
    return [*sorted(set(words_of(sentence))), UNKNOWN]


def _top_of_the_notebook(sentence, asked, seed):
    """Return {name: what the notebook's first cells give it}. All sizes differ, so that exchanged ones show."""
    numbers, vocabulary = torch.Generator().manual_seed(seed), _vocabulary(sentence)
    table, query, key, value = (
        torch.randn(shape, generator=numbers) for shape in ((len(vocabulary), 5), (5, 3), (5, 3), (5, 4))
    )
    names = "sentence", "vocabulary", "asked", "table", "W_query", "W_key", "W_value"
    return dict(zip(names, (sentence, vocabulary, asked, table, query / 2, key / 2, value)))


def _tells_apart(sentence, asked, seed):
    """Say whether no wrong reading finds the right word, and whether it leads by more than rounding hides."""
    (right, share), *wrong = _readings(sentence, asked, seed).values()
    words = words_of(sentence)
    row = _weights(sentence, asked, seed)[words.index(asked)]
    others = [weight for word, weight in zip(words, row) if word != right]
    return share - max(others) > 0.02 and all(word != right for word, _ in wrong)


def variation(seed):
    """Return {old text: new text}: the sentence, the word that is asked about and the numbers of one class."""
    texts = []
    for sentence, asked, numbers in (_class_sentence(None), _class_sentence(seed)):
        vocabulary = json.dumps(_vocabulary(sentence))
        texts.append([f'"{sentence}"', vocabulary, f'asked = "{asked}"', f"manual_seed({numbers})"])
    return dict(zip(*texts))


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
