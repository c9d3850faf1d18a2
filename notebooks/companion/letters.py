"""Two tasks that need order, and a short training on them. Shown in notebook 10.

A text is a row of ids. A reader is a module that turns ids (texts, tokens) into logits (texts, tokens, letters).
"""

import torch
from torch import nn

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


def train(reader, task, steps=200, num_tokens=16):
    """Train a reader in place on texts of this length, 32 in each step, and return it."""
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.01, fused=True)
    for _ in range(steps):
        ids, answers = task(32, num_tokens)
        loss = nn.functional.cross_entropy(reader(ids).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return reader


def trained(task, seed, make, *arguments):
    """Make a reader, make(*arguments), from the random numbers of this seed, and train it."""
    torch.manual_seed(seed)
    return train(make(*arguments), task)


@torch.no_grad()
def percents(reader, task):
    """Return the percentages of right answers at positions 8 to 15 and 48 to 63, in 200 new texts."""
    torch.manual_seed(0)
    ids, answers = task(200, 64)
    right = torch.cat([reader(few).argmax(dim=-1) for few in ids.split(CHUNK)]) == answers
    return [100 * part.double().mean().item() for part in (right[:, 8:16], right[:, 48:])]


def report(name, readers, task):
    """Print the percentages of each of these readers, near and far."""
    near, far = zip(*(percents(reader, task) for reader in readers))
    near, far = ("".join(f"{percent:5.0f}%" for percent in part) for part in (near, far))
    print(f"{name:14} positions 8 to 15:{near}   48 to 63:{far}")
