"""Settings of the whole run, and a watch over the notebooks' kernels: a dead one fails at once, not cell by cell."""

import pytest
import torch


class DeadKernel:
    def pytest_runtest_setup(self, item):
        kernel = getattr(item.parent, "kernel", None)
        if kernel is not None and not kernel.is_alive():
            pytest.fail("the notebook's kernel died in an earlier cell", pytrace=False)


def pytest_configure(config):
    torch.set_num_threads(1)  # the tests' tensors are small: threads would only wait for each other
    # Registered for the whole run: a conftest's own hooks would reach the tests in its folder only.
    config.pluginmanager.register(DeadKernel())
