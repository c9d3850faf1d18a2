"""Checks of the assignment a1_single_head: the words of a sentence, their ids, and what a class's sentence reads."""

import json
import random

import torch

from utils.attention import attention, project, scores
from utils.checks.feedback import COLUMNS, expect, expect_equal, expect_tensor
from utils.checks.graded import graded

UNKNOWN = "<unk>"


@graded
def check_encode_order(student, draw):
    """each word became its place in the vocabulary, in the order of the sentence."""
    known = draw.words(6)
    vocabulary = [*known, UNKNOWN]
    words = draw.choices(known[1:], k=5) + [known[0], known[0]]
    sentence = " ".join(words)
    given = _ids(student.call("encode", sentence, vocabulary))
    wanted = [vocabulary.index(word) for word in words]
    doing = f"encode({sentence!r}, {vocabulary!r})"
    for message, wrong in {
        "the ids are sorted; keep the order of the sentence": sorted(wanted),
        "a word that comes twice gets its id twice": list(dict.fromkeys(wanted)),
        "these are ids of a sorted vocabulary; take the place in the list as it is given": [
            sorted(vocabulary).index(word) for word in words
        ],
        "the ids are one too large: the first place is 0": [place + 1 for place in wanted],
        "every word came out as <unk>: compare whole words, not letters": [len(known)] * len(words),
    }.items():
        expect(given != wrong or wrong == wanted, f"{doing}: {message}")
    expect_equal(given, wanted, doing)


@graded
def check_encode_case(student, draw):
    """capitals and punctuation marks make no new words."""
    known = draw.words(5)
    vocabulary = [*known, UNKNOWN]
    for sentence, hint in (
        (f"{known[0].capitalize()} {known[1]} {known[2].upper()}", "capitals: call .lower() on the sentence"),
        (f"{known[3]}, {known[4]}! {known[0]}? {known[1]}.", "marks: strip , . ! ? from each word"),
        (f"  {known[2]}   {known[1]} ", "spaces: .split() without an argument takes any number of them"),
    ):
        cleaned = sentence.lower().translate(str.maketrans("", "", ",.!?")).split()
        wanted = [vocabulary.index(word) for word in cleaned]
        doing = f"{hint}; encode({sentence!r}, {vocabulary!r})"
        expect_equal(_ids(student.call("encode", sentence, vocabulary)), wanted, doing)


@graded
def check_encode_unknown(student, draw):
    """a word that is not in the vocabulary gets the id of <unk>, wherever that stands."""
    *known, stranger, longer = draw.words(6)
    for place in (len(known), 0, 2):
        vocabulary = known[:place] + [UNKNOWN] + known[place:]
        sentence = f"{known[1]} {stranger} {known[0]} {longer}{known[0]}"
        wanted = [vocabulary.index(known[1]), place, vocabulary.index(known[0]), place]
        given = _ids(student.call("encode", sentence, vocabulary))
        expect(given != [wanted[0], wanted[2]], "unknown words are left out; each gets the id of <unk>")
        message = "the id of <unk> is not always the last one: look it up in the vocabulary"
        expect(given == wanted or given != [x if x != place else len(known) for x in wanted], message)
        expect_equal(given, wanted, f"encode({sentence!r}, {vocabulary!r})")


@graded
def check_sentence_context(student, draw):
    """from the words of a sentence to its context vectors, in one function."""
    known, (d_in, d_k, d_v) = draw.words(5), draw.sizes(3, high=6)
    vocabulary = [*known, UNKNOWN]
    words = [*draw.choices(known, k=6), draw.words(1)[0] + "xyz"]
    matrices = draw.normal(d_in, d_k), draw.normal(d_in, d_k), draw.normal(d_in, d_v)
    table = draw.normal(len(vocabulary), d_in) / 2
    given = student.call("sentence_context", " ".join(words), vocabulary, table, *matrices)
    pair = isinstance(given, (tuple, list)) and len(given) == 2
    expect(pair, "sentence_context gives two tensors: return context, weights")
    ids = [vocabulary.index(word) if word in vocabulary else len(known) for word in words]
    query, key, value = project(table[ids], *matrices)
    context, weights = attention(query, key, value)
    doing = f"sentence_context of {len(words)} words"
    expect_tensor(given[1], weights, f"the weights of {doing}", {COLUMNS: torch.softmax(scores(query, key), 0)})
    mistakes = {"the weights mix the rows of the table; they mix the values": weights @ table[ids]}
    expect_tensor(given[0], context, f"the context of {doing}", mistakes)


@graded
def check_most_read(student, draw):
    """the word that it reads most, and how much."""
    sentence, asked, seed = _class_sentence(student.class_seed)
    words, vocabulary = _words(sentence), _vocabulary(sentence)
    numbers = torch.Generator().manual_seed(seed)
    table, *matrices = (torch.randn(size, 4, generator=numbers) for size in (len(vocabulary), 4, 4, 4))
    inputs = table[[vocabulary.index(word) for word in words]]
    _, weights = attention(*project(inputs, *matrices))
    row = weights[words.index(asked)]
    given = student.call("most_read")
    expect(isinstance(given, (tuple, list)) and len(given) == 2, "most_read gives two things: return word, weight")
    word, weight = given
    column = weights[:, words.index(asked)]
    expect(
        word != words[column.argmax()] or word == words[row.argmax()], "you read a column; a query's weights are a row"
    )
    expect_equal(word, words[row.argmax()], f"the word that {asked!r} reads most, in most_read()")
    weight = weight.item() if isinstance(weight, torch.Tensor) and weight.numel() == 1 else weight
    expect(isinstance(weight, (int, float)), f"the weight in most_read() is a {type(weight).__name__}; give a number")
    near = abs(weight - row.max().item()) < 2e-3
    expect(near, f"{word!r} is right, but its weight is not {weight:.4g}: read it, 3 decimals, in the row of {asked!r}")


def variation(seed):
    """Return {old text: new text}: the sentence, the word that is asked about and the numbers of one class."""
    texts = []
    for sentence, asked, numbers in (_class_sentence(None), _class_sentence(seed)):
        vocabulary = json.dumps(_vocabulary(sentence))
        texts.append([f'"{sentence}"', vocabulary, f'asked = "{asked}"', f"manual_seed({numbers})"])
    return dict(zip(*texts))


def _words(sentence):
    return [word.strip(",.") for word in sentence.lower().split()]


def _vocabulary(sentence):
    return [*sorted(set(_words(sentence))), UNKNOWN]


def _class_sentence(seed):
    """Return a class's sentence, the word asked about, and the seed of its numbers."""
    if seed is None:
        return "A good friend listens, and a good friend asks.", "listens", 1
    choose = random.Random(seed)
    kind, who = (
        choose.choice(["kind", "brave", "quiet", "patient"]),
        choose.choice(["teacher", "nurse", "pilot", "baker"]),
    )
    first, second = choose.sample(["waits", "reads", "smiles", "explains", "remembers", "hurries"], 2)
    return f"A {kind} {who} {first}, and a {kind} {who} {second}.", first, choose.randint(2, 10_000)


def _ids(given):
    """A tensor of whole numbers is as good as a list."""
    if isinstance(given, torch.Tensor) and given.ndim == 1 and not given.is_floating_point():
        return given.tolist()
    return given
