"""A training of the head, live: step by step its loss, where "minute" looks, and how the contexts part by meaning."""

import torch

from companion.pictures.live.base import Live, stored
from companion.pictures.live.plane import reach
from companion.pictures.palette import ROLES
from companion.pictures.table import label
from companion.pictures.words import labelled, largest_first, shown
from companion.which_minute.rows import HOME, meaning_of, word_cells
from companion.which_minute.sentences import MEANINGS

MOST_WEIGHTS = 4096  # more would make a slow page


def learning(steps, losses, weights, contexts, sentences, meanings, follow=0, *, title="How the head learns"):
    """Show a training step by step: its loss, the weights of "minute", and its contexts in the plane.

    steps: the number of each step that was kept; losses: one for each; weights: (steps, sentences, tokens), those of
    "minute"; contexts: (steps, sentences, 2); sentences: lists of words, as long as each other; meanings: the number
    in `MEANINGS` of each sentence; follow: index of the sentence followed at first.
    Raises ValueError for shapes that do not fit, numbers that no plane shows, or a sentence that is not there.
    """
    weights, contexts = (torch.as_tensor(each, dtype=torch.float64).detach() for each in (weights, contexts))
    _check(steps, losses, weights, contexts, sentences, meanings)
    if follow not in range(len(sentences)):
        raise ValueError(f"follow is {follow}, but the sentences have the numbers 0 to {len(sentences) - 1}")
    sentences = [labelled("weights", row, steps, words)[2] for row, words in zip(weights.transpose(0, 1), sentences)]
    data = {
        "steps": [int(step) for step in steps],
        "losses": stored([float(loss) for loss in losses]),
        "weights": [[[_percents(each) for each in row] for row in time] for time in weights.tolist()],
        "contexts": [[[round(each, 2) for each in point] for point in time] for time in contexts.tolist()],
        "sentences": sentences,
        "meanings": [int(meaning) for meaning in meanings],
        "names": MEANINGS,
        "follow": follow,
        "reach": reach(contexts.flatten(0, 1)),
    }
    at = f"step {data['steps'][-1]}, loss {data['losses'][-1]:.3f}"
    last = weights[-1].tolist()
    text, sentence = (_says(at, sentences[follow], last[follow], write) for write in (str, label))
    twin = _table(at, sentences, last, data["meanings"])
    return Live("learning", data, twin, text, sentence, title, shared=("words", HOME / "meanings"), folder=HOME)


def _check(steps, losses, weights, contexts, sentences, meanings):
    tokens = {len(words) for words in sentences}
    if len(tokens) != 1:
        raise ValueError(f"the sentences have {sorted(tokens)} words; give some that are as long as each other")
    shape = (len(steps), len(sentences))
    if len(losses) != len(steps) or len(meanings) != len(sentences):
        raise ValueError(f"{shape[0]} losses and {shape[1]} meanings are needed, one for each step and each sentence")
    if tuple(weights.shape) != (*shape, *tokens) or tuple(contexts.shape) != (*shape, 2):
        raise ValueError(
            f"{shape[0]} steps of {shape[1]} sentences need weights {(*shape, *tokens)} and contexts {(*shape, 2)}, "
            f"but these have shapes {tuple(weights.shape)} and {tuple(contexts.shape)}"
        )
    if weights.numel() > MOST_WEIGHTS:
        raise ValueError(f"{weights.numel()} weights are too many for one page; show at most {MOST_WEIGHTS}")


def _percents(weight):
    """Return a weight in percents as it is shown: of thousands, six digits each would be long."""
    return round(100 * float(shown(weight)))


def _says(at, words, weights, write):
    best = largest_first(weights)[0]
    looks = f"“minute” looks most at “{write(words[best])}” ({shown(weights[best])})"
    return f"{at.capitalize()}: in “{write(' '.join(words))}”, {looks}."


def _table(at, sentences, weights, meanings):
    """Return a row for each sentence: its meaning, its words, and the weight of each word."""
    body = "".join(
        f'<tr style="background:none"><th style="text-align:left;font-weight:600;white-space:nowrap">'
        f"{meaning_of(meaning)}</th>{word_cells(words, row)}</tr>"
        for words, row, meaning in zip(sentences, weights, meanings)
    )
    caption = f'<caption style="text-align:left;color:{ROLES["weight"].ink}">Weights of “minute” at {at}</caption>'
    return f'<table cellpadding="5" style="font-size:13px">{caption}{body}</table>'
