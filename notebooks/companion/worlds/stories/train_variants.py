"""Train the writer with one thing changed, from three seeds each, and store the table of them.

python -m companion.worlds.stories.train_variants        in half an hour of one core
"""

import functools
import json
import platform
from importlib.metadata import version

import torch

from companion.worlds.stories.changes import Changed
from companion.worlds.stories.variants import AS_IT_IS, OTHER_WORLD, RECORD, SEEDS, VARIANTS, kept, times, tried
from companion.worlds.stories.world import any_two


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
