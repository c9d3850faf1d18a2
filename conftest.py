"""A run of the tests, joined from what `tests/running/` holds, one job a file."""

from running import cases, proofs

pytest_plugins = ["running.cases", "running.processes", "running.fetching", "running.comparing"]


def pytest_collection_modifyitems(config, items):
    cases.choose(config, items)
    fast = config.option.markexpr == cases.FAST
    proofs.add(items, twice_before="99" if config.getoption("--all") else "" if fast else "07")
    cases.sort(items)
