"""Rows of letters that start over, and a model of attention alone that learns to go on with them. See notebook 13."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.course_answers import one_loop
from utils.attention import MultiHeadAttention

LETTERS, LENGTH, STEPS, LEARNING_RATE = "abcdefghijkl", 12, 141, 0.003
PERIODS = (6, 7, 8, 9)  # after so many letters a row of the training starts over
WATCHED = ("afgeihafgeih", "afgeihbcdafg")  # one row starts over after 6 letters, the other after 9


def spelled(ids):
    """Return a row of ids as text, with "-" where nothing is asked."""
    return "".join(LETTERS[letter] if letter >= 0 else "-" for letter in ids.tolist())


def ids_of(*rows):
    """Return rows of text as ids, (rows, letters)."""
    return torch.tensor([[LETTERS.index(letter) for letter in row] for row in rows])


def draw_rows(num_rows, periods=PERIODS):
    """Draw rows of 12 letters that start over after some letters, all different: a period, drawn for each row.

    Returns the inputs of a model, (ids,), and the letters that come next, both (rows, 12); those of the first round
    are -100, which asks for nothing.
    """
    period = torch.tensor(periods)[torch.randint(len(periods), (num_rows, 1))]
    letters = torch.rand(num_rows, len(LETTERS)).argsort(dim=1)
    row = letters.gather(1, torch.arange(LENGTH + 1) % period)
    return (row[:, :LENGTH],), row[:, 1:].masked_fill(torch.arange(LENGTH) < period, -100)


class LetterModel(nn.Module):
    """Causal heads on one residual stream, without feed-forward part and norm, with 16 digits.

    told: whether each vector also holds, from the start, which letter came before.
    """

    def __init__(self, num_layers, told=False, num_heads=1):
        super().__init__()
        self.letter, self.position = nn.Embedding(len(LETTERS), 64), nn.Embedding(LENGTH, 64)
        self.before = nn.Embedding(len(LETTERS), 64) if told else None
        for table in filter(None, (self.letter, self.position, self.before)):
            nn.init.normal_(table.weight, std=0.5)  # half the usual, so that what the layers add counts for more
        self.layers = nn.ModuleList(MultiHeadAttention(64, num_heads) for _ in range(num_layers))
        self.next = nn.Linear(64, len(LETTERS))
        self.double()

    def forward(self, ids):
        """Return the logits of the next letters (rows, 12, letters) and all weights (rows, layers · heads, 12, 12)."""
        stream, maps = self.letter(ids) + self.position.weight, []
        if self.before:
            stream = stream + nn.functional.pad(self.before(ids[:, :-1]), (0, 0, 1, 0))
        for layer in self.layers:
            change, weights = layer(stream, causal=True, need_weights=True)
            stream = stream + change
            maps.append(weights)
        return self.next(stream), torch.cat(maps, dim=1)


def share_right(logits, answers):
    """Return the share of the answers, those that are not -100, that have the largest logit."""
    return (logits.argmax(dim=-1) == answers)[answers >= 0].double().mean().item()


@torch.no_grad()
def by_period(model):
    """Return which shares of a model's answers are right where rows start over after 5, 6 and so on to 11 letters.

    A row of 5, 10 or 11 never starts over after 6 to 9 letters, as one of 3 does after 6.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(99)
        tests = [draw_rows(500, [period]) for period in range(5, 12)]
    return torch.tensor([share_right(model(*inputs)[0], targets) for inputs, targets in tests])


def train(model, loop=one_loop, steps=STEPS, num_rows=64, learning_rate=LEARNING_RATE):
    """Train with a loop on new rows, so many a step.

    Returns the losses, and before each step the weights for the watched rows, (steps, 2, layers · heads, 12, 12).
    """
    optimizer, maps = torch.optim.Adam(model.parameters(), lr=learning_rate, fused=True), []
    watched = ids_of(*WATCHED)

    def loss_of(batch):
        (ids,), targets = batch
        logits, weights = model(torch.cat([watched, ids]))
        maps.append(weights[: len(watched)].detach())
        return F.cross_entropy(logits[len(watched) :].flatten(0, -2), targets.flatten())

    return loop(loss_of, optimizer, (draw_rows(num_rows) for _ in range(steps))), torch.stack(maps)


def trained_letter_model(seed=0, num_layers=2, told=False):
    """Train a new model, in a second or two, and return it, with the random numbers of this seed."""
    torch.manual_seed(seed)
    model = LetterModel(num_layers, told)
    train(model)
    return model
