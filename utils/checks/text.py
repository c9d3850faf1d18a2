"""Checks of the exercises in notebooks 01 (tokenization) and 02 (embeddings)."""

import torch

from utils.checks.feedback import PRODUCTS, calls, exercise, expect, expect_equal, expect_tensor


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


@exercise
def check_look_up(look_up):
    """each id became its one-hot row, and one product picked all the vectors."""
    weight, ids = torch.randn(5, 3), torch.tensor([4, 0, 4, 2])
    mistakes = {
        "these are the rows added up, but each token needs its own row: keep the tokens' axis": weight[ids].sum(0),
        "the rows come in the table's order; row i of the one-hot matrix belongs to token i": weight[ids.sort().values],
    }
    expect_tensor(look_up(weight, ids), weight[ids], "look_up(weight, [4, 0, 4, 2])", mistakes)
    batch = torch.tensor([[1, 2], [3, 3]])
    expect_tensor(look_up(weight, batch), weight[batch], "look_up on a batch of ids (2, 2)")
    message = "the vectors are right, but no product made them; this exercise is about one-hot rows times the matrix"
    expect(PRODUCTS & set(calls(look_up, weight, ids)), message)


@exercise
def check_pad(pad):
    """every sentence has the same length, and the padding is at the end."""
    sentences = [[5, 6, 7], [8], [9, 4]]
    wanted = torch.tensor([[5, 6, 7], [8, 0, 0], [9, 4, 0]])
    mistakes = {
        "the padding stands before the words; put it after them": torch.tensor([[5, 6, 7], [0, 0, 8], [0, 9, 4]]),
        "the sentences were cut to the shortest; pad the others to the longest": torch.tensor([[5], [8], [9]]),
        "one column a sentence; each sentence is a row (batch_first=True in PyTorch's own padding)": wanted.T,
    }
    given = [list(ids) for ids in sentences]
    expect_tensor(pad(given, 0), wanted, "pad([[5, 6, 7], [8], [9, 4]], 0)", mistakes)
    expect(given == sentences, "your function changed the lists it was given; build new ones")
    result, wanted = pad([[1], [2, 3, 4, 5]], 9), torch.tensor([[1, 9, 9, 9], [2, 3, 4, 5]])
    mistakes = {"the padding is always 0; use the padding id": wanted.where(wanted != 9, 0)}
    expect_tensor(result, wanted, "pad([[1], [2, 3, 4, 5]], 9)", mistakes)
    expect(not result.is_floating_point(), "the ids are decimals; an embedding needs whole numbers (torch.long)")
