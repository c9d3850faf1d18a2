"""The question that runs through the course, live: two sentences, each with a word that tells what "minute" means."""

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.palette import INK
from companion.pictures.words import largest_first, two_decimals
from companion.worlds.which_minute.head import trained, untrained
from companion.worlds.which_minute.picture_parts import HOME, meaning_of, word_cells
from companion.worlds.which_minute.sentences import CLUES, MEANINGS, VOCABULARY, encode
from utils.attention import scores

FORMS = ("she noticed one minute {} today", "the {} she noticed was minute")
# The meanings of the clues that fit each form: whatever a pause is, it is tiny where it "was minute".
MENUS = ([0, 1, 2], [MEANINGS.index("tiny")])
TELLS = {
    "trained": "It looks for the word that tells the meaning.",
    "untrained": "It looks a little at every word, and answers “a time” to every sentence.",
}
LEAD = (
    "A small network of {} numbers reads two sentences. Blue, and the numbers, show what share of its attention "
    "“minute” pays to each word."
)


def two_sentences(first="pause", second="crack", of=trained):
    """Show where "minute" looks in two sentences, ahead and back, and which meaning it comes to.

    first, second: the words that tell, which can be changed; of: returns the trained head, beside an untrained one.
    """
    pair, learned = (first, second), of()
    heads = {"trained": learned, "untrained": untrained()}
    answers = [_answer(learned, form.format(clue).split()) for form, clue in zip(FORMS, pair)]
    numbers = {name: _numbers(head) for name, head in heads.items()}
    data = {"words": " ".join(VOCABULARY.tokens), "clues": [" ".join(clues) for clues in CLUES], "names": MEANINGS}
    data |= {"forms": FORMS, "menus": MENUS, "pair": pair, "tells": TELLS}
    data |= {"heads": numbers, "reach": max(plane_reach(each["values"]) for each in numbers.values())}
    data["lead"] = LEAD.format(sum(each.numel() for each in learned.parameters()))
    says = " ".join(_says(*answer, number) for number, answer in enumerate(answers, start=1))
    return Live(HOME / "two-sentences", data, _table(answers), says, "Which minute?", shared=[HOME / "meanings"])


@torch.no_grad()
def _numbers(head):
    """Return what a script needs to read any sentence: for each word the score that "minute" gives it and its value.

    And the answers: two weights and a bias for each meaning.
    """
    inputs = head.embedding.weight
    query = head.attend.W_query(inputs[VOCABULARY.encode(["minute"])])
    numbers = {
        "scores": scores(query, head.attend.W_key(inputs))[0],
        "values": head.attend.W_value(inputs),
        "answers": torch.cat([head.answer.weight, head.answer.bias[:, None]], dim=1),
    }
    return {name: six_digits(each.double().round(decimals=4).tolist()) for name, each in numbers.items()}


@torch.no_grad()
def _answer(head, words):
    """Return a sentence, the weight of each word, and the probability of each meaning."""
    logits, weights, _ = head(*encode([words]))
    return words, weights[0].tolist(), torch.softmax(logits[0], dim=-1).tolist()


def _says(words, weights, answers, number):
    best, meaning = largest_first(weights)[0], largest_first(answers)[0]
    looks = f"most attention goes to “{words[best]}” ({two_decimals(weights[best])})"
    return f"In sentence {number}, {looks}, and the answer is “{MEANINGS[meaning]}” ({_sure(answers[meaning])})."


def _sure(share):
    return f"{100 * share:.0f}% sure"


def _table(answers):
    """Return a row for each sentence: its words, the weight of each word, and the answer."""
    body = "".join(
        f'<tr align="center" style="background:none">{word_cells(words, weights)}{_meaning(found)}</tr>'
        for words, weights, found in answers
    )
    return f'<table cellpadding="6" style="font-size:15px">{body}</table>'


def _meaning(found):
    first = largest_first(found)[0]
    answer = f'<b style="font-size:19px">{meaning_of(first)}</b>, {_sure(found[first])}'
    return f'<td style="white-space:nowrap;color:{INK}">means {answer}</td>'
