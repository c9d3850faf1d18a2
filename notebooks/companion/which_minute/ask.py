"""The question that runs through the course, live: two sentences that differ in one word, and what "minute" means."""

import torch

from companion.pictures.live.base import Live, stored
from companion.pictures.live.plane import reach
from companion.pictures.palette import MUTED
from companion.pictures.table import WORDS
from companion.pictures.words import largest_first, shown
from companion.which_minute.head import trained, untrained
from companion.which_minute.rows import HOME, meaning_of, word_cells
from companion.which_minute.sentences import BEFORE, CLUES, ENDINGS, MEANINGS, OPENINGS, VOCABULARY, encode
from utils.attention import scores

MENUS = {"opening": OPENINGS, "word before": BEFORE, "ending": ENDINGS}
CHOSEN = {"opening": "she noticed", "word before": "one", "ending": "today"}  # at first
PAIR = ("pause", "crack")
HEADING = "font-size:24px;line-height:1.2;font-weight:700"
LEAD = (
    "The word “minute” can be a time, or mean tiny. A small network of {} numbers reads two sentences that differ in "
    "one word. Blue shows how much attention “minute” pays to each word; then comes what the network takes it to mean."
)


def ask(*, title="Which minute?"):
    """Show where "minute" looks in two sentences that differ in one word, and which meaning it comes to.

    The sentences are made by menus; the head is the trained one of the course, or an untrained one.
    """
    heads = {"trained": trained(), "untrained": untrained()}
    learned = heads["trained"]
    opening, before, ending = CHOSEN.values()
    answers = [_answer(learned, f"{opening} {before} minute {clue} {ending}".split()) for clue in PAIR]
    numbers = {name: _numbers(head) for name, head in heads.items()}
    data = {
        "words": " ".join(VOCABULARY.tokens),
        "menus": MENUS,
        "chosen": CHOSEN,
        "clues": [" ".join(clues) for clues in CLUES],
        "pair": PAIR,
        "names": MEANINGS,
        "heads": numbers,
        "reach": max(reach(each["values"]) for each in numbers.values()),
    }
    says = " ".join(_says(*answer) for answer in answers)
    lead = LEAD.format(sum(each.numel() for each in learned.parameters()))
    twin = f'<p class="attn-lead" style="margin:0 0 0.8em;font-size:15px;{WORDS}">{lead}</p>{_table(answers)}'
    return Live("ask", data, twin, says, says, title, shared=[HOME / "meanings"], folder=HOME, heading=HEADING)


@torch.no_grad()
def _numbers(head):
    """Return what a script needs to read any sentence: for each word the score that "minute" gives it and its value.

    And the answers: two weights and a bias for each meaning.
    """
    inputs = head.embedding.weight
    query = head.attend.W_query(inputs[VOCABULARY.encode(["minute"])])
    return {
        "scores": stored(scores(query, head.attend.W_key(inputs))[0].tolist()),
        "values": stored(head.attend.W_value(inputs).tolist()),
        "answers": stored(torch.cat([head.answer.weight, head.answer.bias[:, None]], dim=1).tolist()),
    }


@torch.no_grad()
def _answer(head, words):
    """Return a sentence, the weight of each word, and the probability of each meaning."""
    logits, weights, _ = head(*encode([words]))
    return words, weights[0].tolist(), torch.softmax(logits[0], dim=-1).tolist()


def _says(words, weights, answers):
    best, meaning = largest_first(weights)[0], largest_first(answers)[0]
    clue = words[words.index("minute") + 1]
    looks = f"most attention goes to “{words[best]}” ({shown(weights[best])})"
    return f"“minute {clue}”: {looks}, and the answer is “{MEANINGS[meaning]}” ({shown(answers[meaning])})."


def _table(answers):
    """Return a row for each sentence: its words, the weight of each word, and the probability of each meaning."""
    body = "".join(
        f'<tr style="background:none">{word_cells(words, weights)}{_meanings(found)}</tr>'
        for words, weights, found in answers
    )
    return f'<table cellpadding="6" style="font-size:15px">{body}</table>'


def _meanings(found):
    first, *others = largest_first(found)
    rest = ", ".join(f"{MEANINGS[meaning]} {shown(found[meaning])}" for meaning in others)
    return (
        f'<td style="text-align:left;white-space:nowrap;padding-left:1.5em">means <b style="font-size:19px">'
        f'{meaning_of(first)} {shown(found[first])}</b><div style="color:{MUTED}">{rest}</div></td>'
    )
