"""The processes of a run: how many there are, how each begins, and which files run in the same."""

import gc
import os

import nbval.kernel
import psutil  # comes with ipykernel
import torch
from xdist.scheduler import LoadFileScheduling

from kernels import twice
from running import forked


def pytest_xdist_auto_num_workers(config):
    """Return one more process than there are cores, as each waits at times; with its kernel, one takes 1.5 GB."""
    return max(1, min((os.cpu_count() or 1) + 1, psutil.virtual_memory().total // 1_500_000_000))


def pytest_configure(config):
    gc.disable()  # until all is collected: thousands of tests stay, and would be gone through again and again
    torch.set_num_threads(1)  # the tests' tensors are small: threads would only wait for each other
    os.environ["OMP_NUM_THREADS"] = "1"  # in kernels, too
    forked.use()
    nbval.kernel.start_new_kernel = twice(nbval.kernel.start_new_kernel)
    os.environ["COURSE_MINE"] = ""  # for each kernel, too: what somebody keeps in mine.py changes no output


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


class Scheduling(LoadFileScheduling):
    """Each file runs in one process, and all that needs the browser in the same: there is one JupyterLab."""

    def _split_scope(self, nodeid):
        return "browser" if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return Scheduling(config, log)
