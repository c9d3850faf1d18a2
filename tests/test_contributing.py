"""What CONTRIBUTING.md says of the code holds: its form, and where everything is."""

import re
import subprocess
import sys

import pytest

from reading import COURSE


@pytest.mark.parametrize("command", ["check", "format --check"])
def test_ruff_has_nothing_to_change(command):
    run = subprocess.run([sys.executable, "-m", "ruff", *command.split(), COURSE], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_every_path_that_it_names_exists():
    text = re.sub(r"```.*?```", "", (COURSE / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    tops = "tests|notebooks|companion|classroom|website|utils|binder"
    named = {path for part in re.findall(r"`([^`]+)`", text) for path in re.findall(rf"\b(?:{tops})/[\w./*-]*", part)}
    roots = (COURSE, COURSE / "notebooks", COURSE / "notebooks/assignments")
    missing = [path for path in named if not any(any(root.glob(path)) for root in roots)]
    assert not missing and len(named) > 20


def test_what_it_says_to_be_in_a_file_is_there():
    text = (COURSE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    claims = re.findall(r"`(\w+)`(?: and `\w+`)? in `((?:tests|companion|classroom|website)/[\w/]+\.py)`", text)
    homes = [COURSE, COURSE / "notebooks", COURSE / "notebooks/assignments"]
    files = {path: next(home / path for home in homes if (home / path).exists()) for _, path in claims}
    told = {(name, path) for name, path in claims if name in files[path].read_text(encoding="utf-8")}
    assert told == {*claims} and len(claims) > 10


def test_the_course_reads_and_writes_utf_8_on_every_system():
    files = [file for home in ("notebooks", "utils", "website") for file in (COURSE / home).rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    lines = re.findall(r'^(?!.*"/proc/|.* csv_tables).*\.(?:read|write)_text\(.*', "\n".join(texts), re.MULTILINE)
    assert len(lines) > 25 and [line for line in lines if 'encoding="utf-8"' not in line] == []
