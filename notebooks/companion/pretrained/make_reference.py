"""Store what the library transformers computes with SmolLM2's weights for ten texts: the reference of notebook 19.

python -m companion.pretrained.make_reference    with `pip install transformers gguf accelerate`, which nothing else
                                                 here needs
"""

import json
from importlib.metadata import version
from pathlib import Path

import torch

from companion.pretrained import weights
from companion.pretrained.smollm import chat

TEXTS = [
    "Life is short, eat dessert first",
    "She noticed one minute pause today.",
    "The crack she noticed was minute.",
    "Attention is all you need, said eight authors in 2017.",
    "The train arrives at 10:45,\nand it won't wait.",
    "def double(x):\n    return 2 * x  # twice",
    "Naïve cafés — déjà vu! 🙂",
    "Roses are red, violets are blue",
    "One, two, three, four, five,",
    chat("What is attention?"),
]
ASKED = range(0, 49_152, 2_048)


@torch.no_grad()
def main():
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = weights.SMOLLM.check(weights.SMOLLM.find())
    given = {"gguf_file": path.name}
    model = AutoModelForCausalLM.from_pretrained(path.parent, **given, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(path.parent, **given)
    ids = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in TEXTS]
    logits = [model(torch.tensor([each])).logits[0] for each in ids]
    packages = ", ".join(f"{name} {version(name)}" for name in ("transformers", "gguf", "torch"))
    stored = {
        "made with": f"{packages}, on a CPU, from the file with SHA-256 {weights.SMOLLM.sha256}",
        "asked": [*ASKED],
        "texts": TEXTS,
        "ids": ids,
        "likeliest": [each.argmax(dim=-1).tolist() for each in logits],
        "logits": [[[round(n, 4) for n in row] for row in each[:, ASKED].tolist()] for each in logits],
    }
    lines = [f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in stored.items()]
    target = Path(__file__).with_name("smollm.json")
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
