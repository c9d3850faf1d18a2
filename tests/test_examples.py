"""The examples in docstrings give what they say."""

import doctest
import importlib

import pytest

from reading import COURSE

HOMES = {"utils": COURSE / "utils", "companion": COURSE / "notebooks" / "companion"}
MODULES = [
    ".".join([top, *path.relative_to(home).with_suffix("").parts])
    for top, home in HOMES.items()
    for path in sorted(home.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_hold(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted and not result.failed
