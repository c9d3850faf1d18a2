"""The minutes that the course states are those that `minutes.py` computes from the notebooks."""

from functools import cache

import pytest

from minutes import README, of_thread, rewritten
from reading import NOTEBOOKS, read

REWRITTEN = cache(rewritten)
LONGEST = 40, 50  # minutes of a thread up to 11, and after it: what takes longer is two notebooks


@pytest.mark.parametrize("path", [*NOTEBOOKS, README], ids=lambda path: path.stem)
def test_every_stated_minute_is_computed(path):
    assert REWRITTEN()[path] == path.read_text(encoding="utf-8"), "run python tests/minutes.py"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_thread_takes_one_sitting(path):
    assert of_thread(read(path)) <= LONGEST[path.name > "12"]
