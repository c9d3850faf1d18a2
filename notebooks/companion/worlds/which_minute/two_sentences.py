"""The question that runs through the course, live: two sentences, each with a word that tells what "minute" means."""

from functools import partial

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.live.still import Drawn, bend, beside, draw_text, sheet
from companion.pictures.palette import EDGE, INK, MUTED, ROLES
from companion.pictures.picture import Picture
from companion.pictures.table import FILL_SHEET
from companion.pictures.words import largest_first, shown
from companion.worlds.which_minute.head import trained, untrained
from companion.worlds.which_minute.picture_parts import HOME, meaning_of, meanings_plane, word_cells
from companion.worlds.which_minute.sentences import CLUES, MEANINGS, VOCABULARY, encode
from utils.attention import scores

FORMS = ("she noticed one minute {} today", "the {} she noticed was minute")
# The meanings of the clues that fit each form: whatever a pause is, it is tiny where it "was minute".
MENUS = ([0, 1, 2], [MEANINGS.index("tiny")])
PAIR = ("pause", "crack")  # at first
TELLS = {
    "trained": "It looks for the word that tells the meaning.",
    "untrained": "It looks a little at every word, and answers “a time” to every sentence.",
}
LEAD = (
    "A small network of {} numbers reads two sentences. Blue, and the numbers, show what share of its attention "
    "“minute” pays to each word."
)


def two_sentences():
    """Show where "minute" looks in two sentences, ahead and back, and which meaning it comes to.

    The word that tells is chosen from a menu; the head is the trained one of the course, or an untrained one.
    """
    heads = {"trained": trained(), "untrained": untrained()}
    learned = heads["trained"]
    answers = [_answer(learned, form.format(clue).split()) for form, clue in zip(FORMS, PAIR)]
    numbers = {name: _numbers(head) for name, head in heads.items()}
    data = {"words": " ".join(VOCABULARY.tokens), "clues": [" ".join(clues) for clues in CLUES], "names": MEANINGS}
    data |= {"forms": FORMS, "menus": MENUS, "pair": PAIR, "tells": TELLS}
    data |= {"heads": numbers, "reach": max(plane_reach(each["values"]) for each in numbers.values())}
    says = " ".join(_says(*answer, number) for number, answer in enumerate(answers, start=1))
    lead = LEAD.format(sum(each.numel() for each in learned.parameters()))
    lead = f'<p class="attn-lead" style="margin:0 0 0.8em;font-size:15px;{FILL_SHEET}">{lead}</p>'
    twin = Drawn(_draw, data, _table(answers), lead)
    return Live(HOME / "two-sentences", data, twin, lambda quote: says, "Which minute?", shared=[HOME / "meanings"])


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
    looks = f"most attention goes to “{words[best]}” ({shown(weights[best])})"
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


def _draw(data):
    """Draw both sentences with ribbons from "minute" to what it reads, and the two contexts in the areas of answers."""
    words, head = data["words"].split(), {name: torch.tensor(each) for name, each in data["heads"]["trained"].items()}
    figure, axes = sheet(720, 320)
    flat, mark = meanings_plane(axes, 434, 4, 282, data["reach"])
    context_of = partial(_context, words, head)
    side = torch.linspace(*flat.get_xlim(), 61)
    *slopes, bias = head["answers"].T
    points = side[None, :, None] * slopes[0] + side[:, None, None] * slopes[1] + bias  # (y, x, meaning)
    for meaning in range(len(data["names"])):
        others = torch.cat([points[..., :meaning], points[..., meaning + 1 :]], dim=-1).amax(dim=-1)
        flat.contour(side, side, points[..., meaning] - others, levels=[0], colors=EDGE, linewidths=1.4, zorder=0)
    for meaning, clues in enumerate(data["clues"]):
        contexts = [context_of(data["forms"][0].replace("{}", clue).split())[1] for clue in clues.split()]
        for context in contexts:
            mark(context, meaning, 0.3)
    told = []
    for number, (form, clue) in enumerate(zip(data["forms"], data["pair"])):
        sentence = form.replace("{}", clue).split()
        weights, context, answers = context_of(sentence)
        _draw_reading(axes, 10 + 160 * number, sentence, weights, answers)
        flat.plot(*context, "o", color="none", markeredgecolor=INK, markersize=14)
        beside(flat, context, clue, ROLES["context"].ink, 18, (0, context[1]))
        most, means = sentence[largest_first(weights)[0]], data["names"][largest_first(answers)[0]]
        told.append(f"In “{' '.join(sentence)}” a wide arrow leads from “minute” to “{most}”, and it means {means}.")
    areas = f"In a plane, each of the two lies in the area of its answer: {', '.join(data['names'])}."
    return Picture(figure, " ".join([*told, areas]))


def _context(words, head, sentence):
    """Return of "minute" in a sentence its weights, its context and the chance of each answer, as its script does."""
    ids = [words.index(word) for word in sentence]
    weights = torch.softmax(head["scores"][ids], dim=-1)
    context = weights @ head["values"][ids]
    answers = head["answers"][:, :2] @ context + head["answers"][:, 2]
    return weights.tolist(), context.tolist(), torch.softmax(answers, dim=-1).tolist()


def _draw_reading(axes, top, sentence, weights, answers):
    """Draw a sentence, the arrows from its "minute", as wide as their weights, and the answer below it."""
    left, places, foot, best = 6, [], top + 66, largest_first(weights)[0]
    for word, weight in zip(sentence, weights):
        look = {"fontweight": "bold"} if word == "minute" or weight == weights[best] else {}
        ink = ROLES["query"].ink if word == "minute" else INK
        end = draw_text(axes, left, foot + 14, word, ink, size=18, side="left", **look).get_window_extent().x1
        places.append((left + end) / 2)
        if weight >= 0.005:
            draw_text(axes, places[-1], foot + 34, shown(weight), ROLES["weight"].ink, size=12, **look)
        left = end + 11
    blue, start = ROLES["weight"].fill, places[sentence.index("minute")]
    for goal, weight in zip(places, weights):
        if weight >= 0.02 and goal != start:
            high = foot - min(84, 34 + abs(goal - start) / 2)
            bend(axes, (start, foot), (start, high), (goal, high), (goal, foot - 12), blue, 24 * weight)
            axes.fill([goal - 17, goal + 17, goal], [foot - 14, foot - 14, foot], color=blue)
    first = largest_first(answers)[0]
    end = draw_text(axes, 6, foot + 60, "means ", MUTED, side="left").get_window_extent().x1
    look = {"size": 19, "side": "left", "fontweight": "bold"}
    end = draw_text(axes, end + 6, foot + 60, meaning_of(first), **look).get_window_extent().x1
    draw_text(axes, end + 12, foot + 60, _sure(answers[first]), MUTED, side="left")
