"""The model in the course's own modules: on small made-up weights, and on the real ones where they are."""

import json
import struct

import pytest
import torch
from torch import nn

from companion.worlds.pretrained import minilm, weights
from companion.worlds.pretrained.minilm import EMBEDDINGS, NAMES, MiniLM, batch, filled, load_or_stand_in, mean_pool
from companion.worlds.pretrained.safetensors import tensors_in
from companion.worlds.pretrained.two_meanings import lean, margins
from companion.worlds.pretrained.wordpiece import WordPiece
from pytorchs import pytorchs_names
from utils.attention import padding_mask

SMALL = {"num_tokens": 20, "d_model": 12, "num_heads": 3, "d_hidden": 24, "num_layers": 2, "num_places": 9}
REFERENCE = minilm.reference()
real = pytest.mark.skipif(weights.MINILM.find() is None, reason=f"the real weights are not here; run {weights.FETCH}")


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
        layer.load_state_dict(pytorchs_names(block.state_dict()))
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


def test_a_batch_is_filled_up_and_the_average_leaves_the_padding_out():
    ids, real = batch(["minute", "one minute more"], WordPiece())
    assert real.tolist() == [[True] * 3 + [False] * 2, [True] * 5]
    assert ids[0].tolist() == [101, 3371, 102, 0, 0]
    torch.manual_seed(0)
    stream = torch.randn(2, 5, 4)
    pooled = mean_pool(stream, real)
    torch.testing.assert_close(pooled, torch.stack([stream[0, :3].mean(dim=0), stream[1].mean(dim=0)]))


def test_without_weights_random_numbers_stand_in_and_it_says_so(no_weights, capsys):
    before = torch.get_rng_state()
    model = load_or_stand_in()
    assert "RANDOM NUMBERS" in capsys.readouterr().out and torch.get_rng_state().equal(before)
    assert model.blocks[5].attention.num_heads == 12


@real
def test_the_real_weights_give_the_embeddings_of_sentence_transformers():
    ids, is_real = batch(REFERENCE["sentences"], WordPiece())
    streams, _ = load_or_stand_in()(ids, is_real[:, None, :])
    embeddings = nn.functional.normalize(mean_pool(streams[-1], is_real), dim=-1)
    torch.testing.assert_close(embeddings, REFERENCE["embeddings"], rtol=0, atol=1e-6)


def test_an_emptied_token_is_read_but_hands_over_nothing(small):
    ids, token = torch.randint(20, (2, 5)), torch.arange(5) == torch.tensor([[1], [3]])
    block = small.blocks[0]
    stream, weights = small(ids)[0][0], small(ids)[1][0]
    value = (block.attention.W_value(stream) * ~token[..., None]).unflatten(-1, (3, 4)).transpose(1, 2)
    change = block.attention.W_output((weights @ value).transpose(1, 2).flatten(-2))
    stream = block.norm1(stream + change)
    expected = block.norm2(stream + block.feed_forward(stream))
    torch.testing.assert_close(minilm.emptied(small, ids, None, token)[1], expected)
    assert small(ids)[0].equal(minilm.emptied(small, ids, None, token & False))  # and the hooks are gone


def test_a_margin_compares_the_nearest_of_both_meanings():
    angles = torch.linspace(0, 1, 12)
    both = torch.cat([angles, angles + 2])
    differences = margins(torch.stack([both.cos(), both.sin()], dim=-1)[None])
    first = torch.tensor(1 / 11).cos() - torch.tensor(2.0).cos()
    torch.testing.assert_close(differences[0, 0], first, atol=1e-4, rtol=0)
    assert differences.shape == (1, 24) and differences.min() > 0
    assert margins(torch.ones(1, 24, 2)).eq(0).all()  # equals are a tie


def test_a_vector_leans_to_the_meaning_whose_nearest_is_nearer():
    torch.manual_seed(0)
    vectors, known = torch.randn(3, 8), torch.randn(24, 8)

    def nearest(vector, others):
        return max(torch.cosine_similarity(vector, row, dim=0) for row in others)

    expected = [nearest(row, known[:12]) - nearest(row, known[12:]) for row in vectors]
    torch.testing.assert_close(lean(vectors, known), torch.tensor(expected))
