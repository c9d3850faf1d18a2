"""SmolLM2-135M-Instruct, a language model, in the course's own modules. Built in notebook 19."""

import ctypes
import json
import sys
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import torch
from torch import nn

from companion.worlds.pretrained import weight_files
from companion.worlds.pretrained.bytepairs import SIGNS
from companion.worlds.pretrained.gguf import Packed
from utils.positions import rotate
from utils.transformer import SwiGLU, TodaysBlock

HEADS, KEY_HEADS, HIDDEN, BASE = 9, 3, 1536, 100_000  # its d_model is 576
NAMES = {  # in a block: ours and the file's
    "attention.W_query": "attn_q",
    "attention.W_key": "attn_k",
    "attention.W_value": "attn_v",
    "attention.W_output": "attn_output",
    "norm1": "attn_norm",
    "feed_forward.gate": "ffn_gate",
    "feed_forward.widen": "ffn_up",
    "feed_forward.narrow": "ffn_down",
    "norm2": "ffn_norm",
}
AROUND = {"embedding.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}
REFERENCE = Path(__file__).with_name("smollm.json")
MMAP_THRESHOLD = -3  # as in glibc's malloc.h
LONG, LAST = 8, 40  # the number of the reference's longest text, and at how many positions it has logits, at most
START, END = "<|im_start|>", "<|im_end|>"
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


class SmolLM(nn.Module):
    """An embedding, blocks as in Llama, a norm, and the embedding once more, which gives the logits.

    table: the embedding's, (vocabulary, 576). Ben Allal et al., "SmolLM2: When Smol Goes Big", 2025.
    """

    def __init__(self, num_layers, table):
        super().__init__()
        self.embedding, d_model = nn.Embedding.from_pretrained(table), table.shape[1]
        options = {"num_kv_heads": KEY_HEADS, "positions": partial(rotate, base=BASE)}
        self.blocks = nn.ModuleList(TodaysBlock(d_model, HEADS, HIDDEN, **options) for _ in range(num_layers))
        self.norm = nn.RMSNorm(d_model, 1e-5)

    def forward(self, ids):
        """Return the logits of what comes next, and all weights, for ids (batch, tokens).

        They are (batch, tokens, vocabulary) and (layers, batch, heads, tokens, tokens).
        """
        stream, maps = self.embedding(ids), []
        for block in self.blocks:
            stream, block_map = block(stream, causal=True, need_weights=True)
            maps.append(block_map)
        return self.norm(stream) @ self.embedding.weight.T, torch.stack(maps)


def their_name(ours):
    """Return the name in the file of a parameter with this name in our model: the course's own `file_name`."""
    if ours in AROUND:
        return AROUND[ours]
    _, layer, rest = ours.split(".", 2)
    return f"blk.{layer}.{NAMES[rest.removesuffix('.weight')]}.weight"


def model_of_tensors(tensors):
    """Return the course's model with these tensors, {the file's name: tensor}, whose memory it shares."""
    num_layers = sum(name.endswith("attn_q.weight") for name in tensors)
    with torch.device("meta"):
        model = SmolLM(num_layers, tensors["token_embd.weight"])
    state = {ours: tensors[their_name(ours)] for ours in model.state_dict()}
    model.load_state_dict(state, assign=True)
    return model.eval().requires_grad_(False)


def open_or_stand_in():
    """Return the file's tensors under its names, its vocabulary and its merges; say what they are.

    If the file is not on this machine, six blocks of random numbers stand in, and bytes without merges. Raises
    ValueError for a file that is not, to the byte, the right one.
    """
    if path := weight_files.SMOLLM.find_or_warn():
        opened = _opened(path)
        print("SmolLM2-135M-Instruct, as it was trained")
        return opened
    generator, vocabulary = torch.Generator().manual_seed(0), ["<|endoftext|>", START, END, *SIGNS.values()]
    with torch.device("meta"):
        empty = SmolLM(6, torch.empty(len(vocabulary), 576)).state_dict()
    shapes = {name: parameter.shape for name, parameter in empty.items()}
    state = {name: torch.randn(shape, generator=generator) / 24 for name, shape in shapes.items()}
    return {their_name(ours): tensor for ours, tensor in state.items()}, vocabulary, []


@cache  # whoever runs the cell again does not need the memory twice
def _opened(path):
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if hasattr(libc, "mallopt"):  # then Linux has each large piece back once it is free, of which 30 MB would stay
        libc.mallopt(MMAP_THRESHOLD, 1 << 16)
    packed = Packed(weight_files.SMOLLM.check(path))
    tensors = packed.tensors()
    for name, tensor in tensors.items():
        if name.endswith(("attn_q.weight", "attn_k.weight")):
            # The packer has put pairs of rows side by side, which notebook 11 takes from both halves.
            tensor.copy_(tensor.unflatten(0, (-1, 32, 2)).transpose(1, 2).flatten(0, 2))
    return tensors, *(packed.facts[f"tokenizer.ggml.{name}"] for name in ("tokens", "merges"))


def todays(block, heads):
    """Give a block other heads and what models of today have, as in notebook 18: RMSNorm, SwiGLU and no biases."""
    block.attention, block.feed_forward = heads, SwiGLU(576, HIDDEN)
    block.norm1, block.norm2 = nn.RMSNorm(576, 1e-5), nn.RMSNorm(576, 1e-5)
    for layer in block.modules():
        layer.bias = None
    return block


def chat(question):
    """Return a question in the form in which this model was trained to answer."""
    return f"{START}system\n{SYSTEM}{END}\n{START}user\n{question}{END}\n{START}assistant\n"


def reference():
    """Return ten "texts", their "ids", and at the last positions "likeliest" next ids and "logits" of those "asked".

    The library transformers gave them (`make_smollm.py`).
    """
    stored = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return stored | {"logits": [torch.tensor(rows) for rows in stored["logits"]]}


@contextmanager
def _sparing(model):
    """Let a model give logits at the last positions alone, and keep no weights, which for a long text need 65 MB."""

    def forget(block, *_):
        block.attention.weights = None

    hooks = [block.register_forward_hook(forget) for block in model.blocks]
    hooks.append(model.norm.register_forward_hook(lambda norm, inputs, stream: stream[:, -LAST:]))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def print_agreement(model, pairs, numbers=range(10), read=None):
    """Print for each of the texts with these numbers whether a model gives the stored logits and likeliest tokens.

    read: another way to let the model read ids (1, tokens). Returns of how many both are true.
    """
    stored, equal = reference(), 0
    for number in numbers:
        text, ids, likeliest, theirs = (stored[name][number] for name in ("texts", "ids", "likeliest", "logits"))
        close = same = False
        if pairs.encode(text) == ids:  # the stand-in cuts texts into bytes
            with _sparing(model):
                ours = (read or model)(torch.tensor([ids]))[0, -LAST:]
            close = bool((ours[:, stored["asked"]] - theirs).abs().max() < 1e-3)
            same = ours.argmax(dim=-1).tolist() == likeliest
        print(f"{text[:20]!r:24} {len(ids):3} tokens, logits within 0.001: {close}, same next tokens: {same}")
        equal += close and same
    return equal
