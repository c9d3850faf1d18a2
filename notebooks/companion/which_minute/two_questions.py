"""Two questions about one "minute": which one is meant, and what came before it? How many heads does that take?

"after the pause she noticed one minute crack": tiny, and before it a time. "after the crack she noticed one minute
pause": the other way round, with the same words. Trained in notebook 08.
"""

import json
from collections import defaultdict
from copy import deepcopy
from itertools import product
from pathlib import Path

import torch
from torch import nn

from companion.which_minute.head import STEPS, train
from companion.which_minute.sentences import CLUES, MEANINGS, VOCABULARY, encode
from utils.attention import MultiHeadAttention, SelfAttention

STORED = Path(__file__).with_name("two_questions.json")
SEEDS = 20
KEPT = {"one head of 4 numbers": (0, 1), "two heads of 2 numbers": (1,)}  # the seeds whose weights are stored


def sentences():
    """Return all sentences, as lists of words, and for each the numbers of two meanings: its clue's, the first word's.

    "after the pause she noticed one minute crack" has (1, 0): the crack is tiny, the pause a time.
    """
    kinds = {word: meaning for meaning, clues in enumerate(CLUES) for word in clues}
    between = list(product(("there was", "she noticed"), ("one", "another"), ("", "today")))
    found = [
        (f"after the {first} {opening} {number} minute {clue} {ending}".split(), (kinds[clue], kinds[first]))
        for first, clue in product(kinds, kinds)
        if first != clue
        for opening, number, ending in between
    ]
    return [words for words, _ in found], torch.tensor([answers for _, answers in found])


class TwoQuestions(nn.Module):
    """Embeddings, attention, and two answers of three meanings each, read off the output of "minute".

    attend: a module that turns inputs (sentences, tokens, d_model) and a mask (sentences, 1, 1, tokens) into an output
    like the inputs and weights (sentences, heads, tokens, tokens), such as the reader's `ManyHeads(4, 2)`.
    Attention does not see the order of words (notebook 10). So a second embedding marks each word: before "minute",
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
        sides = torch.sign(torch.arange(ids.shape[1]) - positions[:, None]) + 1  # (sentences, tokens)
        output, weights = self.attend(self.embedding(ids) + self.side(sides), mask[:, None])
        rows = torch.arange(len(ids))
        return self.answer(output[rows, positions]).unflatten(-1, (-1, 2)), weights[rows, :, positions]


class ManyHeads(MultiHeadAttention):
    """The course's own multi-head attention, called as the reader's is in notebook 08."""

    def forward(self, inputs, mask=None):
        """Return output (..., tokens, d_model) and weights (..., heads, tokens, tokens)."""
        return super().forward(inputs, mask=mask, need_weights=True)


class NarrowHead(nn.Module):
    """One head of 2 numbers, which W_output leads back to d_model."""

    def __init__(self, d_model):
        super().__init__()
        self.head, self.W_output = SelfAttention(d_model, 2), nn.Linear(2, d_model)

    def forward(self, inputs, mask):
        context, weights = self.head(inputs, mask[:, 0])
        return self.W_output(context), weights[:, None]


class PlainAverage(nn.Module):
    """No attention: every word of the sentence has the same weight."""

    def __init__(self, d_model):
        super().__init__()
        self.W_value, self.W_output = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, inputs, mask):
        weights = (mask / mask.sum(dim=-1, keepdim=True)).expand(-1, -1, inputs.shape[1], -1)
        return self.W_output(weights[:, 0] @ self.W_value(inputs)), weights


WAYS = {  # {name: a function of d_model that makes the attention, d_model, steps of training}
    "a plain average": (PlainAverage, 4, STEPS),
    "one head of 2 numbers": (NarrowHead, 4, STEPS),
    "one head of 4 numbers": (lambda d_model: ManyHeads(d_model, 1), 4, STEPS),
    "two heads of 2 numbers": (lambda d_model: ManyHeads(d_model, 2), 4, STEPS),
    "one head of 4, twice as long": (lambda d_model: ManyHeads(d_model, 1), 4, 2 * STEPS),
    "two heads of 2, twice as long": (lambda d_model: ManyHeads(d_model, 2), 4, 2 * STEPS),
    "one head of 8 numbers": (lambda d_model: ManyHeads(d_model, 1), 8, STEPS),
    "two heads of 4 numbers": (lambda d_model: ManyHeads(d_model, 2), 8, STEPS),
}


def right(model, inputs, answers):
    """Return the percentages of right answers: to the first question, to the second, and to both at once, (3,)."""
    with torch.no_grad():
        found = model(*inputs)[0].argmax(dim=1) == answers  # (sentences, 2)
    return 100 * torch.column_stack([found, found.all(dim=-1)]).double().mean(dim=0)


def without(model, head):
    """Return a copy of a model of two heads in which one head adds nothing to the output.

    A head's context meets its own columns of `W_output.weight`, which are set to 0.
    """
    model = deepcopy(model)
    weight = model.attend.W_output.weight.data
    weight.unflatten(1, (2, -1))[:, head] = 0
    return model


def trained(way="two heads of 2 numbers", seed=1):
    """Return a trained model from the file that comes with the course; it has those of notebook 08."""
    weights = json.loads(STORED.read_text(encoding="utf-8"))["weights"][f"{way}, seed {seed}"]
    make, d_model, _ = WAYS[way]
    model = TwoQuestions(make(d_model), d_model)
    model.load_state_dict({name: torch.tensor(numbers) for name, numbers in weights.items()})
    return model.eval()


def measured():
    """Return {way: the percentages that `right` gives for each of 20 seeds, (20, 3)}, as this file once measured them.

    "without head 0" and "without head 1" are those of two heads of 2 numbers.
    """
    record = json.loads(STORED.read_text(encoding="utf-8"))["measured"]
    return {way: torch.tensor(percents) for way, percents in record.items()}


def _rounded(numbers):
    return [_rounded(each) for each in numbers] if isinstance(numbers, list) else round(numbers, 4)


if __name__ == "__main__":  # python -m companion.which_minute.two_questions: trains and stores, in a quarter of an hour
    torch.set_num_threads(1)
    texts, answers = sentences()
    inputs, record, weights = encode(texts), defaultdict(list), {}
    for way, (make, d_model, steps) in WAYS.items():
        for seed in range(SEEDS):
            torch.manual_seed(seed)
            model = TwoQuestions(make(d_model), d_model)
            for _ in train(model, inputs, answers, seed, steps):
                pass
            record[way].append(right(model, inputs, answers).round().tolist())
            if way == "two heads of 2 numbers":
                for head in (0, 1):
                    record[f"without head {head}"].append(right(without(model, head), inputs, answers).round().tolist())
            if seed in KEPT.get(way, ()):
                state = model.state_dict()
                weights[f"{way}, seed {seed}"] = {name: _rounded(part.tolist()) for name, part in state.items()}
        print(f"{way}: {[int(both) for *_, both in record[way]]}", flush=True)
    STORED.write_text(json.dumps({"measured": record, "weights": weights}) + "\n", encoding="utf-8")
