import hashlib
import json
import struct

import pytest

from companion.pretrained import weights


@pytest.fixture
def as_file():
    """Return a function that writes tensors in the format safetensors, by the format's own description."""

    def write(tensors, path):
        contents, numbers = {"__metadata__": {"format": "pt"}}, b""
        for name, tensor in tensors.items():
            raw = tensor.contiguous().numpy().tobytes()
            kind = {"torch.float32": "F32", "torch.int64": "I64"}[str(tensor.dtype)]
            offsets = [len(numbers), len(numbers) + len(raw)]
            contents[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": offsets}
            numbers += raw
        head = json.dumps(contents).encode()
        head += b" " * (-len(head) % 8)
        path.write_bytes(struct.pack("<Q", len(head)) + head + numbers)
        return path

    return write


@pytest.fixture
def right_file(tmp_path):
    """A small file that stands for the weights, with its size and its SHA-256."""
    path = tmp_path / "right.safetensors"
    path.write_bytes(bytes(range(256)) * 40)
    return path, {"size": 10_240, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


@pytest.fixture
def no_weights(tmp_path, monkeypatch):
    """Hide the real weights, as if they were not on this machine."""
    monkeypatch.setattr(weights, "FILE", tmp_path / "nowhere" / "weights.safetensors")
    monkeypatch.setattr(weights, "PACKAGE", "no_package_of_this_name")
