"""all-MiniLM-L6-v2, a model that turns sentences into vectors, in the course's own modules. Built in notebook 15."""

import copy
import json
import math
from contextlib import ExitStack
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from companion.worlds.pretrained import weight_files
from utils.transformer import EncoderBlock

EPS = 1e-12  # of its LayerNorms
NAMES = {  # in a block: ours and the file's
    "attention.W_query": "attention.self.query",
    "attention.W_key": "attention.self.key",
    "attention.W_value": "attention.self.value",
    "attention.W_output": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "feed_forward.widen": "intermediate.dense",
    "feed_forward.narrow": "output.dense",
    "norm2": "output.LayerNorm",
}
EMBEDDINGS = {  # in front of them
    "token.weight": "word_embeddings.weight",
    "place.weight": "position_embeddings.weight",
    "segment.weight": "token_type_embeddings.weight",
    "norm.weight": "LayerNorm.weight",
    "norm.bias": "LayerNorm.bias",
}


class MiniLM(nn.Module):
    """Embeddings of token, place and segment, then post-norm encoder blocks.

    The sizes are those of all-MiniLM-L6-v2 if none are given; block: options of its blocks, in place of its own.
    Wang et al., "MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers",
    2020; Reimers and Gurevych, "Sentence-BERT", 2019.
    """

    def __init__(
        self, num_tokens=30_522, d_model=384, num_heads=12, d_hidden=1_536, num_layers=6, num_places=512, **block
    ):
        super().__init__()
        self.token, self.place = nn.Embedding(num_tokens, d_model), nn.Embedding(num_places, d_model)
        self.segment, self.norm = nn.Embedding(2, d_model), nn.LayerNorm(d_model)  # first or second text; all is first
        block = {"norm_first": False, "activation": F.gelu} | block
        blocks = (EncoderBlock(d_model, num_heads, d_hidden, **block) for _ in range(num_layers))
        self.blocks = nn.ModuleList(blocks)
        for module in self.modules():
            if isinstance(module, nn.LayerNorm):
                module.eps = EPS

    def forward(self, ids, mask=None):
        """Return the stream before and after each block, and each block's weights.

        ids: (batch, tokens); mask: (batch, queries or 1, keys), True = may attend, of all blocks.
        Returns streams (layers + 1, batch, tokens, d_model) and weights (layers, batch, heads, tokens, tokens).
        Raises ValueError for more tokens than there are places.
        """
        if ids.shape[-1] > (num_places := len(self.place.weight)):
            raise ValueError(f"{ids.shape[-1]} tokens with [CLS] and [SEP], places for {num_places}; shorten the text")
        positions = self.place.weight[: ids.shape[-1]]
        streams, maps = [self.norm(self.token(ids) + positions + self.segment.weight[0])], []
        for block in self.blocks:
            stream, block_map = block(streams[-1], mask=mask, need_weights=True)
            streams.append(stream)
            maps.append(block_map)
        return torch.stack(streams), torch.stack(maps)


def load_or_stand_in():
    """Return the trained model, or one with random numbers if the weights are not on this machine; say which.

    It is in evaluation mode, its numbers fixed. Raises ValueError for weights that are not the right ones, to the byte.
    """
    if path := weight_files.MINILM.find_or_warn():
        print("all-MiniLM-L6-v2, as it was trained")
        return fill_model(MiniLM(), tensors_in(bytearray(weight_files.MINILM.check(path).read_bytes())))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return MiniLM().eval().requires_grad_(False)


def emptied(model, ids, mask, token):
    """Return the model's streams if some tokens can be read, but every value they hand over is zero.

    ids, mask: as the model takes them; token: boolean (batch, tokens), True for the tokens that are emptied.
    """
    with ExitStack() as hooks:
        for block in model.blocks:
            empty = block.attention.W_value.register_forward_hook(lambda *parts: parts[-1] * ~token[..., None])
            hooks.enter_context(empty)
        return model(ids, mask)[0]


def reference():
    """Return four "sentences" and their "embeddings" (4, d_model), as the library sentence-transformers gave them."""
    stored = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return {"sentences": stored["sentences"], "embeddings": torch.tensor(stored["embeddings"])}


def tensors_in(buffer):
    """Return {name: tensor} of a safetensors file that was read into a bytearray, whose memory they share.

    In it are a length, a table of contents in JSON, and the numbers. `Weights.check` has compared every byte.
    """
    start = 8 + int.from_bytes(buffer[:8], "little")  # the first 8 bytes say how long the table of contents is
    kinds, tensors = {"F32": torch.float32, "I64": torch.int64}, {}
    for name, about in json.loads(buffer[8:start]).items():
        if name != "__metadata__":
            offset, dtype = start + about["data_offsets"][0], kinds[about["dtype"]]
            numbers = torch.frombuffer(buffer, dtype=dtype, count=math.prod(about["shape"]), offset=offset)
            tensors[name] = numbers.view(about["shape"])
    return tensors


def fill_model(model, tensors):
    """Put a file's tensors into a model of the same sizes, and return it."""
    state = {ours: tensors[f"embeddings.{theirs}"] for ours, theirs in EMBEDDINGS.items()}
    for layer in range(len(model.blocks)):
        for ours, theirs in NAMES.items():
            for kind in ("weight", "bias"):
                state[f"blocks.{layer}.{ours}.{kind}"] = tensors[f"encoder.layer.{layer}.{theirs}.{kind}"]
    model.load_state_dict(state, assign=True)
    return model.eval().requires_grad_(False)


def batch(sentences, tokenizer):
    """Return sentences as ids, filled up with 0, and which of them are real: both (batch, tokens)."""
    rows = [torch.tensor(tokenizer.encode(tokenizer.tokenize(sentence))) for sentence in sentences]
    real = pad_sequence([torch.ones(len(row), dtype=torch.bool) for row in rows], batch_first=True)
    return pad_sequence(rows, batch_first=True), real


def maps_of(model, tokenizer, sentence):
    """Return a sentence's tokens, and what each reads in every head: weights (layers, heads, tokens, tokens).

    They are in double precision, so that their percents are the same on any processor.
    """
    ids, _ = batch([sentence], tokenizer)
    return tokenizer.tokenize(sentence), copy.deepcopy(model).double()(ids)[1][:, 0]


def mean_pool(stream, real):
    """Average each sentence's real tokens.

    stream: (batch, tokens, d_model); real: boolean (batch, tokens), False for padding. Returns (batch, d_model).
    """
    return (stream * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
