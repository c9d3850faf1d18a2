import pytest
import torch

from companion.pretrained.safetensors import tensors_in


@pytest.fixture
def tensors():
    torch.manual_seed(0)
    return {"a": torch.randn(3, 4), "b.c": torch.arange(5), "half": torch.randn(2, 2).half(), "one": torch.tensor(7.0)}


def test_tensors_come_back_with_their_names_shapes_and_numbers(tensors, as_file, tmp_path):
    read = tensors_in(bytearray(as_file(tensors, tmp_path / "t").read_bytes()))
    assert read.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert read[name].dtype == tensor.dtype and read[name].equal(tensor)


@pytest.mark.parametrize("kept", [0, 5, 8, 40])
def test_a_file_that_ends_in_its_table_of_contents_is_refused(tensors, as_file, tmp_path, kept):
    with pytest.raises(ValueError, match=f"{kept} bytes ends before its table of contents"):
        tensors_in(bytearray(as_file(tensors, tmp_path / "t").read_bytes()[:kept]))


def test_a_file_that_ends_in_its_numbers_is_refused(tensors, as_file, tmp_path):
    with pytest.raises(ValueError, match="one ends at byte .* but the file has"):
        tensors_in(bytearray(as_file(tensors, tmp_path / "t").read_bytes()[:-1]))


def test_numbers_of_an_unknown_kind_are_refused(tensors, as_file, tmp_path):
    content = as_file(tensors, tmp_path / "t").read_bytes().replace(b'"F16"', b'"F8E"')
    with pytest.raises(ValueError, match="half holds numbers of kind F8E; read are F32, F16, I64"):
        tensors_in(bytearray(content))
