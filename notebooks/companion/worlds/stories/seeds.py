"""What the writer goes by where its world leaves open which rule to learn, for five seeds. Read in notebook 18.

python -m companion.worlds.stories.seeds        trains and stores them, in two minutes of one core
"""

import json
from pathlib import Path

import torch

from companion.course_answers import depends, head_removed
from companion.worlds.stored import write_rows
from companion.worlds.stories.measured import percents_by_kind, without_each
from companion.worlds.stories.variants import answers_of
from companion.worlds.stories.world import BOYS, GIRLS
from companion.worlds.stories.writer import END, VOCABULARY, Writer, examples, train_writer_in_steps

RECORD = Path(__file__).with_name("seeds.json")
SEEDS, NUM_STORIES, NUM_ASKED, WORD = range(5), 20_000, 200, "Ida"
AS_IN_18 = {"steps": 1200, "size": 4, "rate": 0.004, "alike": True}


def measure(seed, inputs, targets, **options):
    """Train a `Writer`, and return what it goes by, a dict; options: as in `train_writer_in_steps`.

    matters: which words of a beginning its pronoun depends on, for all names; right: its first pronouns, in percent;
    reads: the weight of each head of block 0 on the first name, where the first pronoun comes; without: the first
    pronouns that are right without each of these heads, in percent.
    """
    torch.manual_seed(seed)
    model = Writer()
    list(train_writer_in_steps(model, inputs, targets, **options))
    tokens = [END, *f"One day {WORD} went to the park . There".split()]
    with torch.no_grad():
        _, maps = model(torch.tensor([VOCABULARY.encode(tokens)]), need_weights=True)
    return {
        "seed": seed,
        "matters": sorted(depends(answers_of(model), GIRLS + BOYS)),
        "right": round(percents_by_kind(model, *examples(NUM_ASKED, "test"))["first"]),
        "reads": [round(weight, 2) for weight in maps[0][0, :, -1, tokens.index(WORD)].tolist()],
        "without": [round(right["first"]) for right in without_each(model, head_removed, NUM_ASKED)],
    }


def load_seeds():
    """Return what `measure` says of each seed, a list."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    training = examples(NUM_STORIES, "training")
    write_rows([measure(seed, *training, **AS_IN_18) for seed in SEEDS], RECORD, margin="  ")
