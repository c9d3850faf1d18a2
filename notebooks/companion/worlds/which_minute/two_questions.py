"""Two questions about one "minute": which one is meant, and what came before it? How many heads does that take?

"after the pause she noticed one minute crack": tiny, and before it a time. "after the crack she noticed one minute
pause": the other way round, with the same words. Shown in notebook 09, trained by `train_two_questions.py`.
"""

import json
from itertools import permutations, product
from pathlib import Path

import torch
from torch import nn

from companion.worlds.stored import read
from companion.worlds.which_minute.sentences import MEANING_OF, MEANINGS, VOCABULARY, encode
from utils.attention import MultiHeadAttention

QUESTIONS = ("Which minute", "What came before")
STORED = Path(__file__).with_name("two_questions.json")


def sentences():
    """Return all sentences, as lists of words, and for each the numbers of two meanings: its clue's, the first word's.

    "after the pause she noticed one minute crack" has (1, 0): the crack is tiny, the pause a time.
    """
    between = list(product(("there was", "she noticed"), ("one", "another"), ("", "today")))
    pairs = [
        (f"after the {first} {opening} {number} minute {clue} {ending}".split(), (MEANING_OF[clue], MEANING_OF[first]))
        for first, clue in permutations(MEANING_OF, 2)
        for opening, number, ending in between
    ]
    return [words for words, _ in pairs], torch.tensor([answers for _, answers in pairs])


def encoded():
    """Return all sentences as `TwoQuestions` reads them, (ids, mask, positions), and their answers."""
    texts, answers = sentences()
    return encode(texts), answers


def marked(texts):
    """Return sentences, lists of words, as the model that notebook 09 writes reads them: ids, marks and mask.

    marks: 0 for a word before "minute", 1 for "minute", 2 for a word after it, (sentences, tokens).
    """
    ids, mask, positions = encode(texts)
    return ids, _sides(ids, positions), mask


def _sides(ids, positions):
    return torch.sign(torch.arange(ids.shape[1]) - positions[:, None]) + 1


class TwoQuestions(nn.Module):
    """Embeddings, attention, and two answers of three meanings each, read off the output of "minute".

    attend: a module that turns inputs (sentences, tokens, d_model) and a mask (sentences, 1, 1, tokens) into an output
    like the inputs and weights (sentences, heads, tokens, tokens), such as the reader's `ManyHeads(4, 2)`.
    Attention does not see the order of words (notebook 11). So a second embedding marks each word: before "minute",
    "minute" itself, or behind it.
    """

    def __init__(self, attend, d_model=4):
        super().__init__()
        self.embedding, self.side = nn.Embedding(len(VOCABULARY), d_model), nn.Embedding(3, d_model)
        self.attend, self.answer = attend, nn.Linear(d_model, len(MEANINGS) * 2)

    def forward(self, ids, mask, positions):
        """Return the logits (sentences, 3, 2), one column a question, and the weights (sentences, heads, tokens).

        The weights are those of "minute"; ids, mask, positions: as `encode` makes them.
        """
        sides = self.side(_sides(ids, positions))
        output, weights = self.attend(self.embedding(ids) + sides, mask[:, None])
        rows = torch.arange(len(ids))
        return self.answer(output[rows, positions]).unflatten(-1, (-1, 2)), weights[rows, :, positions]


class ManyHeads(MultiHeadAttention):
    """The course's own multi-head attention, called as the reader's is in notebook 09."""

    def forward(self, inputs, mask=None):
        """Return output (..., tokens, d_model) and weights (..., heads, tokens, tokens)."""
        return super().forward(inputs, mask=mask, need_weights=True)


def percents_each_and_both(model, inputs, answers):
    """Return the percentages of right answers: to the first question, to the second, and to both at once, (3,)."""
    with torch.no_grad():
        is_right = model(*inputs)[0].argmax(dim=1) == answers  # (sentences, 2)
    return 100 * torch.column_stack([is_right, is_right.all(dim=-1)]).double().mean(dim=0)


def load_models():
    """Return a trained model of one head and one of two, by name. Raises ValueError as `read` does."""
    models = nn.ModuleDict({"one head": TwoQuestions(ManyHeads(4, 1)), "two heads": TwoQuestions(ManyHeads(4, 2))})
    return read(lambda record: models, STORED)[0]


def load_measured():
    """Return {way: `percents_each_and_both` of each of 20 seeds, (20, 3)}, of `train_two_questions.ATTENTIONS`."""
    record = json.loads(STORED.read_text(encoding="utf-8"))
    return {way: torch.tensor(percents) for way, percents in record["measured"].items()}
