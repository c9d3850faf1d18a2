"""Train the writer with five seeds in the world of notebook 18, and store what each goes by.

python -m companion.worlds.stories.train_seeds        in two minutes of one core
"""

import json

import torch

from companion.worlds.stories.seeds import AS_IN_18, NUM_STORIES, RECORD, SEEDS, measure
from companion.worlds.stories.writer import examples


def main():
    torch.set_num_threads(1)
    training, rows = examples(NUM_STORIES, "training"), []
    for seed in SEEDS:
        rows.append(f"  {json.dumps(measure(seed, *training, **AS_IN_18))}")
        print(rows[-1], flush=True)
    RECORD.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
