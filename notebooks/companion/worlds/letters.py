"""Two tasks that need the order of tokens, a reader with any kind of positions, and its training. See notebook 11."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

from companion.course_answers import one_loop
from companion.pictures.charts import curves
from utils.attention import causal_mask, masked_softmax, merge_heads, scores, split_heads
from utils.positions import rotate

D_MODEL, NUM_HEADS, NUM_LETTERS = 32, 4, 8
CHUNK = 50  # texts that are read at once, to save memory


def last_letter(num_texts, num_tokens):
    """Return texts of the letters 1 to 3 with many blanks, 0, between them, and at each position the last letter."""
    letters = torch.randint(1, 4, (num_texts, num_tokens))
    blank = torch.rand(num_texts, num_tokens) < 0.7
    blank[:, 0] = False
    last = (torch.arange(num_tokens) * ~blank).cummax(dim=1).values
    return letters.masked_fill(blank, 0), letters.gather(1, last)


def one_back(num_texts, num_tokens):
    """Return texts of eight letters, and at each position the letter one position before it."""
    ids = torch.randint(8, (num_texts, num_tokens))
    return ids, torch.cat([ids[:, :1], ids[:, :-1]], dim=1)


class Reader(nn.Module):
    """One layer of attention under the causal mask: from ids (texts, tokens) to logits (texts, tokens, letters).

    added: what is added to the letters, added(num_tokens, d_model); turned: what queries and keys go through,
    turned(features); bias: what is added to the scores, bias(num_heads, num_tokens). Each may be a module that learns.
    """

    def __init__(self, *, added=None, turned=None, bias=None):
        super().__init__()
        self.added, self.turned, self.bias = added, turned, bias
        self.letters = nn.Embedding(NUM_LETTERS, D_MODEL)
        layers = [nn.Linear(D_MODEL, D_MODEL) for _ in range(4)]
        self.W_query, self.W_key, self.W_value, self.W_output = layers
        self.answer = nn.Linear(D_MODEL, NUM_LETTERS)

    def forward(self, ids):
        inputs, num_tokens = self.letters(ids), ids.shape[1]
        if self.added:
            inputs = inputs + self.added(num_tokens, D_MODEL)
        layers = self.W_query, self.W_key, self.W_value
        query, key, value = (split_heads(layer(inputs), NUM_HEADS) for layer in layers)
        if self.turned:
            query, key = self.turned(query), self.turned(key)
        measured = scores(query, key)  # (texts, heads, query, key)
        if self.bias:
            measured = measured + self.bias(NUM_HEADS, num_tokens)
        weights = masked_softmax(measured, causal_mask(num_tokens))
        return self.answer(self.W_output(merge_heads(weights @ value)))


class LearnedPositions(nn.Module):
    """A learned vector for each of 64 positions."""

    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(64, D_MODEL)

    def forward(self, num_tokens, d_model):
        """Return the first rows, (num_tokens, d_model)."""
        return self.rows(torch.arange(num_tokens))


def train(reader, task, steps=120, num_tokens=16):
    """Train a reader in place on texts of this length, 32 in each step, and return it."""
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.015, fused=True)
    batches = (task(32, num_tokens) for _ in range(steps))
    one_loop(lambda batch: F.cross_entropy(reader(batch[0]).flatten(0, 1), batch[1].flatten()), optimizer, batches)
    return reader


def train_models(make, task, seeds=3, steps=120):
    """Make readers, by make(), each from the random numbers of another seed, and train them."""
    readers = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        readers.append(train(make(), task, steps))
    return readers


@torch.no_grad()
def which_are_right(reader, task, num_tokens=64):
    """Return which answers are right in 200 new texts, (200, num_tokens)."""
    torch.manual_seed(0)
    ids, answers = task(200, num_tokens)
    return torch.cat([reader(few).argmax(dim=-1) for few in ids.split(CHUNK)]) == answers


def report(name, readers, task):
    """Print how many answers of each of these readers are right, near and far."""
    right = torch.stack([which_are_right(reader, task) for reader in readers]).double()
    near, far = (100 * part.mean(dim=(1, 2)) for part in (right[..., 8:16], right[..., 48:]))
    near, far = ("".join(f"{percent:5.0f}%" for percent in part.tolist()) for part in (near, far))
    print(f"{name:14} positions 8 to 15:{near}   48 to 63:{far}")


def chart(readers, task, caption=None):
    """Draw how many answers are right at each four of 64 positions, for five kinds of readers; chance: right in 53%."""
    percents = {}
    for kind, of_kind in readers.items():
        right = torch.stack([which_are_right(reader, task) for reader in of_kind]).double()  # (readers, texts, 64)
        percents[kind] = (100 * right.unflatten(-1, (-1, 4)).mean(dim=(0, 1, 3))).tolist()
    roles, names = ("input", "input", "input", "context", "score"), ("position", "right answers, in %")
    marks = {"rule": {"chance": 53}, "shade": {"as in training": (0, 15.5)}, "pale": [*readers][:3]}
    places = (5.5, 59), (20, 40), (35, 40), (44, 83)
    marks["beside"] = dict(zip(readers, places))  # all but the last, ALiBi
    return curves([first + 1.5 for first in range(0, 64, 4)], percents, roles, *names, **marks, of=100, caption=caption)


def after_jump(readers, task, jump, pair=None):
    """Return how many answers at letters 8 to 15 are right, in %, if the positions jump before letter 8.

    The letters of a text of 16 then have the positions 0 to 7, and 8 to 15 plus the jump; the readers are rotary.
    pair: the only one of a head's four pairs of features that jumps; if it is not given, all do.
    """
    letters, right = torch.arange(16), []
    positions = letters + jump * (letters >= 8)
    jumps = torch.tensor([pair in (None, feature % 4) for feature in range(8)])  # pair i: features i and i + 4
    for reader in map(copy.copy, readers):
        reader.turned = lambda features: torch.where(jumps, rotate(features, positions), rotate(features))
        right.append(which_are_right(reader, task, num_tokens=16)[:, 8:])
    return 100 * torch.stack(right).double().mean().item()


def chart_jumps(readers, task, jumps, caption=None):
    """Draw what `after_jump` gives for each of these jumps, in a task in which chance is right in 53%."""
    percents = {"rotary": [after_jump(readers, task, jump) for jump in jumps]}
    names = "how far the positions jump", "right answers at letters 8 to 15, in %"
    return curves(jumps, percents, ["context"], *names, rule={"chance": 53}, of=100, caption=caption)
