import pytest
import torch

from companion.pretrained.safetensors import tensors_in


@pytest.fixture
def tensors():
    torch.manual_seed(0)
    return {"a": torch.randn(3, 4), "b.c": torch.arange(5), "one": torch.tensor(7.0)}


def test_tensors_come_back_with_their_names_shapes_and_numbers(tensors, as_file, tmp_path):
    read = tensors_in(bytearray(as_file(tensors, tmp_path / "t").read_bytes()))
    assert read.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert read[name].dtype == tensor.dtype and read[name].equal(tensor)
