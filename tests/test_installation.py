import importlib
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from companion import installation
from companion.installation import check_installation, pinned
from reading import NOTEBOOKS, code_cells, read

MENDING = "python -m pip install -r requirements.txt"
WELL = "All is well: the course runs here.\n"
TORCH = torch.__version__.split("+")[0]


@pytest.fixture
def printed_for(tmp_path, monkeypatch, capsys):
    """Return what the check prints when requirements.txt holds the given text."""

    def check(requirements):
        path = tmp_path / "requirements.txt"
        path.write_text(requirements, encoding="utf-8")
        monkeypatch.setattr(installation, "REQUIREMENTS", path)
        check_installation()
        return capsys.readouterr().out

    return check


def test_what_is_missing_or_of_another_version_is_named_with_the_command(printed_for):
    text = printed_for("no-package-of-the-course==1\nregex==0.0.1\nmissing-too==2\n" + f"torch=={TORCH}\n")
    assert "no-package-of-the-course is not installed" in text and "missing-too is not installed" in text
    assert "is installed; the course's numbers were stored with 0.0.1" in text and "torch" not in text
    assert MENDING in text and "restart the kernel" in text.lower() and WELL not in text


@pytest.mark.parametrize("build", ["", "+cpu", "+cu130"])
def test_comments_and_builds_for_other_processors_make_no_difference(build, printed_for, monkeypatch):
    monkeypatch.setattr(installation, "version", lambda name: f"2.13.0{build}")
    assert printed_for("# note==1\n\ntorch==2.13.0  # the engine\n-e .\n") == WELL
    assert pinned() == {"torch": "2.13.0"}


@pytest.mark.parametrize("name", ["utils", "companion"])
def test_a_file_that_hides_the_courses_own_is_named(name, printed_for, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    assert printed_for("") == WELL, "a package does no harm"
    (tmp_path / name).rename(tmp_path / "other")
    (tmp_path / f"{name}.py").write_text("def helper(): pass")
    importlib.invalidate_caches()
    assert f"{tmp_path / name}.py hides the course's own `{name}`" in printed_for("")
    monkeypatch.setattr(installation, "PathFinder", SimpleNamespace(find_spec=lambda name: None))  # as installed
    assert printed_for("") == WELL


@pytest.mark.parametrize("python, fine", [((3, 10), False), ((3, 11), True), ((4, 0), True)])
def test_python_must_be_new_enough(python, fine, printed_for, monkeypatch):
    monkeypatch.setattr(installation, "sys", SimpleNamespace(version_info=python))
    text = printed_for("")
    assert (text == WELL) is fine
    assert fine or "Python 3.10 is too old; the course needs 3.11 or newer" in text


def test_without_the_course_its_first_cell_says_what_to_do(tmp_path):
    source = code_cells(read(NOTEBOOKS[0]))[0].source
    alone = [sys.executable, "-I", "-S", "-c", source]
    picture = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True)
    assert picture.stderr == "" and MENDING in picture.stdout and "restart the kernel" in picture.stdout
