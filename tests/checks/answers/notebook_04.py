"""Right and wrong answers to the exercises in notebook 04 (attention scores)."""

from companion.checks.notebook_04 import check_mislead, check_my_scores


def by_sums(query, key):
    return (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / key.shape[-1] ** 0.5


def saying(sentence):
    """Return an answer that says a sentence, with the tiny word that it is given for X."""
    return lambda tiny: sentence.replace("X", tiny).split()


def shortest(tiny):
    return ["wait"] * {"insect": 1, "crack": 3, "grain": 62}[tiny] + ["minute", tiny]


TINY = "the head answers “tiny”: "
RIGHT = {check_my_scores: [by_sums], check_mislead: [shortest]}
WRONG = {
    check_my_scores: {"it divides by √2 always": {"key.shape[-1] ** 0.5": "2**0.5"}},
    check_mislead: {
        "the head does not know “mouse”": saying("there was one minute mouse"),
        "“minute” occurs in your sentence 2 times": saying("one minute X after one minute wait"),
        'after “minute” comes “nothing” in mislead("insect")': saying("the wait after one minute"),
        "no word for a time is in your sentence": saying("there was one minute X"),
        f"{TINY}one word for a time is too weak against “crack”. What “minute” scores: “crack” 5.01": (
            saying("one minute X after the wait")
        ),
        f"{TINY}61 words for a time are too few against “grain”. What “minute” scores: “grain” 8.25": {"62": "61"},
        "with “insect” your 65 words mislead the head, but the shortest sentence that we know has 3, and up to 8": (
            saying("one minute X" + " wait" * 62)
        ),
        f"{TINY}the others together outweigh the words for a time": saying("one minute X wait seed"),
    },
}
