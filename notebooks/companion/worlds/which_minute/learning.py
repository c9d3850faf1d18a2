"""A training of the head, live: its loss, its weights and its contexts, step by step."""

from functools import partial

import torch
from IPython.display import display
from matplotlib.colors import to_hex
from torch.nn import functional as F

from companion.pictures.heatmap import heatmap
from companion.pictures.live.base import WEIGHT_LOOK, Live, doubles, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.palette import INK, fills
from companion.pictures.picture import WIDE
from companion.pictures.table import plain_table
from companion.pictures.words import labelled, largest_first, two_decimals
from companion.worlds.which_minute.answers import ask_head
from companion.worlds.which_minute.head import train_in_steps, untrained
from companion.worlds.which_minute.picture_parts import HOME, meaning_of, word_cells
from companion.worlds.which_minute.sentences import CLUES, MEANINGS, encode, sentences


def weights_in_training(sentence, steps):
    """Return what `linked_heads` takes of the head of notebook 00 before each step: weights of "minute", and losses."""
    head, (texts, meanings), words = untrained(), sentences(), sentence.split()
    training = train_in_steps(head, encode(texts), meanings, steps=steps)
    weights, losses = zip(*((head(*encode([words]))[1].detach(), loss) for _, loss in training))
    labels = {"queries": ["minute"], "keys": words, "steps": range(steps)}
    return {"weights": torch.stack(weights)[:, None], "losses": losses, **labels}


def show_reading(heads, texts, caption):
    """Draw the weights of "minute", a row for each head and text, which says the head's answer.

    heads: {name: head}; texts: sentences with as many words as each other.
    """
    rows, columns = {}, zip(*map(str.split, texts))
    for name, head in heads.items():
        for text, answer, row in zip(texts, *ask_head(texts, head)):
            rows[f"{name}, “{text.split()[0]} …”: {MEANINGS[answer]}"] = row
    words = [" / ".join(dict.fromkeys(column)) for column in columns]
    marks = {"corner": "its answer ↓ word →", "lines": [len(texts)], "caption": caption}
    picture = heatmap(torch.stack([*rows.values()]), [*rows], words, **marks)
    axes = picture.figure.axes[0]
    axes.set_yticks(axes.get_yticks(), [row.replace(", ", ",\n").replace(": ", ":\n") for row in rows])
    picture.figure.set_size_inches(WIDE, 3.4)  # in short lines, it fits on a phone
    display(picture)


class Film:
    """A head filmed while it is trained, in six sentences: `film = Film(head)`, the training, then `film.show()`.

    A training calls the head once a step. What is called under `torch.no_grad` is not counted.
    """

    def __init__(self, head):
        self.head, self.count, self.pictures = head, 0, []
        clues = [clues[number] for number in range(2) for clues in CLUES]
        self.sentences = [["she", "noticed", "one", "minute", clue, "today"] for clue in clues]
        self.meanings = [0, 1, 2] * 2
        self.watching = head.register_forward_pre_hook(lambda head, inputs: self._step())

    def _step(self):
        """Count a step that begins. The film keeps every fifth of the first 100, and what the last one leaves."""
        if torch.is_grad_enabled():
            if self.count in range(0, 100, 5):
                self._keep()
            self.count += 1

    @torch.no_grad()
    def _keep(self):
        logits, weights, contexts = self.head(*encode(self.sentences))
        loss = F.cross_entropy(logits, torch.tensor(self.meanings)).item()
        self.pictures.append((self.count, loss, weights, contexts))

    def show(self):
        """End the film, and show the loss in the six sentences, the weights of "minute" and its contexts, by steps."""
        self.watching.remove()
        if self.count not in [step for step, *_ in self.pictures]:  # shown twice, it stays the same film
            self._keep()
        steps, losses, weights, contexts = zip(*self.pictures)
        return learning(steps, losses, torch.stack(weights), torch.stack(contexts), self.sentences, self.meanings)


def learning(steps, losses, weights, contexts, sentences, meanings):
    """Show a training step by step: its loss, the weights of "minute", and its contexts in the plane.

    steps: the number of each step that was kept; losses: one for each; weights: (steps, sentences, tokens), those of
    "minute"; contexts: (steps, sentences, 2); sentences: lists of words, as long as each other; meanings: the number
    in `MEANINGS` of each sentence. It opens at the first step, and follows the first sentence.
    Raises ValueError for numbers that no plane shows, or weights that do not fit.
    """
    weights, contexts = doubles(weights, contexts)
    sentences = [labelled("weights", row, steps, words)[2] for row, words in zip(weights.transpose(0, 1), sentences)]
    data = {
        "steps": [int(step) for step in steps],
        "losses": six_digits([float(loss) for loss in losses]),
        # In percents, as they are shown: of thousands, six digits each would be long.
        "weights": [
            [[round(100 * float(two_decimals(weight))) for weight in row] for row in time] for time in weights.tolist()
        ],
        "contexts": [[[round(number, 2) for number in point] for point in time] for time in contexts.tolist()],
        "sentences": sentences,
        "meanings": [int(meaning) for meaning in meanings],
        "names": MEANINGS,
        "follow": 0,
        "reach": plane_reach(contexts.flatten(0, 1)),
        "shades": "".join(to_hex(face)[1:] for face in fills([[step / 20 for step in range(21)]])[0]),
        "lightInk": round(WEIGHT_LOOK["blackInk"][1], 2),
    }
    at = f"step {data['steps'][0]}, loss {data['losses'][0]:.3f}"
    first = weights[0].tolist()
    says, table = partial(_says, at, sentences[0], first[0]), _table(at, sentences, first, data["meanings"])
    shared = "words", HOME / "meanings"
    return Live(HOME / "learning", data, table, says, "How the head learns", shared)


def _says(at, words, weights, quote):
    best = largest_first(weights)[0]
    looks = f"“minute” looks most at “{quote(words[best])}” ({two_decimals(weights[best])})"
    return f"{at.capitalize()}: in “{quote(' '.join(words))}”, {looks}."


def _table(at, sentences, weights, meanings):
    """Return a row for each sentence: its meaning, its words, and the weight of each word."""
    style = f"text-align:left;font-weight:600;white-space:nowrap;color:{INK}"
    rows = [
        f'<tr align="center" style="background:none"><th style="{style}">{meaning_of(meaning)}</th>{cells}</tr>'
        for cells, meaning in zip(map(word_cells, sentences, weights), meanings)
    ]
    return plain_table(*rows, caption=f"Weights of “minute” at {at}", role="weight")
