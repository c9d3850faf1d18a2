"""WordPiece, the tokenizer of BERT and its kin: words, and pieces of words that are not known. Built in notebook 15."""

import unicodedata
from pathlib import Path

import regex

VOCABULARY = Path(__file__).with_name("vocabulary.txt")  # one piece a line; under VOCABULARY_LICENSE.txt
UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST = 100  # characters: a longer word is unknown
IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
ALONE = rf"\p{{P}}$+<=>^`|~{IDEOGRAPHS}"  # each is a word of its own
NO_TEXT = regex.compile(r"(?![\t\n\r])[\uFFFD\p{C}]")  # what steers a printer or stands for a broken byte


def words_and_marks(text):
    """Cut a text into words and marks: lower case, without accents, each mark and each ideograph by itself."""
    bare = regex.sub(r"\p{Mn}", "", unicodedata.normalize("NFD", NO_TEXT.sub("", text))).lower()
    return regex.findall(rf"[{ALONE}]|[^\s{ALONE}]+", bare)


def longest_match(word, vocabulary):
    """Cut a word into the longest pieces of the vocabulary, from left to right; all but the first begin with ##.

    vocabulary: anything that knows what is `in` it. Returns a list, ["[UNK]"] if some part fits no piece.
    >>> longest_match("unaffable", {"un", "una", "##ff", "##ffa", "##ble"})
    ['una', '##ffa', '##ble']
    """
    pieces, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        candidates = ("##" * (start > 0) + word[start:end] for end in ends)
        piece = next((candidate for candidate in candidates if candidate in vocabulary), None)
        if piece is None:
            return [UNKNOWN]
        pieces.append(piece)
        start += len(piece.removeprefix("##") if start else piece)
    return pieces


class WordPiece:
    """Text to pieces, pieces to ids, by the vocabulary of all-MiniLM-L6-v2.

    Schuster and Nakajima, "Japanese and Korean Voice Search", 2012; Devlin et al., "BERT", 2019.
    """

    def __init__(self):
        self.tokens = VOCABULARY.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def tokenize(self, text):
        """Return the pieces of a text, a list, between [CLS] and [SEP]."""
        words = words_and_marks(text)
        pieces = [longest_match(word, self.ids) if len(word) <= LONGEST else [UNKNOWN] for word in words]
        return [BEGIN, *(piece for word in pieces for piece in word), END]

    def encode(self, tokens):
        """Return the id of each piece, a list. Raises KeyError for a piece that is not in the vocabulary."""
        return [self.ids[token] for token in tokens]
