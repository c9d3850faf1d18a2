"""Checks of the exercises in notebook 04 (attention scores)."""

import warnings

import torch

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_kind
from companion.mistakes import SCORED, SECOND_AXIS, by_second_axis
from companion.worlds.which_minute.answers import scores_of_minute
from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.sentences import CLUES, MEANINGS, VOCABULARY, encode
from utils.attention import masked_softmax, scores

COUNT_BACK = "transpose(1, 2) counts from the front and fits a batch only; transpose(-2, -1) fits a single matrix, too"
ROWS_MEET = "query @ key lets rows meet rows: on the right of @ the keys must become columns, key.transpose(-2, -1)"
ALWAYS = "it divides by √2 always (by a d_k from another cell?); d_k is the size of the query given, query.shape[-1]"
MY_SCORES = {  # {message: wrong answer}
    **SCORED,
    SECOND_AXIS: by_second_axis,
    ROWS_MEET: lambda query, key: query @ key / query.shape[-1] ** 0.5,
    "these are weights already: no softmax yet": lambda query, key: masked_softmax(scores(query, key)),
    ALWAYS: lambda query, key: query @ key.mT / 2**0.5,
    COUNT_BACK: lambda query, key: query @ key.transpose(1, 2) / query.shape[-1] ** 0.5,
}


@compared_with(scores, MY_SCORES, {"Dimension out of range": COUNT_BACK, "(6x9 and 6x9)": ROWS_MEET})
def check_my_scores(my_scores):
    """row i holds the scores of query i, for a sentence and for any batch of them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The use of `x.T`")  # of a batch, which the check has its own words for
        yield "my_scores with 6 tokens", torch.randn(2, 6, 9).unbind()
        yield "my_scores on a batch (4, 4, 4)", torch.randn(2, 4, 4, 4).unbind()  # where every wrong axis fits
        uneven = torch.randn(2, 3, 5, 8), torch.randn(2, 3, 7, 8)
        yield "my_scores with 5 queries and 7 keys, in a batch (2, 3)", uneven


SHORTEST = {"insect": 3, "crack": 5, "grain": 64}  # words of “minute insect wait” and so on, scored higher and higher
SPARE = 5  # words that a sentence may have more


@exercise
def check_mislead(mislead):
    """the head hears a time, though a tiny word comes after “minute”: one strong word can win, or many weak ones."""
    for tiny, shortest in SHORTEST.items():
        words = mislead(tiny)
        _expect_misled(words, tiny)
        long = f"with “{tiny}” your {len(words)} words mislead the head, but the shortest sentence that we know has"
        expect(len(words) <= shortest + SPARE, f"{long} {shortest}, and up to {shortest + SPARE} will do")


def _expect_misled(words, tiny):
    times = CLUES[0]
    expect_kind(words, list, f'mislead("{tiny}")', 'a list of words, like "one minute".split(),')
    strange = [word for word in words if word not in VOCABULARY.tokens]
    expect(not strange, f"the head does not know “{strange[0] if strange else ''}”; take other words")
    expect(words.count("minute") == 1, f"“minute” occurs in your sentence {words.count('minute')} times, not once")
    next_word = [*words, "nothing"][words.index("minute") + 1]
    misplaced = f'after “minute” comes “{next_word}” in mislead("{tiny}")'
    expect(next_word == tiny, f"{misplaced}, not the word it is given, “{tiny}”")
    expect(set(words) & set(times), "no word for a time is in your sentence, so nothing can win against the tiny word")
    score = dict(zip(words, scores_of_minute(words).tolist()))
    clues = [word for word in words if word in times]
    shown_scores = [f"“{tiny}” {score[tiny]:.2f}"]
    shown_scores += [f"“{word}” {score[word]:.2f}{_times(clues.count(word))}" for word in dict.fromkeys(clues)]
    cause = "the others together outweigh the words for a time"
    if score[tiny] > max(score[word] for word in clues):
        alone = f"one word for a time is too weak against “{tiny}”"
        cause = alone if len(clues) == 1 else f"{len(clues)} words for a time are too few against “{tiny}”"
    answer = MEANINGS[trained()(*encode([words]))[0][0].argmax()]
    expect(answer == "a time", f"the head answers “{answer}”: {cause}. What “minute” scores: {', '.join(shown_scores)}")


def _times(number):
    return f" ({number} times)" if number > 1 else ""
