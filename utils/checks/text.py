"""Checks of the exercises in notebooks 01 (tokenization) and 02 (embeddings)."""

import torch

from utils.checks.feedback import exercise, expect, expect_equal, expect_tensor


@exercise
def check_encode_known(encode_known):
    """every word has an id, the unknown ones too, in the order of the sentence."""
    ids = {"Life": 0, "dessert": 1, "eat": 2}
    for words, wanted, doing in (
        (["eat", "dessert"], [2, 1], "two known words"),
        (["dessert", "dessert", "Life"], [1, 1, 0], "a repeated word"),
        (["eat", "cake"], [2, 9], "an unknown word"),
        (["life"], [9], "'life', which is not 'Life' (keep the case)"),
        ([], [], "an empty list"),
    ):
        given = encode_known(list(words), dict(ids), 9)
        expect(given is not None, "the function gives None; did you forget `return`?")
        expect_equal(list(given), wanted, f"{doing}: encode_known({words!r}, ids, 9)")


@exercise
def check_merge(merge):
    """neighbours become one token, from left to right, and everything else stays."""
    for tokens, wanted, hint in (
        (list("abc"), ["ab", "c"], "the pair at the start"),
        (list("cab"), ["c", "ab"], "the pair at the end: does your loop reach the last two tokens?"),
        (list("abcab"), ["ab", "c", "ab"], "the pair twice: go on after the first merge"),
        (list("acb"), list("acb"), "a and b that are not neighbours"),
        (list("ba"), list("ba"), "the pair in the other order"),
        (["ab", "a", "b"], ["ab", "ab"], "a token that looks merged already: compare tokens, not the joined text"),
        (["a"], ["a"], "one token only"),
    ):
        given = list(tokens)
        result = merge(given, ("a", "b"))
        expect_equal(result, wanted, f"{hint}: merge({tokens!r}, ('a', 'b'))")
        expect(given == tokens, "your function changed the list it was given; build a new one")
    expect_equal(
        merge(list("aaa"), ("a", "a")), ["aa", "a"], "a token is used once: merge(['a', 'a', 'a'], ('a', 'a'))"
    )


@exercise
def check_look_up(look_up):
    """each id became its one-hot row, and one product picked all the vectors."""
    table, ids = torch.randn(5, 3), torch.tensor([4, 0, 4, 2])
    mistakes = {
        "these are the rows added up, but each token needs its own row: keep the tokens' axis": table[ids].sum(0),
        "the rows come in the table's order; row i of the one-hot matrix belongs to token i": table[ids.sort().values],
    }
    expect_tensor(look_up(table.clone(), ids.clone()), table[ids], "look_up(table, [4, 0, 4, 2])", mistakes)
    batch = torch.tensor([[1, 2], [3, 3]])
    expect_tensor(look_up(table.clone(), batch), table[batch], "look_up on a batch of ids (2, 2)")


@exercise
def check_pad(pad):
    """every sentence has the same length, and the padding is at the end."""
    sentences = [[5, 6, 7], [8], [9, 4]]
    wanted = torch.tensor([[5, 6, 7], [8, 0, 0], [9, 4, 0]])
    mistakes = {
        "the padding stands before the words; put it after them": torch.tensor([[5, 6, 7], [0, 0, 8], [0, 9, 4]]),
        "the sentences were cut to the shortest; pad the others to the longest": torch.tensor([[5], [8], [9]]),
    }
    given = [list(ids) for ids in sentences]
    expect_tensor(pad(given, 0), wanted, "pad([[5, 6, 7], [8], [9, 4]], 0)", mistakes)
    expect(given == sentences, "your function changed the lists it was given; build new ones")
    expect_tensor(pad([[1], [2, 3]], 9), torch.tensor([[1, 9], [2, 3]]), "pad([[1], [2, 3]], 9), another padding id")
