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


def test_its_map_names_each_file_and_what_it_says_to_be_in_a_file_is_there():
    map_of_files = (COURSE / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Where it is")[1]
    roots = ("utils", "notebooks/companion", "notebooks/assignments", "website", "tests")
    files = [file for root in roots for file in (COURSE / root).rglob("*") if file.suffix in {".py", ".js", ".html"}]
    named, told = set(), []
    for part in re.split(r"[;\n]", map_of_files):  # a part says of some files what is in them
        words = [word.rpartition("/")[2] for word in re.findall(r"`([^` ]+)`", part)]
        texts = [file.read_text(encoding="utf-8") for file in files if file.name in words]
        told += [any(word in text for text in texts) for word in words if word.isidentifier() and texts]
        named |= {word for word in words if word.endswith((".py", ".js", ".html"))}
    by_rule = re.compile(r"tests/\w+/(?<!running/)|checks/a\d|/(notebook|handbook|test)_|__init__")
    paths = [file.relative_to(COURSE).as_posix() for file in files if file.suffix == ".py"]
    owed = {path.rpartition("/")[2] for path in paths if not by_rule.search(path)}
    assert owed - named == set() and named - {file.name for file in files} == set()
    assert all(told) and len(told) > 20


def test_the_course_reads_and_writes_utf_8_on_every_system():
    files = [file for home in ("notebooks", "utils", "website") for file in (COURSE / home).rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    lines = re.findall(r'^(?!.*"/proc/|.* csv_tables).*\.(?:read|write)_text\(.*', "\n".join(texts), re.MULTILINE)
    assert len(lines) > 25 and [line for line in lines if 'encoding="utf-8"' not in line] == []
