"""Simulated students, who do what a browser does: log in, start a server, open a notebook, run it whole, save it."""

import contextlib
import json
import os
import pwd
import re
import signal
import time
import uuid
from pathlib import Path

import requests
import websocket

PATIENCE = 300  # seconds, for a whole class that starts at once


class Student:
    """A student in a browser's stead. times: {what: seconds}."""

    def __init__(self, hub, name):
        self.hub, self.name, self.times = hub, name, {}
        self.server, self.browser = f"{hub}/user/{name}", requests.Session()

    def log_in(self):
        page = self.browser.get(f"{self.hub}/hub/login")
        token = re.search('name="_xsrf" value="([^"]+)"', page.text)[1]
        data = {"_xsrf": token, "username": self.name, "password": "any"}
        answer = self.browser.post(f"{self.hub}/hub/login", data=data, allow_redirects=False)
        assert answer.status_code == 302, f"{self.name} could not log in: {answer.status_code}"

    def start(self):
        """Start the server, as the hub's button does, and wait until it answers."""
        end = time.monotonic() + PATIENCE
        page = f"{self.server}/lab"  # on the way to which the hub hands over who it is
        while (answer := self.browser.get(page)).status_code != 200 or not answer.url.startswith(page):
            assert answer.status_code != 500 and time.monotonic() < end, (
                f"{self.name} has no server: {answer.status_code} {answer.text[:200]}"
            )
            if answer.status_code == 424:  # a page that says that no server runs
                self.browser.get(f"{self.hub}/hub/spawn")
            time.sleep(1)  # a browser asks less often

    def contents(self, path, **changes):
        """Return a file as the server has it; with `content=`, save that first."""
        if changes:
            self._ask("PUT", f"contents/{path}", changes)
        return self._ask("GET", f"contents/{path}")["content"]

    def run(self, path):
        """Run a notebook whole, save it, and return the names of the errors that its cells raised."""
        began, errors = time.monotonic(), []
        wanted = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        notebook, session = self.contents(path), self._ask("POST", "sessions", wanted)["kernel"]["id"]
        cookies = requests.utils.dict_from_cookiejar(self.browser.cookies)  # the paths do not matter: one student each
        kernel = websocket.create_connection(
            f"{self.server}/api/kernels/{session}/channels".replace("http", "ws", 1),
            cookie="; ".join(f"{name}={value}" for name, value in cookies.items()),
            origin=self.hub,
            timeout=PATIENCE,
        )
        self._execute(kernel, "1")
        self.times["kernel"] = time.monotonic() - began
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = self._execute(kernel, cell["source"])
                errors += [output["ename"] for output in cell["outputs"] if output["output_type"] == "error"]
        self.times["notebook"] = time.monotonic() - began
        self.contents(path, type="notebook", format="json", content=notebook)
        return errors

    def _ask(self, method, path, body=None):
        token = next(each.value for each in self.browser.cookies if each.name == "_xsrf" and self.name in each.path)
        headers = {"X-XSRFToken": token, "Referer": f"{self.server}/lab"}
        answer = self.browser.request(method, f"{self.server}/api/{path}", json=body, headers=headers)
        assert answer.ok, f"{self.name}: {method} {path} gave {answer.status_code} {answer.text[:200]}"
        return answer.json()

    @staticmethod
    def _execute(kernel, source):
        """Run a cell and return its outputs, once the kernel rests."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": "", "session": "", "date": ""}
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        content["stop_on_error"] = False
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        kernel.send(json.dumps({**message, "header": {**header, "version": "5.3"}}))
        outputs = []
        while True:
            answer = json.loads(kernel.recv())
            if answer["parent_header"].get("msg_id") != header["msg_id"] or answer["channel"] != "iopub":
                continue
            kind, content = answer["msg_type"], answer["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return outputs
            if kind in ("stream", "display_data", "execute_result", "error"):
                outputs.append({"output_type": kind, **{key: content[key] for key in content if key != "transient"}})


def account(home, user=None):
    """Return an account as `pwd` has it, named as its home is."""
    user = os.getuid() if user is None else user
    return pwd.struct_passwd((home.name, "", user, user, "", str(home), ""))


def usage(name):
    """Return what a student's server and kernels take: megabytes that no other process has, megabytes with the fair
    share of what is common, and processor seconds since they began."""
    private = share = ticks = 0
    for process in processes(name):
        with contextlib.suppress(OSError):  # it has ended
            sizes = dict(re.findall(r"(\w+): +(\d+) kB", (process / "smaps_rollup").read_text()))
            private += int(sizes["Private_Clean"]) + int(sizes["Private_Dirty"])
            share += int(sizes["Pss"])
            ticks += sum(map(int, (process / "stat").read_text().rpartition(") ")[2].split()[11:13]))
    return private / 1024, share / 1024, ticks / os.sysconf("SC_CLK_TCK")


def kill(name):
    """End a student's server as a crash would, with all that it started."""
    for process in processes(name):
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(process.name), signal.SIGKILL)


def processes(name):
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            if f"JUPYTERHUB_USER={name}\0".encode() in (process / "environ").read_bytes():
                yield process
