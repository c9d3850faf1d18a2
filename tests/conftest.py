"""Let the run of the notebooks notice a kernel that died, instead of waiting for it cell by cell."""

import pytest


class DeadKernel:
    def pytest_runtest_setup(self, item):
        kernel = getattr(item.parent, "kernel", None)
        if kernel is not None and not kernel.is_alive():
            pytest.fail("the notebook's kernel died in an earlier cell", pytrace=False)


def pytest_configure(config):
    # Registered for the whole run: a conftest's own hooks would reach the tests in its folder only.
    config.pluginmanager.register(DeadKernel())
