"""From a sentence to ids and vectors, and back. Built in notebooks 01 and 02."""

import operator

import regex
import torch

# A letter or digit, then letters, digits, underscores and combining marks (vowel signs, accents),
# with apostrophes allowed inside: "don't" is one word. `regex` and not `re`, whose \w drops the marks.
WORD = r"[\p{L}\p{N}]\w*(?:['’]\w+)*"
# One visible symbol; \X keeps an emoji of several code points whole. It may also take a space along,
# behind a few rare signs: then the sign alone.
SYMBOL = r"(?!\s)\X(?<!\s)|\S"


def tokenize(text, punctuation=False):
    """Split a text into its words, in order.

    `punctuation=True` also returns each punctuation mark, symbol and emoji as a token of its own.
    Case is kept. Languages that write without spaces come back as long tokens.
    Raises TypeError for anything but a string, ValueError if the text has no token at all. Built in notebook 01.
    >>> tokenize("Don't stop!", punctuation=True)
    ["Don't", 'stop', '!']
    """
    if not isinstance(text, str):
        raise TypeError(f"tokenize takes a string, but was given {type(text).__name__}")
    tokens = regex.findall(f"{WORD}|{SYMBOL}" if punctuation else WORD, text)
    if not tokens:
        way_out = "give it a visible character" if punctuation else "give it a word, or pass punctuation=True"
        raise ValueError(f"no token found in {text[:40]!r}; {way_out}")
    return tokens


class Vocabulary:
    """The sorted, distinct tokens of a text; a token's id is its position in that order.

    Python sorts capitals before small letters, so "Life" comes before "dessert".
    `unknown` names one extra token that stands for every word not in the vocabulary. It takes the last id,
    so that all other ids stay the same with it and without.
    Raises TypeError for a bare string, ValueError if there is no token. Built in notebook 01.
    >>> vocabulary = Vocabulary(["eat", "dessert", "first"])
    >>> vocabulary.tokens, vocabulary.encode(["first", "eat"]), vocabulary.decode([2, 1])
    (['dessert', 'eat', 'first'], [2, 1], ['first', 'eat'])
    """

    def __init__(self, tokens, unknown=None):
        known = set(_listed(tokens, "Vocabulary"))
        if not known:
            raise ValueError("a vocabulary needs at least one token; the list given is empty")
        self.unknown = unknown
        self.tokens = sorted(known - {unknown}) + ([] if unknown is None else [unknown])
        self.ids = {token: token_id for token_id, token in enumerate(self.tokens)}

    def __len__(self):
        return len(self.tokens)

    def encode(self, tokens):
        """Return the id of each token, as a list of ints.

        Raises KeyError for a token that is not in the vocabulary, unless it has an `unknown` token.
        """
        tokens = _listed(tokens, "encode")
        missing = [token for token in tokens if token not in self.ids]
        if missing and self.unknown is None:
            given = f"{missing[0]!r} is not among the {len(self)} tokens of this vocabulary"
            raise KeyError(f"{given}; build it from more text, or with unknown='<unk>'")
        return [self.ids[token if token in self.ids else self.unknown] for token in tokens]

    def decode(self, ids):
        """Return the token of each id, as a list of strings.

        Raises TypeError for an id that is not a whole number, IndexError for one out of range.
        """
        ids = [operator.index(token_id) for token_id in ids]  # refuses 0.7 and "1"
        for token_id in ids:
            if not 0 <= token_id < len(self):
                raise IndexError(f"id {token_id} is not in this vocabulary; its ids run from 0 to {len(self) - 1}")
        return [self.tokens[token_id] for token_id in ids]


def embed(tokens, vocabulary, table):
    """Look up the vector of each token in an embedding table.

    tokens: list of strings; table: `nn.Embedding` with a row for each id. Returns (tokens, d_model).
    Raises ValueError if the table has fewer rows than the vocabulary has ids. Built in notebook 02.
    >>> embed(["eat", "eat"], Vocabulary(["eat", "dessert"]), torch.nn.Embedding(2, 16)).shape
    torch.Size([2, 16])
    """
    if table.num_embeddings < len(vocabulary):
        raise ValueError(
            f"the table has {table.num_embeddings} rows but the vocabulary has {len(vocabulary)} ids; "
            f"make it nn.Embedding({len(vocabulary)}, {table.embedding_dim})"
        )
    return table(torch.tensor(vocabulary.encode(tokens), dtype=torch.long))


def _listed(tokens, taker):
    """Refuse a bare string, which Python would silently take apart into letters."""
    if isinstance(tokens, str):
        raise TypeError(
            f"{taker} takes a list of tokens, but was given the string {tokens[:40]!r}; call tokenize on it"
        )
    tokens = list(tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"{taker} takes a list of strings, but was given {token!r}, a {type(token).__name__}")
    return tokens
