"""Checks of the assignment a1_single_head: from words to ids."""

import torch

from classroom.checks.graded import graded, hinted
from companion.checks.feedback import expect, expect_equal

UNKNOWN = "<unk>"


@graded
def check_encode_order(student, draw):
    """each word became its place in the vocabulary, in the order of the sentence."""
    known = draw.words(8)
    vocabulary = [*known, UNKNOWN]
    words = draw.choices(known[1:], k=5) + [known[0], known[0]]
    given = _check_ids(student, " ".join(words), words, vocabulary)
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
        words = sentence.lower().translate(str.maketrans("", "", ",.!?")).split()
        _check_ids(student, " ".join(words), words, vocabulary)  # what fails on plain words has another cause
        wanted = [vocabulary.index(word) for word in words]
        with hinted(hint):
            given = _ids(student.call("encode", sentence, vocabulary))
        expect_equal(given, wanted, f"{hint}; encode({sentence!r}, {vocabulary!r})")


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


def _check_ids(student, sentence, words, vocabulary):
    given = _ids(student.call("encode", sentence, vocabulary))
    wanted = [vocabulary.index(word) for word in words]
    doing = f"encode({sentence!r}, {vocabulary!r})"
    unknown = vocabulary.index(UNKNOWN)
    for message, wrong in {
        "the ids are sorted; keep the order of the sentence": sorted(wanted),
        "a word that comes twice gets its id twice": list(dict.fromkeys(wanted)),
        "these are ids of a sorted vocabulary; take the place in the list as it is given": [
            sorted(vocabulary).index(word) for word in words
        ],
        "the ids are one too large: the first place is 0": [place + 1 for place in wanted],
        "every word came out as <unk>: compare whole words, not letters": [unknown] * len(words),
    }.items():
        expect(given != wrong or wrong == wanted, f"{doing}: {message}")
    # Another vocabulary, say the one of the class's sentence, knows none of these words.
    alike = isinstance(given, list) and len(set(map(repr, given))) == 1 < len(set(wanted))
    expect(not alike, f"{doing} gives {given!r}, no word is known: look it up in the `vocabulary` that you are given")
    expect_equal(given, wanted, doing)
    return given


def _ids(given):
    """A tensor of whole numbers is as good as a list."""
    if isinstance(given, torch.Tensor) and given.ndim == 1 and not given.is_floating_point():
        return given.tolist()
    return given
