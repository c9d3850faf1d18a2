"""The model in the course's own modules, on small made-up weights; notebook 15 has the real ones."""

import json
import struct

import pytest
import torch
from torch import nn

from companion.worlds.pretrained.minilm import EMBEDDINGS, NAMES, MiniLM, filled, load_or_stand_in
from companion.worlds.pretrained.safetensors import tensors_in
from pytorchs import pytorchs_block_names
from utils.attention import padding_mask

SMALL = {"num_tokens": 20, "d_model": 12, "num_heads": 3, "d_hidden": 24, "num_layers": 2, "num_places": 9}


@pytest.fixture
def small():
    torch.manual_seed(0)
    return MiniLM(**SMALL).eval().requires_grad_(False)


@pytest.fixture
def tensors(small):
    """The small model's numbers under the names that the file has."""
    state = small.state_dict()
    file_tensors = {f"embeddings.{theirs}": state[ours] for ours, theirs in EMBEDDINGS.items()}
    for layer in range(2):
        for ours, theirs in NAMES.items():
            for kind in ("weight", "bias"):
                file_tensors[f"encoder.layer.{layer}.{theirs}.{kind}"] = state[f"blocks.{layer}.{ours}.{kind}"]
    return file_tensors


def pytorchs(model, ids, lengths):
    """Compute the last stream by PyTorch's own encoder layers with the same weights."""
    stream = model.norm(model.token(ids) + model.place.weight[: ids.shape[1]] + model.segment.weight[0])
    padded = torch.arange(ids.shape[1]) >= lengths[:, None]
    for block in model.blocks:
        options = {"activation": "gelu", "layer_norm_eps": 1e-12, "batch_first": True, "dropout": 0.0}
        layer = nn.TransformerEncoderLayer(12, 3, 24, **options)
        layer.load_state_dict(pytorchs_block_names(block.state_dict()))
        stream = layer(stream, src_key_padding_mask=padded)  # here True means "may not attend"
    return stream


def test_it_computes_what_pytorchs_own_layers_do(small):
    torch.nn.init.normal_(small.token.weight, std=1e-5)  # so small that the LayerNorms' eps counts
    for part in (small.place, small.segment):
        torch.nn.init.normal_(part.weight, std=1e-5)
    ids, lengths = torch.randint(20, (3, 6)), torch.tensor([6, 4, 1])
    streams, maps = small(ids, padding_mask(lengths, 6))
    assert streams.shape == (3, 3, 6, 12) and maps.shape == (2, 3, 3, 6, 6)
    expected = pytorchs(small, ids, lengths)
    for row, length in enumerate(lengths):
        torch.testing.assert_close(streams[-1, row, :length], expected[row, :length], rtol=0, atol=2e-6)


def test_a_text_longer_than_its_places_is_refused_in_words(small):
    places = len(small.place.weight)
    small(torch.zeros(1, places, dtype=torch.long))
    with pytest.raises(ValueError, match=f"{places + 1} tokens .* places for {places}; shorten the text"):
        small(torch.zeros(1, places + 1, dtype=torch.long))


def as_file(tensors):
    """Return tensors in the format safetensors, by the format's own description."""
    contents, numbers = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        raw, kind = tensor.contiguous().numpy().tobytes(), {torch.float32: "F32", torch.int64: "I64"}[tensor.dtype]
        offsets = [len(numbers), len(numbers) + len(raw)]
        contents[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": offsets}
        numbers += raw
    head = json.dumps(contents).encode()
    head += b" " * (-len(head) % 8)
    return bytearray(struct.pack("<Q", len(head)) + head + numbers)


def test_a_file_fills_a_model_and_gives_the_same_streams(small, tensors):
    tensors["embeddings.position_ids"] = torch.arange(9)[None]  # the real file has it, too, and nobody reads it
    read = tensors_in(as_file(tensors))
    assert read.keys() == tensors.keys() and all(read[name].equal(tensor) for name, tensor in tensors.items())
    model = filled(MiniLM(**SMALL), read)
    ids = torch.randint(20, (2, 5))
    assert model(ids)[0].equal(small(ids)[0])
    assert not model.training and not any(parameter.requires_grad for parameter in model.parameters())


def test_a_tensor_that_lacks_or_does_not_fit_is_named(tensors):
    lacking = dict(tensors)
    del lacking["encoder.layer.1.output.dense.bias"]
    with pytest.raises(KeyError, match="encoder.layer.1.output.dense.bias"):
        filled(MiniLM(**SMALL), lacking)
    tensors["encoder.layer.0.output.dense.bias"] = torch.zeros(13)
    with pytest.raises(RuntimeError, match="blocks.0.feed_forward.narrow.bias"):
        filled(MiniLM(**SMALL), tensors)


def test_without_weights_random_numbers_stand_in_and_it_says_so(no_weights, capsys):
    before = torch.get_rng_state()
    model = load_or_stand_in()
    assert "RANDOM NUMBERS" in capsys.readouterr().out and torch.get_rng_state().equal(before)
    assert model.blocks[5].attention.num_heads == 12
