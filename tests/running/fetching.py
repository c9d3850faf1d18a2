"""Before a run of everything, the weights that notebooks need are fetched, once."""

from companion.worlds.pretrained import weights
from running.cases import FAST


def pytest_sessionstart(session):
    config = session.config
    everything = config.args_source is config.ArgsSource.TESTPATHS and config.option.markexpr != FAST
    for number, missing in weights.ALL.items() if everything and not hasattr(config, "workerinput") else ():
        if missing.find() is None:
            print(f"notebook {number} needs {missing.megabytes} of weights, which are fetched once;", end=" ")
            print(f'a run of some files (pytest tests notebooks), or with -m "{FAST}", goes without')
            try:
                missing.fetch()
            except OSError as error:  # the run goes on without them, and says so at its end
                print(error)
