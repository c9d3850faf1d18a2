"""How wrong pronunciations are: errors in phonemes, and words with any error. Used in notebook 14."""

from typing import NamedTuple


class ErrorRates(NamedTuple):
    """Shares from 0 up: edits for each phoneme, and words that are not entirely right."""

    phonemes: float
    words: float


def edit_distance(first, second):
    """Return the fewest insertions, deletions and replacements that turn one sequence into the other.

    Levenshtein, "Binary Codes Capable of Correcting Deletions, Insertions, and Reversals", 1966.
    >>> edit_distance("kitten", "sitting")
    3
    """
    row = list(range(len(second) + 1))  # from nothing to each beginning of `second`
    for removed, symbol in enumerate(first, start=1):
        diagonal, row[0] = row[0], removed
        for column, other in enumerate(second, start=1):
            change = diagonal + (symbol != other)
            diagonal, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, change)
    return row[-1]


def error_rates(pronunciations, dictionary):
    """Compare {word: pronunciation} with a dictionary's {word: [pronunciation, ...]}; return `ErrorRates`.

    A word is right if it is said in any of the listed ways. Phonemes are compared with the way that is nearest in
    edits for each of its phonemes, and all edits are divided by all phonemes of those nearest ways.
    Raises ValueError if there is no word to compare.
    """
    if not pronunciations:
        raise ValueError("there is no pronunciation to compare; give at least one word")
    edits = phonemes = wrong = 0
    for word, pronunciation in pronunciations.items():
        options = [(edit_distance(pronunciation, listed), len(listed)) for listed in dictionary[word]]
        distance, length = min(options, key=lambda option: option[0] / option[1])
        edits, phonemes, wrong = edits + distance, phonemes + length, wrong + (distance > 0)
    return ErrorRates(edits / phonemes, wrong / len(pronunciations))
