"""Store what the library transformers computes with SmolLM2's weights for ten texts: the reference of notebook 19.

python -m companion.worlds.pretrained.make_reference

It needs `pip install transformers gguf accelerate`, as nothing else here does.
"""

import json
from importlib.metadata import version
from pathlib import Path

import torch

from companion.worlds.pretrained import weights
from companion.worlds.pretrained.smollm import LAST, chat

LONG = (  # an attention that forgets what is far fails here, and passes the short ones
    "In the spring of 1931 Marta Kowalski opened a small shop for clocks at 48 Orchard Lane. Her brother Emil, who "
    "had been a sailor, kept the books and repaired what he could. Most people in the town brought cheap alarm "
    "clocks, but one morning an old woman came in with a watch of silver that had stopped at ten past four. She said "
    "that it had belonged to her grandfather, and that nobody had been able to open it. Emil tried for three days "
    "with every tool that he had. Then Marta noticed a tiny screw under the number six, no larger than a grain of "
    "salt, and turned it by a quarter. The lid sprang open, and inside there was no spring at all, only a folded "
    "piece of paper with two names and a date. Marta read it twice, and then she laughed. When the old woman came "
    "back, they gave her the watch and the paper, and asked for nothing. For many years people told this story at 48 "
    "Orchard Lane, until the shop was closed, and Emil went back to the sea. The watch of silver still lies in the "
    "museum, and it still says ten past"
)
TEXTS = [
    "Life is short, eat dessert first",
    "She noticed one minute pause today.",
    "The crack she noticed was minute.",
    "Attention is all you need, said eight authors in 2017.",
    "The train arrives at 10:45,\nand it won't wait.",
    "def double(x):\n    return 2 * x  # twice",
    "Naïve cafés — déjà vu! 🙂",
    "Roses are red, violets are blue",
    LONG,
    chat("What is attention?"),
]
ASKED = range(0, 49_152, 2_048)


@torch.no_grad()
def main():
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = weights.SMOLLM.check(weights.SMOLLM.find())
    options = {"gguf_file": path.name}
    model = AutoModelForCausalLM.from_pretrained(path.parent, **options, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(path.parent, **options)
    ids = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in TEXTS]
    logits = [model(torch.tensor([row])).logits[0, -LAST:] for row in ids]
    packages = ", ".join(f"{name} {version(name)}" for name in ("transformers", "gguf", "torch"))
    stored = {
        "made with": f"{packages}, on a CPU, from the file with SHA-256 {weights.SMOLLM.sha256}",
        "asked": [*ASKED],
        "texts": TEXTS,
        "ids": ids,
        "likeliest": [rows.argmax(dim=-1).tolist() for rows in logits],
        "logits": [[[round(n, 4) for n in row] for row in rows[:, ASKED].tolist()] for rows in logits],
    }
    lines = [f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in stored.items()]
    target = Path(__file__).with_name("smollm.json")
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
