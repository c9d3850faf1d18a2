import dataclasses
import hashlib

import pytest

from companion.worlds.pretrained import weight_files


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """The folder into which weights are fetched: one that is not there yet."""
    monkeypatch.setattr(weight_files, "FOLDER", tmp_path / "nowhere")
    return tmp_path / "nowhere"


@pytest.fixture
def small_file(tmp_path, nowhere):
    """A small file, and a `WeightFile` of its size and SHA-256."""
    path = tmp_path / "right.safetensors"
    path.write_bytes(bytes(range(256)) * 40)
    known = {"size": 10_240, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "official": path.as_uri()}
    return path, dataclasses.replace(weight_files.MINILM, name="small", package="no_package_of_this_name", **known)


@pytest.fixture
def no_weights(nowhere, monkeypatch):
    """Hide the real weights, as if they were not on this machine."""
    for name in ("MINILM", "SMOLLM"):
        hidden = dataclasses.replace(getattr(weight_files, name), package="no_package_of_this_name")
        monkeypatch.setattr(weight_files, name, hidden)
