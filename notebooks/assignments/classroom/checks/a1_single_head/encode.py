"""Checks of the assignment a1_single_head: from words to ids."""

import torch

from classroom.checks.graded import graded, hinted, table_of
from companion.checks.feedback import Mistake, expect, expect_equal

UNKNOWN = "<unk>"


def words_of(sentence):
    return [word.strip(",.!?") for word in sentence.lower().split()]


def encode(sentence, vocabulary):
    return [vocabulary.index(word if word in vocabulary else UNKNOWN) for word in words_of(sentence)]


def _wrong_ids(sentence, vocabulary):
    ids, words = encode(sentence, vocabulary), words_of(sentence)
    known = {word: place for place, word in enumerate(vocabulary)}
    return {
        "the ids are sorted; keep the order of the sentence": sorted(ids),
        "a word that comes twice gets its id twice": list(dict.fromkeys(ids)),
        "the ids are one too large: the first place is 0": [place + 1 for place in ids],
        "every word came out as <unk>: compare whole words, not letters": [known[UNKNOWN]] * len(ids),
        "unknown words are left out; each gets the id of <unk>": [known[word] for word in words if word in known],
        "the id of <unk> is not always the last one: look it up in the vocabulary": [
            known.get(word, len(vocabulary) - 1) for word in words
        ],
    }


MISTAKES = table_of(_wrong_ids, "a b", [UNKNOWN, "a"])


@graded(of="encode", mistakes=MISTAKES)
def check_encode_order(student, draw):
    """each word became its place in the vocabulary, in the order of the sentence."""
    known = draw.words(8)
    given = _check_plain(student, [*draw.choices(known[1:], k=5), known[0], known[0]], [*known, UNKNOWN])
    expect(not any(isinstance(place, float) for place in given), f"encode gives {given}; ids are whole numbers")


@graded
def check_encode_case(student, draw):
    """capitals and punctuation marks make no new words."""
    known = draw.words(8)
    vocabulary = [*known, UNKNOWN]
    for sentence, hint in (
        (f"{known[0].capitalize()} {known[1]} {known[2].upper()}", "capitals: call .lower() on the sentence"),
        (f"{known[3]}, {known[4]}! {known[0]}? {known[1]}.", "marks: strip , . ! ? from each word"),
        (f"  {known[2]}   {known[1]} ", "spaces: .split() without an argument takes any number of them"),
    ):
        _check_plain(student, words_of(sentence), vocabulary)  # what fails on plain words has another cause
        with hinted(hint):
            given = _ids(student, sentence, vocabulary)
        expect_equal(given, encode(sentence, vocabulary), f"{hint}; encode({sentence!r}, {vocabulary!r})")


@graded(of="encode", mistakes=MISTAKES)
def check_encode_unknown(student, draw):
    """a word that is not in the vocabulary gets the id of <unk>, wherever that stands."""
    *known, stranger, longer = draw.words(6)
    for place in (len(known), 0):
        vocabulary = known[:place] + [UNKNOWN] + known[place:]
        sentence = f"{known[1]} {stranger} {known[0]} {longer}{known[0]}"
        _expect_ids(_ids(student, sentence, vocabulary), sentence, vocabulary)


def _check_plain(student, words, vocabulary):
    """Refuse wrong ids of words that are all known, and return the right ones as they were given."""
    sentence = " ".join(words)
    given = _ids(student, sentence, vocabulary)
    alike = isinstance(given, list) and len(set(map(repr, given))) == 1 < len(set(words))
    if alike and given[0] != vocabulary.index(UNKNOWN):  # from the vocabulary of the class's sentence, for instance
        look = "no word is known: look it up in the `vocabulary` that you are given"
        raise Mistake(f"encode({sentence!r}, {vocabulary!r}) gives {given!r}, {look}")
    _expect_ids(given, sentence, vocabulary)
    return given


def _expect_ids(given, sentence, vocabulary):
    wanted, doing = encode(sentence, vocabulary), f"encode({sentence!r}, {vocabulary!r})"
    for message, wrong in _wrong_ids(sentence, vocabulary).items():
        expect(given == wanted or given != wrong, f"{doing}: {message}")
    expect_equal(given, wanted, doing)


def _ids(student, sentence, vocabulary):
    """Return a student's ids; a tensor of whole numbers is as good as a list."""
    given = student.call("encode", sentence, vocabulary)
    if isinstance(given, torch.Tensor) and given.ndim == 1 and not given.is_floating_point():
        return given.tolist()
    return given
