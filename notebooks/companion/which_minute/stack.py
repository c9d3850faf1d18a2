"""A stack of blocks that learns which "minute" is meant, so that blocks can be compared. Shown in notebook 11."""

import torch
from torch import nn

from companion.pictures.heatmap import heatmap
from companion.pictures.palette import INK
from companion.pictures.words import shown
from companion.which_minute import head
from companion.which_minute.learning import examples
from companion.which_minute.sentences import MEANINGS, VOCABULARY, encode
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import EncoderBlock

D_MODEL, NUM_HEADS, D_HIDDEN = SIZES = 16, 2, 32  # of each block
STEPS, BATCH, LEARNING_RATE = 120, 32, 0.008


class Stack(nn.Module):
    """Embeddings of 16 numbers, blocks in a row, and three answers read off the stream of "minute", with 16 digits.

    blocks: modules, called as block(stream, mask=mask). A LayerNorm stands behind the last of them.
    """

    def __init__(self, blocks):
        super().__init__()
        self.embedding, self.blocks = nn.Embedding(len(VOCABULARY), D_MODEL), nn.ModuleList(blocks)
        self.norm, self.answer = nn.LayerNorm(D_MODEL), nn.Linear(D_MODEL, len(MEANINGS))
        self.double()

    def forward(self, ids, mask, positions):
        """Return the logits (sentences, 3), and the stream (blocks + 1, sentences, tokens, 16) before and after each.

        ids, mask, positions: as `encode` makes them.
        """
        streams = [self.embedding(ids)]
        for block in self.blocks:
            streams.append(block(streams[-1], mask=mask))
        return self.read(streams[-1], positions), torch.stack(streams)

    def read(self, stream, positions):
        """Return the logits (sentences, 3) that the stream (sentences, tokens, 16) of "minute" gives."""
        return self.answer(self.norm(stream[torch.arange(len(stream)), positions]))

    @torch.no_grad()
    def ask(self, words):
        """Return the stream behind the last block, (tokens, 16), for one sentence, a list of words."""
        return self(*encode([words]))[1][-1, 0]


def trained(make, depth, seed=0, warm_up=0, learning_rate=LEARNING_RATE):
    """Make a stack from the random numbers of this seed, train it, and return it.

    make: called with `SIZES` for each block; warm_up: the number of steps in which the learning rate grows.
    """
    torch.manual_seed(seed)
    model = Stack([make(*SIZES) for _ in range(depth)])
    training = examples(padding_mask)[0]
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    for step in range(STEPS):
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


def stages(words):
    """Draw the cosines that `alike` returns: one row a stage, one column a word."""
    cosines, names = alike(words), ["as embedded", "after 4 attentions", "after 4 blocks"]
    picture = heatmap(cosines, names, words, signed=True, title="How much each word is like “minute”")
    (axes,) = picture.figure.axes
    for axis, label in ((axes.xaxis, "words of the sentence →"), (axes.yaxis, "← stage")):
        axis.set_label_text(label, color=INK)
        axis.set_tick_params(labelcolor=INK)
    others = cosines[:, [word != "minute" for word in words]]
    facts = [f"{name}, {shown(row.min())} to {shown(row.max())}" for name, row in zip(names, others)]
    picture.caption = f"Cosines of “minute” with the other words of its sentence: {'; '.join(facts)}."
    return picture
