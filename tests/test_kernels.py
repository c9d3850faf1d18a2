"""A test's kernel tests the checkout whose tests run, not the one that is installed."""

from unittest.mock import Mock

import pytest

from kernels import Kernel, twice


def test_a_kernel_imports_from_the_pythonpath_of_the_run(tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    kernel = Kernel()
    try:
        assert kernel.says("import only_here; only_here.__name__") == ["'only_here'"]
        assert kernel.says("print(1)", "import kernels; print(2); kernels.__name__") == ["2", "'kernels'"]
        assert kernel.says("import os; os.environ['COURSE_MINE']") == ["''"]
        with pytest.raises(RuntimeError, match="1 / 0"):
            kernel.says("1 / 0", "1")
    finally:
        kernel.close()


def test_a_kernel_that_dies_at_once_is_started_again():
    assert twice(Mock(side_effect=[RuntimeError, "a kernel"]))(port=1) == "a kernel"
