"""A test's kernel tests the checkout whose tests run, not the one that is installed."""

from kernels import Kernel


def test_a_kernel_imports_from_the_pythonpath_of_the_run(tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    kernel = Kernel()
    try:
        assert kernel.says("import only_here; only_here.__name__") == ["'only_here'"]
        assert kernel.says("import kernels; kernels.__name__") == ["'kernels'"]
    finally:
        kernel.close()
