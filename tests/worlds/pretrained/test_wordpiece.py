import pydoc_data.topics
import random
import re

import pytest

from companion.worlds.pretrained.wordpiece import VOCABULARY, WordPiece

SIGNS = (
    "abcdefghijklmnopqrstuvwxyzABCÀéîõüßÅøñçšžАЯжыλΩ日本語中文한국어カタ '’\"-–—.,;:!?()[]{}@#$%^&*+=<>|~`_/\\\t\n"
    "0123456789\u200b\u00ad\u0301\ufffd€£½²™🍰\u3000\u00a0İ\u093e"
)


def test_a_word_of_more_than_a_hundred_letters_is_unknown():
    assert WordPiece().tokenize("a" * 101) == ["[CLS]", "[UNK]", "[SEP]"]
    assert "[UNK]" not in WordPiece().tokenize("a" * 100)


def texts():
    """Sentences of Python's own documentation, and as many rows of signs that a tokenizer can stumble over."""
    pages = pydoc_data.topics.topics.values()
    sentences = [text.strip() for page in pages for text in re.split(r"(?<=[.!?])\s+|\n\n", page)]
    chance = random.Random(0)
    rows = ["".join(chance.choices(SIGNS, k=chance.randrange(1, 40))) for _ in range(3_000)]
    return [text for text in sentences if 5 < len(text) < 200][:3_000] + rows


def test_it_cuts_thousands_of_texts_as_the_library_tokenizers_does():
    library = pytest.importorskip("tokenizers").BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)
    ours = WordPiece()
    for text in texts():
        theirs = library.encode(text)
        assert ours.tokenize(text) == theirs.tokens, text
        assert ours.encode(theirs.tokens) == theirs.ids
