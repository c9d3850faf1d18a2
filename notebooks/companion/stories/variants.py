"""The writer with one thing changed, trained alike from three seeds, and what came of it. Read in notebook 17.

python -m companion.stories.variants    trains them all anew and stores the table, in some minutes of one core
"""

import json
from pathlib import Path

import torch

from companion.stories.truth import untrue
from companion.stories.world import BOYS, GIRLS, any_two, she
from companion.stories.writer import END, STEPS, VOCABULARY, Writer, examples, loss_of, train, write

RECORD = Path(__file__).with_name("variants.json")
NUM_STORIES, SEEDS = 20_000, range(3)
VARIANTS = {  # {name: (what makes the model, what draws the two people)}
    "as it is": (Writer, {}),
    "one block": (lambda: Writer(num_layers=1), {}),
    "no positions": (lambda: Writer(positions=None), {}),
    "any two people": (Writer, {"people": any_two}),
}
COLUMNS = "loss", "true stories", "pronouns"
GIVEN = (
    "One day {first} went to the park . There {said} found a red kite under a bench . Then {second} came along . "
    "{second} liked the kite and asked {first} for it . {first} gave"
)


@torch.no_grad()
def pronoun(model, first, said, second):
    """Return the word, "her" or "him", that a model prefers for `second`, when `first` was called `said`."""
    text = GIVEN.format(first=first, said=said, second=second)
    logits, _ = model(torch.tensor([VOCABULARY.encode([END, *text.split()])]))
    her, him = (logits[0, -1, VOCABULARY.ids[word]] for word in ("her", "him"))
    return "her" if her > him else "him"


def tried(make, world, seed, steps=STEPS):
    """Train a variant, and return its loss of stories held back, how many of 100 that it writes are true, and how many
    of 112 pronouns it chooses right where both people are girls or both are boys."""
    torch.manual_seed(seed)
    model = make()
    for _ in train(model, *examples(NUM_STORIES, "training", **world), seed, steps):
        pass
    with torch.no_grad():
        loss = loss_of(model, *examples(400, "test", **world)).item()
    true = sum(not untrue(tokens) for tokens in write(model, 100))
    right = sum(
        pronoun(model, first, she(first), second) == ("her" if second in GIRLS else "him")
        for people in (GIRLS, BOYS)
        for first in people
        for second in people
        if first != second
    )
    return loss, true, right


def stored(record=RECORD):
    """Return {variant: what `tried` found, a row for each seed}."""
    return {name: torch.tensor(rows) for name, rows in json.loads(record.read_text(encoding="utf-8")).items()}


def main():
    torch.set_num_threads(1)
    found = {}
    for name, variant in VARIANTS.items():
        found[name] = [[round(number, 4) for number in tried(*variant, seed)] for seed in SEEDS]
        print(name, found[name], flush=True)
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(found[name])}" for name in found)
    RECORD.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
