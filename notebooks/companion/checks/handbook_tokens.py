"""Checks of the exercises on the handbook's page of tokens, and the course's own answers to them."""

from collections import Counter

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_equal, expect_like, explained


def joined(tokens, pair):
    """Join a pair of neighbors at each position where it occurs, from left to right: one merge. Returns a new list."""
    result = []
    for token in tokens:
        if result and (result[-1], token) == pair:  # what is joined is longer than pair[0]: used once
            result[-1] += token
        else:
            result.append(token)
    return result


def learned(words, num_merges):
    """Learn up to num_merges merges from a list of words: byte-pair training. Returns the pairs, in order.

    Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
    """
    words, merges = [list(word) for word in words], []
    while len(merges) < num_merges:
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        merges.append(max(counts, key=counts.get))  # the first of the most frequent
        words = [joined(word, merges[-1]) for word in words]
    return merges


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
        tokens = tokens.split()
        doing = f"merge_pair({tokens!r}, {pair!r})"
        beyond = f"{doing} stopped: {{error}}; is there a token after the last one, or before the first?"
        with explained({"index out of range": beyond}):
            result = merge_pair(tokens, pair)
        if tokens == ["a", "b", "c"]:
            never = "a part of a list is a list, and never equal to a tuple such as the pair"
            expect(result != tokens, f"{doing} joins nothing; are equal things of one kind? {never}")
            twice = "the second token of a pair is used twice; after a merge, go on after both"
            expect(result not in (["ab", "b"], ["ab", "b", "c"]), f"{doing} gives {result!r}: {twice}")
        expect_equal(result, joined(tokens, pair), f"{hint}: {doing}")


@exercise
def check_learn_merges(learn_merges):
    """the most frequent pair is joined everywhere, and the neighbors are counted again."""
    for words, num_merges, hint in (
        ("ab", 1, "one word, one merge: a list with one pair of pieces"),
        ("ab", 0, "no merge was asked for"),
        ("cd ab ab", 1, "a word that occurs twice counts twice: take the most frequent pair"),
        ("cd ab", 1, "both pairs occur once: take the one met first, not the first by alphabet"),
        ("ab cd", 1, "both pairs occur once: take the one met first, not the last"),
        ("a b a b cd", 1, "letters of two words are not neighbors: count inside each word"),
        ("xabx ab", 1, "the pair is in the middle of one word and is the whole of another"),
        ("abc abc abc", 2, "after each merge, join the pair in every word and count again"),
        ("ababc", 2, "the pair occurs twice in one word: join it both times"),
        ("be be be bea ea ea", 3, "compare whole pieces, not text: in 'be', 'a' is not 'e', 'a'"),
        ("ab", 3, "no pair is left after the first merge: stop there"),
    ):
        words = words.split()
        doing = f"learn_merges({words!r}, {num_merges})"
        empty = {"": f"{hint}; {doing} stopped: {{error}}"}  # "" is in any error
        with explained(empty if "no pair is left" in hint else {}):
            expect_like(learn_merges, learned, (words, num_merges), f"{hint}: {doing}")
