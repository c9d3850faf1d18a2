"""The training of a stack of blocks on the question which "minute" is meant. Shown in notebook 12."""

from functools import cache, partial

import torch
from torch import nn
from torch.nn import functional as F

from companion.course_answers import one_loop
from companion.fitting import descend
from companion.worlds.which_minute import sentences
from companion.worlds.which_minute.head import share_right
from utils.attention import padding_mask

SIZES = 16, 2, 32  # of each block: d_model, num_heads, d_hidden
BATCH = 32
examples = cache(sentences.examples)


def _made(kind, changes):
    block = kind(*SIZES)
    for change in changes:
        change(block)
    return block


def train_stack(stack, kind, depth, seed=0, *, steps, warm_up=0, learning_rate, changes=()):
    """Make a stack of blocks from the random numbers of this seed, train it with 16 digits, and return it.

    stack: called with the list of blocks, makes a model of what `encode` returns that gives logits first;
    kind: called with `SIZES` for each block; changes: called with each block, one after the other;
    warm_up: the number of steps in which the learning rate grows.
    """
    torch.manual_seed(seed)
    model = stack([_made(kind, changes) for _ in range(depth)]).double()
    training = examples(padding_mask)[0]
    optimizer = torch.optim.Adam(model.parameters(), fused=True)

    def loss_of(rows):
        *inputs, meanings = (part[rows] for part in training)
        return F.cross_entropy(model(*inputs)[0], meanings)

    for step, _ in descend(loss_of, optimizer, (torch.randint(len(training[0]), (BATCH,)) for _ in range(steps))):
        optimizer.param_groups[0]["lr"] = learning_rate * min(1, (step + 1) / (warm_up or 1))
    return model.eval()


def _random_stack(stack, blocks):
    model = stack(blocks).double()
    for part in model.modules():
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()  # in 32 bits the last digit depends on the processor, and training amplifies it
    return model


def shares_right(stack, kind, *, seeds, **options):
    """Train a stack from each of so many seeds; return the shares of held-back sentences it gets right, to a tenth.

    options: as in `train_stack`, the depth among them.
    """
    test = examples(padding_mask)[1]
    models = (train_stack(partial(_random_stack, stack), kind, seed=seed, **options) for seed in range(seeds))
    return sorted(round(share_right(model, test).item(), 1) for model in models)


def with_sentences(stack, kind, **options):
    """Return a stack, what it reads of 64 sentences, (ids, mask, positions), and what “minute” means in each.

    options: as in `train_stack`; with no steps it is the stack that `shares_right` begins with.
    """
    model = train_stack(partial(_random_stack, stack), kind, **{"steps": 0, "learning_rate": 0} | options)
    *inputs, meanings = (part[:64] for part in examples(padding_mask)[0])
    return model, inputs, meanings


def rank_of(rows):
    """Return in how many directions rows differ: 1 if they lie on a line, all if they differ alike in each."""
    squares = torch.linalg.svdvals(rows - rows.mean(dim=0)).square()
    return squares.sum() ** 2 / squares.square().sum()


def known_by_heart(kind, *, seeds, **options):
    """Train a block from each of so many seeds to know the meaning of each word; return the shares that it knows."""
    return [round(_known(kind, seed, **options), 2) for seed in range(seeds)]


def _known(kind, seed, *, words=128, meanings=8, steps=100, changes=()):
    """Return the share of words that a block knows once it is trained. Meanings are drawn at random, as vectors are.

    kind, changes: as in `train_stack`. The words come in sentences of six, drawn anew, so that no neighbor tells.
    """
    torch.manual_seed(seed)
    vectors, wanted = torch.randn(words, SIZES[0], dtype=torch.float64), torch.randint(meanings, (words,))
    model = nn.Sequential(_made(kind, changes), nn.LayerNorm(SIZES[0]), nn.Linear(SIZES[0], meanings)).double()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.012, fused=True)
    batches = (torch.randint(words, (BATCH, 6)) for _ in range(steps))
    one_loop(lambda ids: F.cross_entropy(model(vectors[ids]).flatten(0, 1), wanted[ids].flatten()), optimizer, batches)
    ids = torch.randint(words, (400, 6))
    with torch.no_grad():
        return (model(vectors[ids]).argmax(dim=-1) == wanted[ids]).double().mean().item()
