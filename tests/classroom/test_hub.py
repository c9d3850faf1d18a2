"""A class on a real hub, on this machine alone: with the recipe's settings, but without accounts of the system.

To run it, put the folder with `jupyterhub` and `configurable-http-proxy` into PATH.
"""

import contextlib
import csv
import runpy
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import nbformat
import pytest
import requests
from students import PATIENCE, Student, account, kill, usage

from assignments import FOLDER, most
from classroom import hand_out
from classroom.__main__ import main

HUB = FOLDER / "hub"
PROGRAMS = ("jupyterhub", "jupyterhub-singleuser", "configurable-http-proxy")
MISSING = [name for name in PROGRAMS if not shutil.which(name)]
HAND_IN = "a1_single_head"
PLACE = f"assignments/{HAND_IN}/{HAND_IN}.ipynb"
SIXTH = "06_context_vectors.ipynb"
SETTINGS = """
load_subconfig({recipe!r})
c.JupyterHub.bind_url, c.JupyterHub.hub_bind_url = "http://127.0.0.1:{0}", "http://127.0.0.1:{1}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{2}"
c.JupyterHub.authenticator_class, c.Authenticator.allow_all = "dummy", True  # in place of the system's accounts
c.JupyterHub.spawner_class = "simple"  # in place of systemd's units
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.Spawner.environment["CLASS"] = {group!r}
c.Spawner.args = [*c.Spawner.args, "--allow-root"]
c.JupyterHub.cleanup_servers = True
"""


@pytest.fixture
def group(tmp_path):
    """What the class gets."""
    folder = tmp_path / "class"
    shutil.copytree(FOLDER.parent, folder, ignore=shutil.ignore_patterns("assignments", ".*"))
    shutil.copytree(FOLDER / "release", folder / "assignments")
    return folder


@pytest.fixture
def hub(tmp_path, group):
    """The address of a running hub; all that it started ends with it."""
    if MISSING:
        pytest.skip(f"no hub is installed here: {', '.join(MISSING)} not found")
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    settings = tmp_path / "settings.py"
    (tmp_path / "homes").mkdir()
    places = {"recipe": str(HUB / "jupyterhub_config.py"), "homes": str(tmp_path / "homes"), "group": str(group)}
    settings.write_text(SETTINGS.format(*ports, **places), encoding="utf-8")
    with open(tmp_path / "hub.log", "w") as log:
        process = subprocess.Popen(["jupyterhub", "-f", settings], cwd=tmp_path, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{ports[0]}/hub/health", process, tmp_path / "hub.log")
            yield f"http://127.0.0.1:{ports[0]}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def wait_for(address, process, log):
    for _ in range(300):
        with contextlib.suppress(requests.ConnectionError):
            if requests.get(address).ok:
                return
        time.sleep(0.2)
        assert process.poll() is None, log.read_text()[-2_000:]
    pytest.fail(f"the hub did not answer: {log.read_text()[-2_000:]}")


@pytest.mark.only_with_all
@pytest.mark.parametrize("number", [1, 20])
def test_a_class_works_is_interrupted_updated_and_graded(number, hub, group, tmp_path, record_property):
    students = [Student(hub, f"student{each}") for each in range(number)]

    def arrive(student):
        began = time.monotonic()
        student.log_in()
        student.start()
        student.times["server"] = time.monotonic() - began
        assert student.run(SIXTH) == []

    with ThreadPoolExecutor(number) as class_room:
        list(class_room.map(arrive, students))
    private, share, processor = map(median, zip(*(usage(each.name) for each in students)))
    server, kernel, notebook = (max(each.times[what] for each in students) for what in ("server", "kernel", "notebook"))
    record_property(
        "measured",
        f"{number} at once: the last has a server in {server:.1f} s, a kernel {kernel:.1f} s later, notebook 06 whole "
        f"{notebook:.1f} s after opening it; each takes {processor:.1f} s of a processor and {private:.0f} MB "
        f"({share:.0f} with a share of what is common)",
    )
    for student in students:
        student.contents(PLACE, type="notebook", format="json", content=solved(student.name))
        student.contents("my own.txt", type="file", format="text", content=student.name)
    saved = students[0].contents(SIXTH)
    kill(students[0].name)
    (group / SIXTH).write_text((group / SIXTH).read_text(encoding="utf-8").replace("What comes out?", "NEWER"))
    (group / "my own.txt").write_text("the class's")
    (group / "00_start_here.ipynb").write_text((group / "01_tokenization.ipynb").read_text(encoding="utf-8"))
    students[0].start()
    assert students[0].contents(SIXTH) == saved and students[0].contents("my own.txt") == students[0].name
    assert students[0].contents("00_start_here.ipynb") == students[0].contents("01_tokenization.ipynb")
    class_list = [account(tmp_path / "homes" / each.name) for each in students]
    (tmp_path / "submitted").mkdir()
    assert runpy.run_path(HUB / "collect.py")["collect"](HAND_IN, class_list, tmp_path / "submitted") == {}
    assert main(["grade", HAND_IN, str(tmp_path / "submitted"), str(tmp_path / "graded")]) == 0
    with open(tmp_path / "graded" / "grades.csv", encoding="utf-8-sig", newline="") as file:
        points = {row["student"]: row[f"points (of {most(HAND_IN)})"] for row in csv.DictReader(file)}
    assert points == {each.name: str(most(HAND_IN)) for each in students}


def solved(name):
    """Return the assignment's solution with a cell of the student's own."""
    notebook = hand_out.source(HAND_IN)
    notebook.cells.append(nbformat.v4.new_code_cell(f"# by {name}"))
    return notebook
