"""Kernels forked from a process that has imported already what each of them would take two seconds to import.

A run starts some seventy kernels. Each is the program that `jupyter_client` would start, with the same arguments,
environment and folder; on other systems than Linux it does start them itself.
"""

import multiprocessing
import os
import re
import runpy
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

SERVER = multiprocessing.get_context("forkserver") if sys.platform == "linux" else None


def use():
    """Let each kernel that this process starts from now on be a fork."""
    if SERVER:
        SERVER.set_forkserver_preload(["ipykernel.kernelapp", "ipywidgets", "matplotlib.figure", "torch"])
        factory = KernelProvisionerFactory.instance()
        factory.provisioners["forked"] = EntryPoint("forked", f"{__name__}:Forked", factory.GROUP_NAME)
        factory.default_provisioner_name = "forked"


class Forked(LocalProvisioner):
    async def launch_kernel(self, cmd, *, env, cwd=None, **_):
        self.process = Process(target=_be, args=(cmd, env, cwd or os.getcwd()), daemon=True)
        self.process.start()
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class Process(SERVER.Process if SERVER else object):
    """A fork with the names of a `subprocess.Popen`, by which `jupyter_client` handles it."""

    stdin = stdout = stderr = None

    def poll(self):
        return self.exitcode

    def wait(self):
        self.join()
        return self.exitcode

    def send_signal(self, number):
        os.kill(self.pid, number)


def _be(command, environment, folder):
    """Be `command`, which is a Python and `-m`, a module, and its arguments."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    server = os.getppid()
    pages = re.search(r"RssFile:\s+(\d+)", Path(f"/proc/{server}/status").read_text())[1]  # kB of libraries in memory
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(server), LIBRARY_PAGES=pages)
    os.chdir(folder)
    # Of this process's folders those of Python, not the tests' own.
    python = [folder for folder in sys.path if folder.startswith((sys.prefix, sys.base_prefix))]
    sys.path = [*filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)), *python]
    module, sys.argv[1:] = command[2], command[3:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
