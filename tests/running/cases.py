"""Which cases run, and in which order: all with `--all`, else a sample of those that take long."""

import pytest

FAST = "not slow"  # what `-m` says for the fast line
# What the fast line leaves out, with all that needs a browser: the grader, what trains, the installation.
SLOW = ("tests/classroom/", "tests/worlds/stories/", "tests/test_door.py")
SLOW += ("tests/test_mine.py", "tests/test_setup.py", "tests/test_store.py")
SLOW += tuple(f"notebooks/{number}" for number in ("07", "08", "09", "1", "2"))  # 1: from 10 on


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run all cases of the tests that run a sample by default")


def pytest_ignore_collect(collection_path, config):
    """Do not even read what the fast line leaves out: parts of it cannot be imported on each system."""
    path = f"{collection_path.as_posix()}/".removeprefix(f"{config.rootpath.as_posix()}/")
    return True if config.option.markexpr == FAST and path.startswith(SLOW) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Let what is slow start first, then notebooks, so that small files come last and all processes end together."""
    if not config.getoption("--all"):
        left_out = [item for item in items if item.get_closest_marker("only_with_all")]
        items[:] = [item for item in items if not item.get_closest_marker("only_with_all")]
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        if item.nodeid.startswith(SLOW) and not item.get_closest_marker("slow"):
            item.parent.add_marker("slow")  # for all in the file, and what is added to it
        elif "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, not hasattr(item.parent, "skip_compare")))
