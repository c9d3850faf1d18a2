"""A small language model for the stories of `world`: its text, its training, what it writes."""

import random

import torch
from torch import nn
from torch.nn import functional as F

from companion.worlds.stories.world import girl_and_boy, left_to_chance, story
from utils.fast import KVCache
from utils.text import Vocabulary
from utils.transformer import TodaysBlock

END = "<end>"  # begins and ends each story
VOCABULARY = Vocabulary([END, *(token for seed in range(2_000) for token in story(random.Random(seed)))])
D_MODEL, NUM_HEADS, D_HIDDEN = 64, 4, 170  # two thirds of 4 * 64: a SwiGLU has three layers
STEPS, BATCH, LEARNING_RATE, WARM_UP = 400, 32, 0.01, 0.1
LONGEST = 110  # tokens of a story, with its ends
NOTHING = -100  # what `cross_entropy` leaves out


class Writer(nn.Module):
    """Embeddings, blocks that each read the past, and the same embeddings to say which token comes next.

    Radford et al., "Language Models are Unsupervised Multitask Learners", 2019, with the blocks of today. Notebook 18.
    """

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(VOCABULARY), D_MODEL)
        nn.init.normal_(self.embedding.weight, std=0.1)  # it answers, too: large ones would make a large first loss
        self.blocks = nn.ModuleList(TodaysBlock(D_MODEL, NUM_HEADS, D_HIDDEN) for _ in range(2))
        self.norm = nn.RMSNorm(D_MODEL, eps=1e-5)

    def forward(self, ids, caches=None, need_weights=False):
        """Return the logits of each next token, (stories, tokens, vocabulary), and weights, for ids (stories, tokens).

        caches: a `KVCache` for each block, with the tokens before these; need_weights: return a list of each block's
        weights, (stories, heads, query, key), which is empty otherwise.
        """
        stream, maps = self.embedding(ids), []
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks)):
            stream = block(stream, causal=True, cache=cache, need_weights=need_weights)
            if need_weights:
                stream, weights = stream
                maps.append(weights)
        return self.norm(stream) @ self.embedding.weight.T, maps

    def caches(self):
        """Return an empty cache for each block."""
        return [KVCache() for _ in self.blocks]


def examples(num_stories, seed, people=girl_and_boy):
    """Return inputs and targets of a model, both (stories, tokens): END, then the story, and then END again.

    A target is the token that comes next. Shorter stories are filled up with END in the inputs, and with -100 in the
    targets. people: as in `story`.
    """
    generator, end = random.Random(seed), VOCABULARY.ids[END]
    stories = [VOCABULARY.encode([*story(generator, people), END]) for _ in range(num_stories)]
    targets = torch.tensor([ids + [NOTHING] * (LONGEST - len(ids)) for ids in stories])
    inputs = F.pad(targets[:, :-1], (1, 0), value=end)
    return inputs.masked_fill(inputs == NOTHING, end), targets


def loss_of(model, inputs, targets):
    """Return the mean cross-entropy of all next tokens."""
    logits, _ = model(inputs)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=NOTHING)


def guesses(inputs, targets):
    """Return the loss of guesses that need no model: by how often a token comes, by the last one, by all rules."""
    asked = targets != NOTHING
    pairs = torch.zeros(len(VOCABULARY), len(VOCABULARY))
    pairs.index_put_((inputs[asked], targets[asked]), torch.ones(()), accumulate=True)
    often = pairs.sum(dim=0)
    by_last = -(pairs / pairs.sum(dim=1, keepdim=True)).log()[pairs > 0] @ pairs[pairs > 0] / pairs.sum()
    by_rules = left_to_chance() * len(inputs) / often.sum()
    by_often = -(often / often.sum()).log() @ often / often.sum()
    return {"frequency": by_often, "the last token": by_last, "all rules of the world": by_rules}


def batches(inputs, targets, seed=0, steps=STEPS, size=BATCH, alike=False):
    """Yield inputs and targets for each step: `size` stories, as long as the longest of them.

    alike: put stories of about the same length together, so that hardly anything is padding.
    """
    generator, lengths = torch.Generator().manual_seed(seed), (targets != NOTHING).sum(dim=-1)
    rows = torch.randint(len(inputs), (steps, size), generator=generator)
    if alike:
        by_length = rows.flatten()[lengths[rows.flatten()].argsort(stable=True)]
        rows = by_length.view(steps, size)[torch.randperm(steps, generator=generator)]
    for batch in rows:
        longest = lengths[batch].max()
        yield inputs[batch, :longest], targets[batch, :longest]


def train_writer_in_steps(model, inputs, targets, seed=0, steps=STEPS, size=BATCH, rate=LEARNING_RATE, alike=False):
    """Train a model in place, and yield the number of each step and its loss, before the step is taken.

    seed, steps, size, alike: as in `batches`; rate: the largest learning rate.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=WARM_UP)
    for step, batch in enumerate(batches(inputs, targets, seed, steps, size, alike)):
        loss = loss_of(model, *batch)
        yield step, loss.item()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rates.step()


@torch.no_grad()
def write(model, num_stories=1, beginning=(), shares=lambda logits: logits.softmax(dim=-1), seed=0):
    """Let a model write stories, token by token. Returns lists of tokens, without their ends.

    model: gives logits and weights for ids; if it has `caches`, as a `Writer`, each token is read once only;
    beginning: tokens that each story begins with; shares: turns logits (stories, vocabulary) into what the next token
    is drawn by, such as the reader's own `next_shares`.
    """
    generator = torch.Generator().manual_seed(seed)
    ids = torch.tensor([VOCABULARY.encode([END, *beginning])] * num_stories)
    caches, new = model.caches() if getattr(model, "caches", None) else None, ids
    while ids.shape[1] < LONGEST:
        drawn = torch.rand(num_stories, 1, generator=generator)
        logits, _ = model(ids) if caches is None else model(new, caches)
        reached = shares(logits[:, -1]).cumsum(dim=-1)
        # Where the running sum passes a random number; its last value may miss 1 by a rounding.
        new = (reached < drawn * reached[:, -1:]).sum(dim=-1, keepdim=True)
        ids = torch.cat([ids, new], dim=1)
        if (ids[:, 1:] == VOCABULARY.ids[END]).any(dim=1).all():
            break
    stories = [VOCABULARY.decode(row[1:]) for row in ids.tolist()]
    return [tokens[: tokens.index(END)] if END in tokens else tokens for tokens in stories]
