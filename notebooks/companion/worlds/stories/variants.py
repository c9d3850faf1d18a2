"""The writer with one thing changed, trained alike from three seeds, and what came of it. Read in notebook 18.

python -m companion.worlds.stories.variants        trains and stores them, in half an hour of one core
"""

import functools
import itertools
import json
import platform
from importlib.metadata import version
from pathlib import Path

import torch

from companion.worlds.stored import write_rows
from companion.worlds.stories.changes import Changed
from companion.worlds.stories.truth import count_true
from companion.worlds.stories.world import BOYS, GIRLS, any_two, pronoun_of
from companion.worlds.stories.writer import END, STEPS, VOCABULARY, examples, loss_of, train_writer_in_steps, write

RECORD = Path(__file__).with_suffix(".json")
NUM_STORIES, SEEDS = 20_000, range(3)
AS_IT_IS = "rotary, as it is"
VARIANTS = {  # {name: what changes in the model}
    AS_IT_IS: {},
    "one key head": {"num_kv_heads": 1},
    "window of 32": {"window": 32},
    "query-key norm": {"normalize": True},
    "linear": {"linear": True},
}
OTHER_WORLD = "any two people"  # the model as it is, in a world where any two people meet
GIVEN = (
    "One day {first} went to the park . There {said} found a red kite under a bench . Then {second} came along . "
    "{second} liked the kite and asked {first} for it . {first} gave"
)


@torch.no_grad()
def her_or_him(model, first, said, second):
    """Return a model's shares of "her" and "him", for `second`, when `first` was called `said`: two numbers."""
    text = GIVEN.format(first=first, said=said, second=second)
    logits, _ = model(torch.tensor([VOCABULARY.encode([END, *text.split()])]))
    return logits[0, -1].softmax(dim=-1)[VOCABULARY.encode(["her", "him"])].tolist()


def pronoun(model, first, said, second):
    """Return the word, "her" or "him", whose share is larger."""
    her, him = her_or_him(model, first, said, second)
    return "her" if her > him else "him"


def answers_of(model):
    """Return a model's `pronoun` as a function of the three words, which asks the model once about the same three."""
    return functools.cache(functools.partial(pronoun, model))


def tried(make, seed, steps=STEPS, **world):
    """Train a model, and return its loss of stories held back, how many of 100 that it writes are true, and how many
    of 112 pronouns it chooses right where both people are girls or both are boys."""
    torch.manual_seed(seed)
    model = make()
    list(train_writer_in_steps(model, *examples(NUM_STORIES, "training", **world), seed, steps))
    with torch.no_grad():
        loss = loss_of(model, *examples(400, "test", **world)).item()
    true = count_true(write(model, 100))
    right = sum(
        pronoun(model, first, pronoun_of(first), second) == ("her" if second in GIRLS else "him")
        for first, second in (*itertools.permutations(GIRLS, 2), *itertools.permutations(BOYS, 2))
    )
    return loss, true, right


def load_variants():
    """Return {variant: {"runs": what `tried` found, a row for each seed}}, and the machine that it was found on."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    return record["variants"], record["machine"]


if __name__ == "__main__":
    torch.set_num_threads(1)
    found = {"machine": f"one thread, {platform.machine()}, torch {version('torch')}", "variants": {}}
    for name in (*VARIANTS, OTHER_WORLD):
        make = functools.partial(Changed, **VARIANTS.get(name, {}))
        world = {"people": any_two} if name == OTHER_WORLD else {}
        runs = [[round(number, 4) for number in tried(make, seed, **world)] for seed in SEEDS]
        found["variants"][name] = {"runs": runs}
        print(name, runs, flush=True)
    write_rows(found, RECORD, depth=2)
