"""Compute anew what the library transformers gives for the ten texts of smollm.json: the reference of notebook 19.

python -m companion.worlds.pretrained.make_smollm        in a minute

The ninth text is long: an attention that forgets what is far fails there, and passes the short ones. It needs
`pip install transformers gguf accelerate`, as nothing else here does.
"""

from importlib.metadata import version

import torch

from companion.worlds.pretrained import weight_files
from companion.worlds.pretrained.smollm import LAST, REFERENCE, reference
from companion.worlds.stored import write_rows

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
    made = {
        "made with": f"{packages}, on a CPU, from the file with SHA-256 {weight_files.SMOLLM.sha256}",
        "asked": asked,
        "texts": texts,
        "ids": ids,
        "likeliest": [rows.argmax(dim=-1).tolist() for rows in logits],
        "logits": [[[round(n, 4) for n in row] for row in rows[:, asked].tolist()] for rows in logits],
    }
    write_rows(made, REFERENCE, margin="")
