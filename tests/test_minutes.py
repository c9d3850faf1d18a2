"""The minutes that the course states are those that `minutes.py` computes from the notebooks."""

import re
from functools import cache
from pathlib import Path

import pytest

from minutes import README, rewritten, thread_minutes
from reading import NOTEBOOKS, read

REWRITTEN = cache(rewritten)
LONGEST = 40, 50  # minutes of a thread up to 11, and after it: what takes longer is two notebooks


@pytest.mark.parametrize("path", [*NOTEBOOKS, README], ids=lambda path: path.stem)
def test_every_stated_minute_is_computed(path):
    assert REWRITTEN()[path] == path.read_text(encoding="utf-8"), "run python tests/minutes.py"


STATED = r"thread takes \d+|exercises \d+ more|so far:\*\* \d+ of \d+"
STATED += r"|^About \d+|\? \| [\d\xa0+]+ \|($| \d* \|\\n)|\*\*[\d\xa0+]+\*\* \|$"


def test_older_minutes_are_written_over(monkeypatch):
    def older(path, **options):
        return re.sub(STATED, lambda part: re.sub(r"\d+", "7", part[0]), text(path, **options), flags=re.MULTILINE)

    text, now = Path.read_text, REWRITTEN()
    monkeypatch.setattr(Path, "read_text", older)
    assert README.read_text(encoding="utf-8") != now[README] and rewritten() == now


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_thread_takes_one_sitting(path):
    assert thread_minutes(read(path)) <= LONGEST[path.name > "12"]
