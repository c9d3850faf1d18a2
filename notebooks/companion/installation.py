"""Tell a newcomer whether the course can run here, and how to mend it if not. Uses only Python itself."""

import sys
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[2] / "requirements.txt"
MEND = "in the course's folder, run:  python -m pip install -r requirements.txt"


def check_installation():
    """Print what is missing or of another version than the course was tested with, or that all is well."""
    problems = list(_problems())
    for problem in problems:
        print(f"- {problem}")
    print(
        f"To mend it: {MEND}\nThen restart the kernel (menu Kernel)."
        if problems
        else "All is well: the course runs here."
    )


def _problems():
    if sys.version_info < (3, 11):  # noqa: UP036, the packaging's own check can be skipped
        yield f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old; the course needs 3.11 or newer"
    # A package of that name does no harm: Python asks the course's own finder for `utils.attention` all the same.
    for name in ("utils", "companion"):
        spec = PathFinder.find_spec(name)
        if spec and not spec.submodule_search_locations:
            yield f"{spec.origin} hides the course's own `{name}`; give that file another name, or move it"
    for name, pin in pinned().items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            yield f"{name} is not installed"
        else:
            if installed.split("+")[0] != pin:  # "2.13.0+cpu" is torch 2.13.0, built without CUDA
                yield f"{name} {installed} is installed; the course's numbers were stored with {pin}"


def pinned():
    """Return {package: version} as pinned in requirements.txt."""
    lines = (line.split("#")[0].strip() for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines())
    return dict(line.split("==") for line in lines if "==" in line)
