"""Checks of the exercises in notebook 01 (tokenization), and the course's own answers, with which it goes on."""

import copy
from collections import Counter

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, expect, expect_equal, explained

GIVEN = "your function changed the list it was given; build a new one"
BY_POSITION = "{error}; a list is asked by position, and vocabulary.index(token) gives a token's position"


def encoded(tokens, vocabulary):
    """Return the id of each token, its position in the vocabulary; an unknown token has that of "<unk>"."""
    ids = {token: position for position, token in enumerate(vocabulary)}
    return [ids.get(token, ids["<unk>"]) for token in tokens]


def joined(tokens, pair):
    """Join a pair of neighbors wherever it stands, from left to right: one merge. Returns a new list."""
    result = []
    for token in tokens:
        if result and (result[-1], token) == pair:  # what is joined is longer than pair[0]: used once
            result[-1] += token
        else:
            result.append(token)
    return result


def learned(words, num_merges):
    """Learn at most so many merges from a list of words: byte-pair training. Returns the pairs, in order.

    Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
    """
    words, merges = [list(word) for word in words], []
    while len(merges) < num_merges:
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        merges.append(max(counts, key=counts.get))  # of equals the first
        words = [joined(word, merges[-1]) for word in words]
    return merges


ENCODED = {  # what goes wrong: a function that does it
    "an id is a position in the vocabulary; these are positions in the sentence": lambda tokens, _: [
        *range(len(tokens))
    ],
    "positions are counted from 0, these ids from 1": lambda *given: [position + 1 for position in encoded(*given)],
    "a token that the vocabulary does not have is left out; it gets the id of '<unk>'": (
        lambda tokens, vocabulary: [vocabulary.index(token) for token in tokens if token in vocabulary]
    ),
    "the vocabulary is given; yours makes a new one from the tokens": (
        lambda tokens, _: [sorted({*tokens}).index(token) for token in tokens]
    ),
    "'cake' gets -1, which is no position in the vocabulary; its id is that of '<unk>', as for all unknown tokens": (
        lambda tokens, vocabulary: [vocabulary.index(each) if each in vocabulary else -1 for each in tokens]
    ),
    "'cake' gets None, but a model can only read numbers; its id is that of '<unk>'": (
        lambda tokens, vocabulary: [vocabulary.index(each) if each in vocabulary else None for each in tokens]
    ),
    "the ids are sorted; keep the order of the tokens": lambda *given: sorted(encoded(*given)),
    "your ids come in the order of the vocabulary; go through the tokens, one by one, and give an id for each": (
        lambda tokens, vocabulary: [position for position, each in enumerate(vocabulary) if each in tokens]
    ),
    "the unknown 'cake' gets 6, but '<unk>' is number 5 here; look '<unk>' up, do not compute or write its id": (
        lambda tokens, vocabulary: [vocabulary.index(each) if each in vocabulary else 6 for each in tokens]
    ),
    "your result contains the string '<unk>'; put its id there": (
        lambda tokens, vocabulary: [vocabulary.index(each) if each in vocabulary else "<unk>" for each in tokens]
    ),
    "a token that occurs twice has its id twice": lambda *given: [*dict.fromkeys(encoded(*given))],
    "'Be' is in the vocabulary as it stands; do not change its case": (
        lambda tokens, vocabulary: encoded([token.lower() for token in tokens], vocabulary)
    ),
    "'Do' is not in the vocabulary; it has 'do', which is another string, so the id of 'Do' is that of '<unk>'": (
        lambda tokens, vocabulary: encoded(
            [token if token in vocabulary else token.lower() for token in tokens], vocabulary
        )
    ),
}


@exercise(mistakes=ENCODED)
def check_encode(encode):
    """each token has its id, and those that are not known have the id of “<unk>”."""
    tokens, vocabulary = ["to", "do", "cake", "Be", "to", "Do"], ["Be", "a", "do", "it", "to", "<unk>"]
    try:
        with explained({"list indices must be": BY_POSITION}):
            result = _given_copies(encode, tokens, vocabulary)
    except (KeyError, ValueError) as error:
        cause = f"looking it up stopped with {type(error).__name__}; give it the id of '<unk>'"
        raise Mistake(f"'cake' is not in the vocabulary, and {cause}") from None
    for message, wrong in ENCODED.items():
        expect(result != wrong(tokens, vocabulary), message)
    expect_equal(result, encoded(tokens, vocabulary), f"encode({tokens}, {vocabulary})")
    expect_equal(_given_copies(encode, ["b", "a"], ["a", "<unk>"]), [1, 0], "encode(['b', 'a'], ['a', '<unk>'])")


def _given_copies(answer, *given):
    copies = copy.deepcopy(given)
    result = answer(*copies)
    expect(copies == given, GIVEN)
    return result


@exercise
def check_merge_pair(merge_pair):
    """neighbors become one token, from left to right, and everything else stays."""
    a_and_b = ("a", "b")
    for tokens, pair, hint in (
        ("c d e", a_and_b, "nothing to join: every token stays, the last one too"),
        ("a b c", a_and_b, "the pair at the start, and a token after it that stays"),
        ("c a b", a_and_b, "the pair at the end: does your loop reach the last two tokens?"),
        ("a b c a b", a_and_b, "the pair twice: go on after the first merge"),
        ("a c b", a_and_b, "a and b that are not neighbors"),
        ("b a", a_and_b, "the pair in the other order"),
        ("a", a_and_b, "one token only"),
        ("ab a b", a_and_b, "a token that looks merged already"),
        ("ca b", a_and_b, "a token that ends in 'a': compare whole tokens, not the joined text"),
        ("a bc", a_and_b, "a token that starts with 'b': compare whole tokens, not the joined text"),
        ("a a a", ("a", "a"), "from left to right, and each token is used once"),
        ("ab c", ("a", "bc"), "two ways to spell 'abc', compare the two tokens, not the joined text"),
    ):
        _expect_merged(merge_pair, tokens.split(), pair, hint)


def _expect_merged(merge, tokens, pair, hint):
    doing = f"merge_pair({tokens!r}, {pair!r})"
    try:
        result = _given_copies(merge, tokens, pair)
    except IndexError as error:
        cause = "is there a token behind the last one, or before the first?"
        raise Mistake(f"{doing} stopped with IndexError: {error}; {cause}") from None
    if tokens == list("abc"):
        never = "a part of a list is a list, and never equal to a tuple such as the pair"
        expect(result != tokens, f"{doing} joins nothing; are equal things of one kind? {never}")
        twice = "the second token of a pair is used twice; after a merge, go on behind both"
        expect(result not in (["ab", "b"], ["ab", "b", "c"]), f"{doing} gives {result!r}: {twice}")
    expect_equal(result, joined(tokens, pair), f"{hint}: {doing}")


@exercise
def check_learn_merges(learn_merges):
    """the most frequent pair is joined everywhere, and the neighbors are counted again."""
    for words, num_merges, hint in (
        ("ab", 1, "one word, one merge: a list with one pair of pieces"),
        ("ab", 0, "no merge was asked for"),
        ("ab cd cd", 1, "a word that occurs twice counts twice: take the most frequent pair"),
        ("cd ab ab", 1, "a word that occurs twice counts twice: take the most frequent pair"),
        ("cd ab", 1, "both pairs occur once: take the one met first, not the first by alphabet"),
        ("ab cd", 1, "both pairs occur once: take the one met first, not the last"),
        ("a b a b cd", 1, "letters of two words are no neighbors: count inside each word"),
        ("xabx ab", 1, "the pair stands in the middle of one word and is the whole of another"),
        ("abc abc abc", 2, "after each merge, join the pair in every word and count again"),
        ("ababc", 2, "the pair stands twice in one word: join it both times"),
        ("be be be bea ea ea", 3, "compare whole pieces, not text: in 'be', 'a' is no 'e', 'a'"),
        ("ab", 3, "no pair is left after the first merge: stop there"),
    ):
        words = words.split()
        doing = f"learn_merges({words!r}, {num_merges})"
        try:
            result = _given_copies(learn_merges, words, num_merges)
        except (IndexError, KeyError, TypeError, ValueError) as error:  # what taking the best of nothing raises
            message = f"no pair is left after the first merge, and {doing} stopped with {type(error).__name__}: {error}"
            expect(num_merges < 3 or words != ["ab"], f"{message}; if nothing was counted, leave the loop")
            raise
        expect_equal(result, learned(words, num_merges), f"{hint}: {doing}")
