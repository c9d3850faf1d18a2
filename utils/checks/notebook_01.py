"""Checks of the exercises in notebook 01 (tokenization)."""

from utils.checks.exercise import exercise
from utils.checks.feedback import expect, expect_equal


@exercise
def check_frequent_vocabulary(frequent_vocabulary):
    """the frequent words in order, and the unknown one last."""
    tokens = ["eat", "Life", "eat", "dessert", "dessert", "zest", "eat", "zest"]
    for at_least, wanted, hint in (
        (4, ["<unk>"], "no token occurs four times; <unk> is always there"),
        (3, ["eat", "<unk>"], "'eat' alone occurs at least three times; list it once, and <unk> last"),
        (2, ["dessert", "eat", "zest", "<unk>"], "three tokens occur at least twice; sort them"),
        (1, ["Life", "dessert", "eat", "zest", "<unk>"], "every token occurs at least once; capitals come first"),
    ):
        given = list(tokens)
        result = frequent_vocabulary(given, at_least)
        expect_equal(result, wanted, f"{hint}: frequent_vocabulary({tokens!r}, {at_least})")
        expect(given == tokens, "your function changed the list it was given; build a new one")


@exercise
def check_merge(merge):
    """neighbours become one token, from left to right, and everything else stays."""
    for tokens, wanted, hint in (
        (["a"], ["a"], "one token only"),
        (list("abc"), ["ab", "c"], "the pair at the start, and a token after it that stays"),
        (list("cab"), ["c", "ab"], "the pair at the end: does your loop reach the last two tokens?"),
        (list("abcab"), ["ab", "c", "ab"], "the pair twice: go on after the first merge"),
        (list("acb"), list("acb"), "a and b that are not neighbours"),
        (list("ba"), list("ba"), "the pair in the other order"),
        (["ab", "a", "b"], ["ab", "ab"], "a token that looks merged already"),
        (["ca", "b"], ["ca", "b"], "a token that ends in 'a': compare whole tokens, not the joined text"),
        (["a", "bc"], ["a", "bc"], "a token that starts with 'b': compare whole tokens, not the joined text"),
    ):
        given = list(tokens)
        result = merge(given, ("a", "b"))
        expect_equal(result, wanted, f"{hint}: merge({tokens!r}, ('a', 'b'))")
        expect(given == tokens, "your function changed the list it was given; build a new one")
    doing = "from left to right, and each token is used once: merge(['a', 'a', 'a'], ('a', 'a'))"
    expect_equal(merge(list("aaa"), ("a", "a")), ["aa", "a"], doing)
    doing = "two ways to spell 'abc', compare the two tokens, not the joined text: merge(['ab', 'c'], ('a', 'bc'))"
    expect_equal(merge(["ab", "c"], ("a", "bc")), ["ab", "c"], doing)
