"""The training of a stack of blocks on the question which "minute" is meant. Shown in notebook 11."""

from functools import cache

import torch
from torch import nn

from companion.pictures.heatmap import heatmap
from companion.pictures.palette import INK
from companion.pictures.words import shown
from companion.which_minute import head, learning
from companion.which_minute.sentences import encode
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import EncoderBlock

SIZES = 16, 2, 32  # of each block: d_model, num_heads, d_hidden
BATCH = 32
examples = cache(learning.examples)


def trained(stack, kind, depth, seed=0, *, steps=100, warm_up=0, learning_rate=0.008):
    """Make a stack of blocks from the random numbers of this seed, train it with 16 digits, and return it.

    stack: called with the list of blocks, makes a model of what `encode` returns that gives logits first;
    kind: called with `SIZES` for each block; warm_up: the number of steps in which the learning rate grows.
    """
    torch.manual_seed(seed)
    model = stack([kind(*SIZES) for _ in range(depth)]).double()
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


@torch.no_grad()
def alike(words, depth=4):
    """Return the cosines of "minute" and each word, (3, words): as embedded, behind attentions, and behind blocks.

    The embeddings are those of the head that was trained on this question, and all else is random.
    """
    kinds = (MultiHeadAttention, 8, 2), (EncoderBlock, 8, 2, 16)
    ids, _, (position,) = encode([words])
    found = [head.trained().embedding(ids)[0]]
    for kind, *sizes in kinds:
        torch.manual_seed(0)
        found.append(nn.Sequential(*[kind(*sizes) for _ in range(depth)])(found[0]))
    cosines = torch.stack([nn.functional.cosine_similarity(rows[position], rows) for rows in found])
    return cosines.round(decimals=2)  # equal ones are equal on every machine


def stages(words, caption=None):
    """Draw the cosines that `alike` returns: one row a stage, one column a word."""
    cosines, names = alike(words), ["as embedded", "after 4 attentions", "after 4 blocks"]
    picture = heatmap(cosines, names, words, signed=True, title="How much each word is like “minute”", caption=caption)
    (axes,) = picture.figure.axes
    for axis, label in ((axes.xaxis, "words of the sentence →"), (axes.yaxis, "← stage")):
        axis.set_label_text(label, color=INK)
        axis.set_tick_params(labelcolor=INK)
    others = cosines[:, [word != "minute" for word in words]]
    facts = [f"{name}, {shown(row.min())} to {shown(row.max())}" for name, row in zip(names, others)]
    picture.description = f"Cosines of “minute” with the other words of its sentence: {'; '.join(facts)}."
    return picture
