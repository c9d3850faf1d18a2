"""Right and wrong answers to the exercises in notebook 04 (attention scores)."""

from companion.checks.notebook_04 import check_mislead, check_my_scores
from companion.which_minute.head import trained
from companion.which_minute.sentences import MEANINGS, encode


def by_sums(query, key):
    return (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / key.shape[-1] ** 0.5


def saying(sentence):
    """Return an answer that says a sentence, with the tiny word that it is given for X."""
    return lambda tiny: sentence.replace("X", tiny).split()


def as_many_as_it_takes(tiny):
    words = ["there", "was", "one", "minute", tiny]
    while trained()(*encode([words]))[0].argmax() != MEANINGS.index("a time"):
        words = [*words, "pause"]
    return words


RIGHT = {
    check_my_scores: [by_sums],
    check_mislead: [saying("wait " * 62 + "one minute X"), as_many_as_it_takes],
}
WRONG = {
    check_my_scores: [(lambda query, key: (query * key).sum(-1) / 3, "my_scores with 6 tokens gives shape (6,)")],
    check_mislead: [
        (lambda tiny: f"one minute {tiny}", 'mislead("insect") gives a str, but a list of words'),
        (saying("there was one minute mouse"), "the head does not know “mouse”"),
        (saying("one minute X after one minute wait"), "“minute” occurs in your sentence 2 times"),
        (saying("the wait after one minute"), 'after “minute” comes “nothing” in mislead("insect")'),
        (saying("one minute insect after the wait"), 'after “minute” comes “insect” in mislead("crack"), not the word'),
        (saying("there was one minute X"), "no word for a time is in your sentence"),
        (
            saying("one minute X after the wait"),
            "the head answers “tiny”: one word for a time is too weak against “crack”; but shares add up. What "
            "“minute” scores: “crack” 5.01, “wait” 4.20",
        ),
        (
            saying("one minute X" + " wait" * 61),
            "the head answers “tiny”: 61 words for a time are too few against “grain”. What “minute” scores: “grain” "
            "8.25, “wait” 4.20 (61 times)",
        ),
        (
            saying("one minute X wait seed"),
            "the head answers “tiny”: the others together outweigh the words for a time",
        ),
    ],
}
