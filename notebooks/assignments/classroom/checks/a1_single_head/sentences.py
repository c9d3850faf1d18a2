"""Checks of the assignment a1_single_head: from words to ids and to contexts, and what a class's sentence reads."""

import functools
import json
import random

import torch

from classroom.checks.a1_single_head.attention import RIGHT_ATTENTION
from classroom.checks.graded import Inputs, as_replacements, graded
from classroom.checks.shared import as_number, context_and_weights
from classroom.student import Student, agree
from companion.checks.feedback import Mistake, expect, expect_equal, expect_parts, expect_tensor
from utils.attention import attention, project

UNKNOWN = "<unk>"
RIGHT = "right"
SWAPPED = "query and key are exchanged: `project` takes and returns them in the order query, key, value"


def words_of(sentence: str) -> list[str]:
    return [word.strip(",.!?") for word in sentence.lower().split()]


def encode(sentence: str, vocabulary: list[str]) -> list[int]:
    return [vocabulary.index(word if word in vocabulary else UNKNOWN) for word in words_of(sentence)]


def _expect_ids(student: Student, sentence: str, vocabulary: list, kind=""):
    """Compare a student's ids; a tensor of whole numbers is as good as a list. kind: what kind of words."""
    answer, right = student.call("encode", sentence, vocabulary), encode(sentence, vocabulary)
    if isinstance(answer, torch.Tensor) and answer.ndim == 1 and not answer.is_floating_point():
        answer = answer.tolist()
    expect_equal(answer, right, f"{kind}encode({sentence!r}, {vocabulary!r})")


@graded
def check_encode_order(student: Student, fresh: Inputs):
    """each word became its place in the vocabulary, in the order of the sentence."""
    words = fresh.words(8)
    sentence = " ".join([*fresh.choices(words[1:], k=5), words[0], words[0]])
    _expect_ids(student, sentence, [*words, UNKNOWN])


@graded
def check_encode_case(student: Student, fresh: Inputs):
    """capitals and punctuation marks make no new words."""
    words = fresh.words(8)
    inside = f"{words[6]}.{words[7]}"
    for sentence, kind in (
        (f"{words[0].capitalize()} {words[1]} {words[2].upper()}", "capitals (.lower() makes all letters small)"),
        (f"{words[3]}, {words[4]}! {words[0]}?! {inside} {words[1]}.", "marks (strip all , . ! ?, but none inside)"),
        (f"  {words[2]}   {words[1]} ", "spaces (.split() without an argument takes any number of them)"),
    ):
        _expect_ids(student, sentence, [*words, inside, UNKNOWN], f"of words with {kind}, ")


@graded
def check_encode_unknown(student: Student, fresh: Inputs):
    """a word that is not in the vocabulary gets the id of <unk>, wherever that stands."""
    *words, stranger, longer = fresh.words(6)
    sentence = f"{words[1]} {stranger} {words[0]} {longer}{words[0]}"
    for index in (len(words), 0):
        _expect_ids(student, sentence, words[:index] + [UNKNOWN] + words[index:])


@graded(right=RIGHT_ATTENTION | {"encode": encode})
def check_sentence_context(student: Student, fresh: Inputs):
    """from the words of a sentence to its context vectors, in one function."""
    familiar, (d_in, d_k, d_v) = fresh.words(5), fresh.sizes(3)
    vocabulary, words = [*familiar, UNKNOWN], [*fresh.choices(familiar, k=6), fresh.words(1)[0] + "xyz"]
    matrices = fresh.normal(d_in, d_k), fresh.normal(d_in, d_k), fresh.normal(d_in, d_v)
    table, sentence = fresh.normal(len(vocabulary), d_in) / 2, " ".join(words)
    answer = student.call("sentence_context", sentence, vocabulary, table, *matrices)
    right = _sentence_context(sentence, vocabulary, table, *matrices)
    _, swapped = _sentence_context(sentence, vocabulary, table, *matrices[1::-1], matrices[2])
    context, weights = context_and_weights(answer, right, "sentence_context")
    doing = f"sentence_context of {len(words)} words"
    expect_tensor(weights, right[1], f"the tensor of weights of {doing}", {SWAPPED: swapped})
    expect_tensor(context, right[0], f"the context of {doing}")


def _sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    return attention(*project(table[encode(sentence, vocabulary)], W_q, W_k, W_v))


@graded(right=RIGHT_ATTENTION | {"encode": encode, "sentence_context": _sentence_context})
def check_most_read(student: Student, fresh: Inputs):
    """the word that it reads most, and how much."""
    top = _top_of_the_notebook(*_class_sentence(student.class_seed))
    asked, (_, _, readings) = top["asked"], _readings(*top.values())
    word, weight = expect_parts(student.call("most_read"), ("word", "weight"), "most_read")
    weight = as_number(weight)
    expect(isinstance(weight, (int, float)), f"the weight in most_read() is a {type(weight).__name__}; give a number")
    # No message says the right word: it would be the answer.
    for message, (read_word, read_weight) in readings.items():
        if word == read_word and abs(weight - read_weight.item()) < 2e-3:
            expect(message == RIGHT, f"most_read() gives {word!r}: {message}")
            return
    for name, value in top.items():
        same = agree(student.read(name), value)
        expect(same, f"`{name}` is not what it was at the top: its cell was changed, or another reuses the name")
    another = f"most_read() gives {word!r}, but {asked!r} reads another word more: look along its row"
    expect(word == readings[RIGHT][0], another)
    raise Mistake(f"{word!r} is right, but its weight is not {weight:.4g}: read it in the row of {asked!r}, 3 decimals")


def _top_of_the_notebook(sentence, asked, seed):
    """Return {name: what the notebook's first cells give it}. All sizes differ, so that exchanged ones show."""
    numbers, vocabulary = torch.Generator().manual_seed(seed), [*sorted(set(words_of(sentence))), UNKNOWN]
    shapes = {"table": (len(vocabulary), 5), "W_query": (5, 3), "W_key": (5, 3), "W_value": (5, 4)}
    tensors = {name: torch.randn(shape, generator=numbers) for name, shape in shapes.items()}
    halves = {name: tensors[name] / 2 for name in ("W_query", "W_key")}
    return {"sentence": sentence, "vocabulary": vocabulary, "asked": asked, **tensors, **halves}


def _readings(sentence, vocabulary, asked, table, *matrices):
    """Return the words, their weights, and what each way of reading these gives: {mistake: (word, weight)}."""
    words, weights = words_of(sentence), attention(*project(table[encode(sentence, vocabulary)], *matrices))[1]

    def most(row, names=words):
        return dict(enumerate(names)).get(int(row.argmax()), ""), row.max()

    row = weights[words.index(asked)]
    readings = {
        RIGHT: most(row),
        "you read a column; a query's weights are a row": most(weights[:, words.index(asked)]),
        "rows are the sentence's words in their order, not the vocabulary's": most(weights[vocabulary.index(asked)]),
        "a column's number is a place in the sentence, not in the vocabulary": most(row, vocabulary),
    }
    return words, weights, readings


def _is_clear(sentence, asked, seed):
    """Say whether no wrong reading finds the right word, and whether it leads by more than rounding hides."""
    words, weights, readings = _readings(*_top_of_the_notebook(sentence, asked, seed).values())
    (right, largest), *wrong = readings.values()
    other_weights = [weight for word, weight in zip(words, weights[words.index(asked)]) if word != right]
    return largest - max(other_weights) > 0.02 and all(word != right for word, _ in wrong)


@as_replacements
def variation(seed):
    """The sentence, its vocabulary, the word that is asked about, and the numbers."""
    version = sentence, asked, numbers = _class_sentence(seed)
    vocabulary = json.dumps(_top_of_the_notebook(*version)["vocabulary"])
    return f'"{sentence}"', vocabulary, f'asked = "{asked}"', f"manual_seed({numbers})"


@functools.cache
def _class_sentence(seed):
    """Return a class's sentence, the word asked about, and the seed of its numbers."""
    if seed is None:
        return "A good friend listens, and a good friend asks.", "listens", 20
    choose = random.Random(seed)
    while True:
        kind = choose.choice(["kind", "brave", "quiet", "patient"])
        who = choose.choice(["teacher", "nurse", "pilot", "baker"])
        first, second = choose.sample(["waits", "reads", "smiles", "explains", "remembers", "hurries"], 2)
        version = f"A {kind} {who} {first}, and a {kind} {who} {second}.", first, choose.randint(2, 10_000)
        if _is_clear(*version):
            return version
