"""How one token reads a row of tokens, as readings.js draws it: bands from it to each, as wide as the weights."""

from companion.pictures.words import two_decimals

# A weight as one letter, its percents: of thousands, each in digits would be long. None is a sign of HTML or JSON.
LETTERS = "".join(letter for letter in map(chr, [*range(33, 127), *range(0xC0, 0xCD)]) if letter not in "\"&'<>\\")
LEAST = 0.005  # a smaller weight is shown as 0.00, and not drawn


def letters_of(weights):
    """Return weights as a text, row by row: each becomes the letter of its percents."""
    return "".join(LETTERS[round(100 * float(two_decimals(weight)))] for weight in weights.flatten().tolist())


def weights_of(text):
    return [LETTERS.index(letter) / 100 for letter in text]
