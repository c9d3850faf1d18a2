"""Fetch the weights that notebooks 15 and 19 read, once: python -m companion.worlds.pretrained"""

from companion.worlds.pretrained.weight_files import ALL

for notebook, weights in ALL.items():
    if (path := weights.find()) is None:
        print(f"for notebook {notebook}: fetching {weights.megabytes} to {weights.file}")
        weights.fetch()
    else:
        weights.check(path)
        print(f"for notebook {notebook}: {path} is here already, and every byte is right")
