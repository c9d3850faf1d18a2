"""Let a language model write with a loop of the reader's, with a cache or without one. Used in notebook 19."""

from contextlib import contextmanager
from time import perf_counter

import torch

from companion.own_pages import on_page
from companion.worlds.pretrained.smollm import END, KEY_HEADS

NOTHING = torch.empty(1, KEY_HEADS, 0, 64)  # keys, or values, of no token


def both_ways(writing, prompt, num_new):
    """Print what a `Writing` writes with a cache and without one, and how many tokens it reads; on a page, how long."""
    durations = {}
    for name, way in {"with": writing.say, "without": writing.say_uncached}.items():
        writing.num_read, start = 0, perf_counter()
        text = way(prompt, num_new)
        print(f"{writing.num_read:3} tokens read {name} a cache: {prompt} …{text}")
        durations[name] = perf_counter() - start, writing.num_read
    with on_page("(your seconds: run the cell)"):
        for name, (seconds, tokens) in durations.items():
            print(f"{seconds:.1f} seconds {name} a cache, {seconds / tokens:.3f} for each token that was read")


class Writing:
    """A model, its byte pairs and a loop `write_on`, which write texts; the tokens read are counted.

    The model's blocks keep keys and values in `attention.kept`: a pair, which starts empty, or None for no cache.
    """

    def __init__(self, model, pairs, write_on):
        self.model, self.pairs, self.write_on = model, pairs, write_on
        self.end, self.num_read = pairs.vocabulary.index(END), 0

    def read(self, ids):
        self.num_read += len(ids)
        return self.model(torch.tensor([ids]))[0]

    def likeliest(self, logits):
        return int(logits.argmax())

    def say(self, prompt, num_new, choose=None):
        """Return up to num_new tokens after a prompt, as text, written with a cache."""
        with self._cached():
            new = self.write_on(self.read, self.pairs.encode(prompt), num_new, choose or self.likeliest, self.end)
        return self.pairs.decode(new)

    def read_in_steps(self, ids):
        """Return the logits of ids (1, tokens) with a cache, all but the last six read at once, those each alone."""
        parts = ids[0].split([ids.shape[1] - 6] + 6 * [1])
        with self._cached():
            return torch.cat([self.read(part.tolist()) for part in parts])[None]

    def say_uncached(self, prompt, num_new):
        """Return the same, but read everything again for each token."""
        ids = []

        def read_all(new):
            ids.extend(new)
            return self.read(ids)

        return self.pairs.decode(self.write_on(read_all, self.pairs.encode(prompt), num_new, self.likeliest, self.end))

    @contextmanager
    def _cached(self):
        heads = [block.attention for block in self.model.blocks]
        for head in heads:
            head.kept = NOTHING, NOTHING
        try:
            yield
        finally:
            for head in heads:
                head.kept = None
