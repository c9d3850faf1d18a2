import hashlib

import pytest

from companion.pretrained import weights


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
