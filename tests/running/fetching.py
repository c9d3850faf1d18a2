"""Before a run with `--all`, the weights that notebooks need are fetched, once."""

from companion.worlds.pretrained import weights


def pytest_sessionstart(session):
    once = session.config.getoption("--all") and not hasattr(session.config, "workerinput")
    for number, missing in weights.ALL.items() if once else ():
        if missing.find() is None:
            print(f"fetching the weights of notebook {number} ({missing.megabytes}); a run without --all fetches none")
            try:
                missing.fetch()
            except OSError as error:  # the run goes on without them, and says so at its end
                print(error)
