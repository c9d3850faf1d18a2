"""Right and wrong answers to the exercises in notebook 04 (attention scores)."""

from companion.checks.notebook_04 import check_mislead, check_my_scores


def by_sums(query, key):
    return (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / key.shape[-1] ** 0.5


def saying(words):
    return words.split


RIGHT = {
    check_my_scores: [by_sums],
    check_mislead: [
        saying("there was one minute insect after the wait"),
        saying("wait wait wait wait one minute crumb"),
    ],
}
WRONG = {
    check_my_scores: [(lambda query, key: (query * key).sum(-1) / 3, "my_scores with 6 tokens gives shape (6,)")],
    check_mislead: [
        (saying("there was one minute mouse"), "the head does not know “mouse”"),
        (saying("one minute insect after one minute wait"), "“minute” occurs in your sentence 2 times"),
        (saying("the wait after one minute"), "after “minute” comes “nothing”"),
        (saying("there was one minute insect"), "no word for a time is in your sentence"),
        (saying("one minute seed after the pause"), "the head answers “tiny”. What “minute” scores with the clues: “s"),
    ],
}
