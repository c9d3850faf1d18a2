import pytest
import torch

from companion.worlds.pronunciation.trained import load_trained, store

RECORD = {"model": {"d_model": 32, "num_heads": 2}}


@pytest.fixture
def files(learned, tmp_path):
    weights, record = tmp_path / "weights.pt", tmp_path / "record.json"
    store(learned, RECORD, weights, record)
    return weights, record


def test_the_weights_come_back_to_16_bits_and_compute_in_32(learned, files):
    model, record = load_trained(*files)
    assert not model.training and record["model"] == RECORD["model"]
    for name, tensor in model.state_dict().items():
        assert tensor.dtype == torch.float32
        torch.testing.assert_close(tensor, learned.state_dict()[name], rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("position", [0, 5_000, -1])
def test_one_wrong_byte_is_refused(files, position):
    stored = bytearray(files[0].read_bytes())
    stored[position] ^= 1
    files[0].write_bytes(stored)
    with pytest.raises(ValueError, match="weights.pt does not hold what was stored; get this file again"):
        load_trained(*files)
