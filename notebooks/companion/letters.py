"""Two tasks that need the order of tokens, a reader with any kind of positions, and its training. See notebook 11."""

import torch
from torch import nn

from utils.attention import causal_mask, masked_softmax, merge_heads, scores, split_heads

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
    window: how many keys, the newest, each query may see; all if it is not set.
    """

    def __init__(self, *, added=None, turned=None, bias=None):
        super().__init__()
        self.added, self.turned, self.bias, self.window = added, turned, bias, None
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
        mask = causal_mask(num_tokens).triu(1 - (self.window or num_tokens))
        return self.answer(self.W_output(merge_heads(masked_softmax(measured, mask) @ value)))


class Table(nn.Module):
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
    for _ in range(steps):
        ids, answers = task(32, num_tokens)
        loss = nn.functional.cross_entropy(reader(ids).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return reader


def trained(make, task, seeds=3):
    """Make readers, by make(), each from the random numbers of another seed, and train them."""
    readers = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        readers.append(train(make(), task))
    return readers


@torch.no_grad()
def is_right(reader, task, window=None):
    """Return which answers are right in 200 new texts of 64 positions, (200, 64)."""
    reader.window = window
    torch.manual_seed(0)
    ids, answers = task(200, 64)
    return torch.cat([reader(few).argmax(dim=-1) for few in ids.split(CHUNK)]) == answers


def report(name, readers, task, window=None):
    """Print how many answers of each of these readers are right, near and far, with a window of so many keys or all."""
    right = torch.stack([is_right(reader, task, window) for reader in readers]).double()
    near, far = (100 * part.mean(dim=(1, 2)) for part in (right[..., 8:16], right[..., 48:]))
    near, far = ("".join(f"{percent:5.0f}%" for percent in part.tolist()) for part in (near, far))
    print(f"{name:14} positions 8 to 15:{near}   48 to 63:{far}")
