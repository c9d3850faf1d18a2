"""Checks of the exercises in notebook 01 (tokenization), and the course's own answers, with which it goes on."""

from collections import Counter

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, expect, expect_equal


def joined(tokens, pair):
    """Join a pair of neighbours wherever it stands, from left to right: one merge. Returns a new list."""
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


@exercise
def check_merge(merge):
    """neighbours become one token, from left to right, and everything else stays."""
    for tokens, wanted, hint in (
        (list("cde"), list("cde"), "nothing to join: every token stays, the last one too"),
        (list("abc"), ["ab", "c"], "the pair at the start, and a token after it that stays"),
        (list("cab"), ["c", "ab"], "the pair at the end: does your loop reach the last two tokens?"),
        (list("abcab"), ["ab", "c", "ab"], "the pair twice: go on after the first merge"),
        (list("acb"), list("acb"), "a and b that are not neighbours"),
        (list("ba"), list("ba"), "the pair in the other order"),
        (["a"], ["a"], "one token only"),
        (["ab", "a", "b"], ["ab", "ab"], "a token that looks merged already"),
        (["ca", "b"], ["ca", "b"], "a token that ends in 'a': compare whole tokens, not the joined text"),
        (["a", "bc"], ["a", "bc"], "a token that starts with 'b': compare whole tokens, not the joined text"),
    ):
        _expect_merged(merge, tokens, ("a", "b"), wanted, hint)
    _expect_merged(merge, list("aaa"), ("a", "a"), ["aa", "a"], "from left to right, and each token is used once")
    hint = "two ways to spell 'abc', compare the two tokens, not the joined text"
    _expect_merged(merge, ["ab", "c"], ("a", "bc"), ["ab", "c"], hint)


def _expect_merged(merge, tokens, pair, wanted, hint):
    given, doing = list(tokens), f"merge({tokens!r}, {pair!r})"
    try:
        result = merge(given, pair)
    except IndexError as error:
        cause = "is there a token behind the last one, or before the first?"
        raise Mistake(f"{doing} stopped with IndexError: {error}; {cause}") from None
    if tokens == list("abc"):
        never = "a part of a list is a list, and never equal to a tuple such as the pair"
        expect(result != tokens, f"{doing} joins nothing; are equal things of one kind? {never}")
        twice = "the second token of a pair is used twice; after a merge, go on behind both"
        expect(result not in (["ab", "b"], ["ab", "b", "c"]), f"{doing} gives {result!r}: {twice}")
    expect_equal(result, wanted, f"{hint}: {doing}")
    expect(given == tokens, "your function changed the list it was given; build a new one")


@exercise
def check_learn_merges(learn_merges):
    """the most frequent pair is joined everywhere, and the neighbours are counted anew."""
    once, twice, thrice = [("a", "b")], [("a", "b"), ("ab", "c")], [("b", "e"), ("e", "a"), ("be", "a")]
    for words, num_merges, wanted, hint in (
        (["ab"], 1, once, "one word, one merge: a list with one pair of pieces"),
        (["ab"], 0, [], "no merge was asked for"),
        (["ab", "cd", "cd"], 1, [("c", "d")], "a word that occurs twice counts twice: take the most frequent pair"),
        (["cd", "ab", "ab"], 1, once, "a word that occurs twice counts twice: take the most frequent pair"),
        (["cd", "ab"], 1, [("c", "d")], "both pairs occur once: take the one met first, not the first by alphabet"),
        (["ab", "cd"], 1, once, "both pairs occur once: take the one met first, not the last"),
        (["a", "b", "a", "b", "cd"], 1, [("c", "d")], "letters of two words are no neighbours: count inside each word"),
        (["xabx", "ab"], 1, once, "the pair stands in the middle of one word and is the whole of another"),
        (["abc"] * 3, 2, twice, "after each merge, join the pair in every word and count again"),
        (["ababc"], 2, [("a", "b"), ("ab", "ab")], "the pair stands twice in one word: join it both times"),
        (["be"] * 3 + ["bea"] + ["ea"] * 2, 3, thrice, "compare whole pieces, not text: in 'be', 'a' is no 'e', 'a'"),
    ):
        _expect_merges(learn_merges, words, num_merges, wanted, hint)
    try:
        hint = "no pair is left after the first merge: stop there"
        _expect_merges(learn_merges, ["ab"], 3, once, hint)
    except (IndexError, KeyError, TypeError, ValueError) as error:  # what taking the best of nothing raises
        message = "no pair is left after the first merge, and learn_merges(['ab'], 3) stopped with"
        raise Mistake(f"{message} {type(error).__name__}: {error}; if nothing was counted, leave the loop") from None


def _expect_merges(learn_merges, words, num_merges, wanted, hint):
    given = list(words)
    result = learn_merges(given, num_merges)
    expect_equal(result, wanted, f"{hint}: learn_merges({words!r}, {num_merges})")
    expect(given == words, "your function changed the list it was given; build a new one")
