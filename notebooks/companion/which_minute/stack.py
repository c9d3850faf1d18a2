"""The training of a stack of blocks on the question which "minute" is meant. Shown in notebook 12."""

from functools import cache, partial

import numpy as np
import torch
from matplotlib.collections import LineCollection
from torch import nn

from companion.pictures.palette import INK, MUTED, ROLES, tint
from companion.pictures.picture import Picture, panels, styled
from companion.which_minute import head, learning
from companion.which_minute.sentences import encode
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import EncoderBlock

SIZES = 16, 2, 32  # of each block: d_model, num_heads, d_hidden
BATCH = 32
examples = cache(learning.examples)


def _made(kind, changes):
    block = kind(*SIZES)
    for change in changes:
        change(block)
    return block


def trained(stack, kind, depth, seed=0, *, steps, warm_up=0, learning_rate, changes=()):
    """Make a stack of blocks from the random numbers of this seed, train it with 16 digits, and return it.

    stack: called with the list of blocks, makes a model of what `encode` returns that gives logits first;
    kind: called with `SIZES` for each block; changes: called with each block, one after the other;
    warm_up: the number of steps in which the learning rate grows.
    """
    torch.manual_seed(seed)
    model = stack([_made(kind, changes) for _ in range(depth)]).double()
    training = examples(padding_mask)[0]
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = learning_rate * min(1, (step + 1) / (warm_up or 1))
        batch = torch.randint(len(training[0]), (BATCH,))
        *inputs, meanings = (part[batch] for part in training)
        loss = nn.functional.cross_entropy(model(*inputs)[0], meanings)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


def _drawn(stack, blocks):
    model = stack(blocks).double()
    for part in model.modules():
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()  # in 32 bits the last digit depends on the processor, and training amplifies it
    return model


def shares_right(stack, kind, *, seeds, **options):
    """Train a stack from each of so many seeds; return the shares of held-back sentences it gets right, worst first.

    options: as in `trained`, the depth among them.
    """

    test = examples(padding_mask)[1]
    models = (trained(partial(_drawn, stack), kind, seed=seed, **options) for seed in range(seeds))
    return sorted(learning.share_right(model, test).item() for model in models)


def gradients_back(stack, kind, *, seeds, **options):
    """Train a stack from each of so many seeds; return how long the loss's gradient is where the stream begins.

    It is a share of its length where the stream ends, of the held-back sentences.
    options: as in `trained`, the depth among them. The stack returns logits and stream.
    """
    found = []
    for seed in range(seeds):
        model, begins = trained(partial(_drawn, stack), kind, seed=seed, **options), []
        model.blocks[0].register_forward_pre_hook(lambda block, inputs, begins=begins: begins.append(inputs[0]))
        *inputs, meanings = examples(padding_mask)[1]
        logits, ends = model(*inputs)
        loss = nn.functional.cross_entropy(logits, meanings)
        first, last = torch.autograd.grad(loss, [*begins, ends])
        found.append((first.norm() / last.norm()).item())
    return sorted(found)


class _SameLength(nn.Linear):
    def reset_parameters(self):
        nn.init.orthogonal_(self.weight)


def keep_lengths(block):
    """A change: W_value and W_output are drawn so that they turn a vector and keep its length. They have no bias."""
    block.attention.W_value, block.attention.W_output = (_SameLength(SIZES[0], SIZES[0], bias=False) for _ in range(2))


def known_by_heart(kind, seed, *, words=128, meanings=8, steps=100, changes=()):
    """Train a block to know the meaning of each word, drawn at random as its vector is; return the share it knows.

    kind, changes: as in `trained`. The words come in sentences of six, drawn anew each time, so that no neighbor tells.
    """
    torch.manual_seed(seed)
    vectors, wanted = torch.randn(words, SIZES[0], dtype=torch.float64), torch.randint(meanings, (words,))
    model = nn.Sequential(_made(kind, changes), nn.LayerNorm(SIZES[0]), nn.Linear(SIZES[0], meanings)).double()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.012, fused=True)
    for _ in range(steps):
        ids = torch.randint(words, (BATCH, 6))
        loss = nn.functional.cross_entropy(model(vectors[ids]).flatten(0, 1), wanted[ids].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ids = torch.randint(words, (400, 6))
    with torch.no_grad():
        return (model(vectors[ids]).argmax(dim=-1) == wanted[ids]).double().mean().item()


@torch.no_grad()
def told_apart(words, depth=4):
    """Return how well words can be told apart, before and behind each layer: {kind of layer: shares, depth + 1}.

    It is the share of their vectors' length that is not common to all. The embeddings are those of the head that was
    trained on this question, and all else is random.
    """
    kinds = {"attentions": (MultiHeadAttention, 8, 2), "blocks": (EncoderBlock, 8, 2, 16)}
    found = {}
    for name, (kind, *sizes) in kinds.items():
        rows, found[name] = head.trained().embedding(encode([words])[0])[0], []
        torch.manual_seed(0)
        for layer in [nn.Identity(), *(kind(*sizes) for _ in range(depth))]:
            rows = layer(rows)
            found[name].append(((rows - rows.mean(dim=0)).norm() / rows.norm()).item())
    return found


@styled
def stages(words, caption=None):
    """Draw each word as a lane through four layers; the lanes are as far apart as the words can be told apart."""
    kinds = told_apart(words)
    figure = panels(6.6, 3.0, None, len(kinds))
    middle = (len(words) - 1) / 2
    for axes, (name, shares) in zip(figure.axes, kinds.items()):
        depth = len(shares) - 1
        along = np.linspace(-0.25, depth + 0.25, 500)
        inside = np.clip((along % 1 - 0.3) / 0.4, 0, 1)  # of the way through a layer
        left = np.interp(np.floor(along) + inside**2 * (3 - 2 * inside), range(depth + 1), shares)
        for layer in range(depth):
            axes.axvspan(layer + 0.3, layer + 0.7, color=tint(ROLES["weight"].fill, 0.13), linewidth=0)
            axes.text(layer + 0.5, middle + 0.65, layer + 1, ha="center", color=ROLES["weight"].ink, fontsize=9)
        for place, word in enumerate(words):
            offset = middle - place
            points = np.stack([along, offset * left], axis=1)
            shades = [tint(INK, 0.6 - 0.38 * share * offset / middle) for share in left]  # as alike as the words
            look = {"colors": shades, "linewidth": 5, "capstyle": "round"}
            axes.add_collection(LineCollection(np.stack([points[:-1], points[1:]], axis=1), **look))
            axes.text(-0.4, offset * left[0], word, ha="right", va="center", fontsize=11)
        axes.set(xlim=(-0.25, depth + 0.25), ylim=(-middle - 0.2, middle + 1.1), yticks=[])
        axes.set_xticks(range(depth + 1), [f"{share:.0%}" for share in shares], fontsize=10.5)
        axes.get_xticklabels()[-1].set_fontweight("bold")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title(f"Through {depth} {name}", fontsize=11)
    figure.supxlabel("how well the words can be told apart", color=MUTED, fontsize=10)
    facts = [f"through {name}, {' '.join(f'{share:.0%}' for share in shares)}" for name, shares in kinds.items()]
    return Picture(figure, f"How well {len(words)} words can be told apart: {'; '.join(facts)}.", caption)
