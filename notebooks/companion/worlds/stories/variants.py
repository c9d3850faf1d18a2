"""The writer with one thing changed, trained alike from three seeds, and what came of it. Read in notebook 18.

python -m companion.worlds.stories.variants        trains and stores them, in half an hour of one core
"""

import functools
import itertools
import json
import platform
import time
from importlib.metadata import version
from pathlib import Path

import torch

from companion.worlds.stories.changes import Changed
from companion.worlds.stories.truth import count_true
from companion.worlds.stories.world import BOYS, GIRLS, any_two, she
from companion.worlds.stories.writer import END, STEPS, VOCABULARY, examples, loss_of, train, write

RECORD = Path(__file__).with_name("variants.json")
NUM_STORIES, SEEDS, NUM_TOKENS = 20_000, range(3), 100
AS_IT_IS = "rotary, as it is"
VARIANTS = {  # {name: what changes in the model}
    AS_IT_IS: {},
    "no positions": {"positions": None},
    "learned": {"positions": None, "learned": True},
    "ALiBi": {"positions": None, "penalty": True},
    "one key head": {"num_kv_heads": 1},
    "window of 32": {"window": 32},
    "sink": {"sink": True},
    "query-key norm": {"normalize": True},
    "gate": {"gate": True},
    "linear": {"linear": True},
    "one block": {"num_layers": 1},
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
    for _ in train(model, *examples(NUM_STORIES, "training", **world), seed, steps):
        pass
    with torch.no_grad():
        loss = loss_of(model, *examples(400, "test", **world)).item()
    true = count_true(write(model, 100))
    right = sum(
        pronoun(model, first, she(first), second) == ("her" if second in GIRLS else "him")
        for first, second in (*itertools.permutations(GIRLS, 2), *itertools.permutations(BOYS, 2))
    )
    return loss, true, right


def kept(model):
    """Return how many numbers the caches of a `Changed` hold after 100 tokens."""
    return sum(block.attention.kept(NUM_TOKENS) for block in model.blocks)


def times(models):
    """Return for each model the seconds of one reading and its gradients, the least of 20 rounds, in turns."""
    inputs, targets = examples(32, "training")
    least = {name: float("inf") for name in models}
    for _ in range(20):
        for name, model in models.items():
            start = time.perf_counter()
            loss_of(model, inputs, targets).backward()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def stored():
    """Return {variant: {"runs": what `tried` found, a row for each seed, "kept": numbers, "time": as a ratio}}, and
    the machine that it was found on."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    return record["variants"], record["machine"]


def main():
    torch.set_num_threads(1)
    models = {name: Changed(**changes) for name, changes in VARIANTS.items()}
    seconds = times(models)
    ratios = {name: round(seconds[name] / seconds[AS_IT_IS], 2) for name in models}
    table = {name: {"runs": [], "kept": kept(models[name]), "time": ratios[name]} for name in models}
    table[OTHER_WORLD] = table[AS_IT_IS] | {"runs": []}
    for name, row in table.items():
        make = functools.partial(Changed, **VARIANTS.get(name, {}))
        world = {"people": any_two} if name == OTHER_WORLD else {}
        for seed in SEEDS:
            run = tried(make, seed, **world)
            row["runs"].append([round(number, 4) for number in run])
        print(name, row, flush=True)
    machine = f"one thread, {platform.machine()}, torch {version('torch')}"
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in table.items())
    text = f'{{\n "machine": {json.dumps(machine)},\n "variants": {{\n{rows}\n }}\n}}\n'
    RECORD.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
