"""Settings of the whole run, its one switch, and a watch over the notebooks' kernels: a dead one fails at once."""

import pytest
import torch


class DeadKernel:
    def pytest_runtest_setup(self, item):
        kernel = getattr(item.parent, "kernel", None)
        if kernel is not None and not kernel.is_alive():
            pytest.fail("the notebook's kernel died in an earlier cell", pytrace=False)


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run all cases of the tests that run a sample by default")


def pytest_configure(config):
    torch.set_num_threads(1)  # the tests' tensors are small: threads would only wait for each other
    # Registered for the whole run: a conftest's own hooks would reach the tests in its folder only.
    config.pluginmanager.register(DeadKernel())
    config.addinivalue_line("markers", "only_with_all: slow, and much like a case that always runs")


def pytest_report_header(config):
    return "cases: all" if config.getoption("--all") else "cases: a sample of those that take long; --all runs all"


def pytest_collection_modifyitems(config, items):
    if config.getoption("--all"):
        return
    left_out = [item for item in items if item.get_closest_marker("only_with_all")]
    items[:] = [item for item in items if not item.get_closest_marker("only_with_all")]
    config.hook.pytest_deselected(items=left_out)
