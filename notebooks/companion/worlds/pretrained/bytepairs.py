"""Byte pairs, the tokenizer of most language models: the merges of notebook 01, on bytes. Used in notebook 19."""

import copy
from itertools import combinations

import regex

from companion.course_answers import encoded, merges_applied

WORD = regex.compile(r"\p{N}|'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+")
SPECIAL = regex.compile(r"(<\|\w+\|>)")
# Each byte is shown as a letter. Those that cannot be seen, such as the space, borrow one from U+0100 on.
SEEN = [*range(33, 127), *range(161, 173), *range(174, 256)]
UNSEEN = [byte for byte in range(256) if byte not in SEEN]
SIGNS = {byte: chr(byte) for byte in SEEN} | {byte: chr(256 + number) for number, byte in enumerate(UNSEEN)}
BYTES = {sign: byte for byte, sign in SIGNS.items()}


class BytePairs:
    """Cut a text into pieces, and back. Radford et al., "Language Models are Unsupervised Multitask Learners", 2019.

    vocabulary: the pieces, a list; merges: two pieces with a space between them, in order.
    """

    def __init__(self, vocabulary, merges):
        self.vocabulary, self.merges = [*vocabulary, "<unk>"], merges
        self.apply_merges, self.look_up = merges_applied, encoded
        self.ids = {}  # of pieces that were looked up before
        self.known, self.ranks = frozenset(vocabulary), {pair: rank for rank, pair in enumerate(merges)}

    def by(self, apply_merges, encode):
        """Return the same tokenizer with functions of the reader. The tables, which are large, are shared."""
        other = copy.copy(self)
        other.apply_merges, other.look_up, other.ids = apply_merges, encode, {}
        return other

    def cut(self, text):
        """Return the pieces of a text, in the letters that stand for their bytes."""
        pieces = []
        for part in SPECIAL.split(text):
            if SPECIAL.fullmatch(part) and part in self.vocabulary:
                pieces.append(part)
            else:
                for word in WORD.findall(part):
                    signs = [SIGNS[byte] for byte in word.encode()]
                    pieces += self.apply_merges(signs, self._useful("".join(signs)))
        return pieces

    def encode(self, text):
        """Return the ids of a text's pieces, a list. Raises ValueError for a byte that has no token."""
        pieces = self.cut(text)
        new = [piece for piece in pieces if piece not in self.ids]
        if lacking := [piece for piece in new if piece not in self.known]:
            unknown = bytes(BYTES[sign] for sign in lacking[0])
            raise ValueError(f"the vocabulary has no token for {unknown}: leave that character out of the text")
        if new:
            self.ids |= zip(new, self.look_up(new, self.vocabulary))
        return [self.ids[piece] for piece in pieces]

    def decode(self, ids):
        """Return the text of ids. A character of which only some bytes are there becomes �; <|...|> is left out."""
        signs = "".join(piece for i in ids if not SPECIAL.fullmatch(piece := self.vocabulary[i]))
        return bytes(BYTES[sign] for sign in signs).decode(errors="replace")

    def _useful(self, word):
        """Return the merges whose result occurs in a word, in their order: no other can do anything there."""
        parts = {word[start:end] for start, end in combinations(range(len(word) + 1), 2)} & self.known
        pairs = {f"{part[:end]} {part[end:]}" for part in parts for end in range(1, len(part))}
        useful = sorted(self.ranks[pair] for pair in pairs & self.ranks.keys())
        return [tuple(self.merges[rank].split(" ")) for rank in useful]
