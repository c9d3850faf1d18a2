"""Compute anew what the library transformers gives for the ten texts of smollm.json: the reference of notebook 19.

python -m companion.worlds.pretrained.make_smollm

The ninth text is long: an attention that forgets what is far fails there, and passes the short ones. It needs
`pip install transformers gguf accelerate`, as nothing else here does.
"""

import json
from importlib.metadata import version

import torch

from companion.worlds.pretrained import weight_files
from companion.worlds.pretrained.smollm import LAST, REFERENCE, reference

if __name__ == "__main__":
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_grad_enabled(False)
    path = weight_files.SMOLLM.check(weight_files.SMOLLM.find())
    options = {"gguf_file": path.name}
    model = AutoModelForCausalLM.from_pretrained(path.parent, **options, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(path.parent, **options)
    texts, asked = (reference()[name] for name in ("texts", "asked"))
    ids = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
    logits = [model(torch.tensor([row])).logits[0, -LAST:] for row in ids]
    packages = ", ".join(f"{name} {version(name)}" for name in ("transformers", "gguf", "torch"))
    stored = {
        "made with": f"{packages}, on a CPU, from the file with SHA-256 {weight_files.SMOLLM.sha256}",
        "asked": asked,
        "texts": texts,
        "ids": ids,
        "likeliest": [rows.argmax(dim=-1).tolist() for rows in logits],
        "logits": [[[round(n, 4) for n in row] for row in rows[:, asked].tolist()] for rows in logits],
    }
    lines = [f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in stored.items()]
    REFERENCE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
