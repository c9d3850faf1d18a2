import pytest
import regex
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from random_cases import tries
from utils.text import Vocabulary, embed, tokenize

MANY_WORDS = " ".join(f"word{number}" for number in range(10_000))
ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters included
LETTERS = Vocabulary(["a", "b"])
VISIBLE_TEXT = ANY_TEXT.filter(lambda text: regex.search(r"\S", text))


@pytest.mark.parametrize("text", ["don't", "don’t", "2nd", "rock'n'roll", "cafe\u0301", "می‌خواهم", "snake_case"])
def test_a_word_stays_whole(text):
    assert tokenize(text) == tokenize(text, punctuation=True) == [text]


@pytest.mark.parametrize("symbol", ["…", "$", "👍🏽", "❤️", "👩‍👩‍👧‍👦", "🇫🇷", "¿"])
def test_a_symbol_is_one_token_with_punctuation_and_none_without(symbol):
    assert tokenize(f"so {symbol}{symbol}, yes", punctuation=True) == ["so", symbol, symbol, ",", "yes"]
    assert tokenize(f"so {symbol}{symbol}, yes") == ["so", "yes"]


def test_quotation_marks_are_not_apostrophes():
    assert tokenize("'eat' dogs'", punctuation=True) == ["'", "eat", "'", "dogs", "'"]


@tries(200)
@example("?!…").via("only punctuation")
@example("👩‍👩‍👧‍👦🇫🇷 👍🏽❤️").via("only emoji")
@example(" \t\n\u00a0\u3000x\r\n").via("unusual whitespace")
@example("\u0600 123").via("a sign that joins whatever follows, even a space")
@example(" \u0301").via("a combining mark on a space")
@example(MANY_WORDS).via("10,000 words")
@given(VISIBLE_TEXT)
def test_nothing_but_whitespace_is_lost(text):
    assert "".join(tokenize(text, punctuation=True)) == regex.sub(r"\s", "", text)


@tries(100)
@example(MANY_WORDS, True)
@given(VISIBLE_TEXT, st.booleans())
def test_encoding_and_decoding_give_the_tokens_back(text, with_unknown):
    tokens = tokenize(text, punctuation=True)
    vocabulary = Vocabulary(tokens, unknown="<unk>" if with_unknown else None)
    assert vocabulary.decode(vocabulary.encode(tokens)) == tokens
    assert sorted(vocabulary.ids.values()) == list(range(len(vocabulary)))


@tries(50)
@given(st.lists(ANY_TEXT, min_size=1), ANY_TEXT)
def test_the_unknown_token_takes_the_last_id_and_moves_no_other(tokens, unseen):
    unknown = max(tokens, key=len) + "?"  # longer than any token, so none of them
    plain, extended = Vocabulary(tokens), Vocabulary(tokens, unknown=unknown)
    assert extended.tokens == [*plain.tokens, unknown]
    assert extended.encode([unseen]) == [plain.ids.get(unseen, len(plain))]


def test_capitals_sort_before_small_letters_and_the_unknown_token_last():
    vocabulary = Vocabulary(iter(["dessert", "<unk>", "Life", "Is"]), unknown="<unk>")
    assert vocabulary.tokens == ["Is", "Life", "dessert", "<unk>"]
    assert vocabulary.decode(torch.tensor([1, 0])) == ["Life", "Is"]


def test_an_embedded_token_is_its_row_of_the_table_which_learns():
    table = torch.nn.Embedding(3, 3)  # one row more than there are ids
    vectors = embed(["b", "a", "b"], LETTERS, table)
    assert torch.equal(vectors, table.weight[[1, 0, 1]]) and embed([], LETTERS, table).shape == (0, 3)
    vectors.sum().backward()
    assert table.weight.grad.tolist() == [[1, 1, 1], [2, 2, 2], [0, 0, 0]]


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: tokenize(["Life"]), TypeError, "takes a string, but was given list"),
        (lambda: tokenize("?!"), ValueError, r"no token found in '\?!'.*pass punctuation=True"),
        (lambda: tokenize(" \n", punctuation=True), ValueError, "no token found in .*give it a visible character"),
        (lambda: tokenize("?" * 10_000), ValueError, r"^.{1,120}$"),  # a long text is not repeated in full
        (lambda: Vocabulary("Life"), TypeError, "Vocabulary takes a list of tokens.*'Life'; call tokenize on it"),
        (lambda: Vocabulary([]), ValueError, "at least one token"),
        (lambda: Vocabulary(["a", 1]), TypeError, "Vocabulary takes a list of strings, but was given 1, a int"),
        (lambda: LETTERS.encode("a" * 999), TypeError, "^encode takes a list of .{1,80}; call tokenize on it"),
        (lambda: LETTERS.encode(["c"]), KeyError, "'c' is not among the 2 tokens.*unknown='<unk>'"),
        (lambda: LETTERS.decode([2]), IndexError, "id 2 is not in.*run from 0 to 1"),
        (lambda: LETTERS.decode([-1]), IndexError, "id -1 is not in"),
        (lambda: LETTERS.decode([0.7]), TypeError, "'float' object cannot be interpreted"),
        (
            lambda: embed(["a"], LETTERS, torch.nn.Embedding(1, 16)),
            ValueError,
            r"1 rows .* 2 ids; .*Embedding\(2, 16\)",
        ),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, error, message):
    with pytest.raises(error, match=message):
        call()
