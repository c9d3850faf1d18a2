"""Checks of the assignment a1_single_head: from words to ids."""

import torch

from classroom.checks.graded import graded, table_of
from companion.checks.feedback import expect, expect_equal

UNKNOWN = "<unk>"


def words_of(sentence):
    return [word.strip(",.!?") for word in sentence.lower().split()]


def encode(sentence, vocabulary):
    return [vocabulary.index(word if word in vocabulary else UNKNOWN) for word in words_of(sentence)]


def _wrong_ids(sentence, vocabulary):
    words, known = words_of(sentence), {word: place for place, word in enumerate(vocabulary)}
    return {
        "unknown words are left out; each gets the id of <unk>": [known[word] for word in words if word in known],
        "the id of <unk> is not always the last one: look it up in the vocabulary": [
            known.get(word, len(vocabulary) - 1) for word in words
        ],
    }


@graded
def check_encode_order(student, draw):
    """each word became its place in the vocabulary, in the order of the sentence."""
    known = draw.words(8)
    sentence, vocabulary = " ".join([*draw.choices(known[1:], k=5), known[0], known[0]]), [*known, UNKNOWN]
    given = _ids(student, sentence, vocabulary)
    strange = isinstance(given, list) and len(set(map(repr, given))) == 1  # as from the class's own vocabulary
    hint = "no word is known: look it up in the `vocabulary` that you are given; " if strange else ""
    expect_equal(given, encode(sentence, vocabulary), f"{hint}encode({sentence!r}, {vocabulary!r})")


@graded
def check_encode_case(student, draw):
    """capitals and punctuation marks make no new words."""
    known = draw.words(8)
    vocabulary = [*known, UNKNOWN]
    for sentence, kind in (
        (f"{known[0].capitalize()} {known[1]} {known[2].upper()}", "capitals (.lower() makes all letters small)"),
        (f"{known[3]}, {known[4]}! {known[0]}? {known[1]}.", "marks (strip , . ! ? from each word)"),
        (f"  {known[2]}   {known[1]} ", "spaces (.split() without an argument takes any number of them)"),
    ):
        doing = f"of words with {kind}, encode({sentence!r}, {vocabulary!r})"
        expect_equal(_ids(student, sentence, vocabulary), encode(sentence, vocabulary), doing)


@graded(of="encode", mistakes=table_of(_wrong_ids, "a b", [UNKNOWN, "a"]))
def check_encode_unknown(student, draw):
    """a word that is not in the vocabulary gets the id of <unk>, wherever that stands."""
    *known, stranger, longer = draw.words(6)
    for place in (len(known), 0):
        vocabulary = known[:place] + [UNKNOWN] + known[place:]
        sentence = f"{known[1]} {stranger} {known[0]} {longer}{known[0]}"
        wanted, given = encode(sentence, vocabulary), _ids(student, sentence, vocabulary)
        doing = f"encode({sentence!r}, {vocabulary!r})"
        for message, wrong in _wrong_ids(sentence, vocabulary).items():
            expect(given == wanted or given != wrong, f"{doing}: {message}")
        expect_equal(given, wanted, doing)


def _ids(student, sentence, vocabulary):
    """Return a student's ids; a tensor of whole numbers is as good as a list."""
    given = student.call("encode", sentence, vocabulary)
    if isinstance(given, torch.Tensor) and given.ndim == 1 and not given.is_floating_point():
        return given.tolist()
    return given
