"""The reader's own file, `mine.py`: what a check calls correct is kept there, and later notebooks work with it.

It stands in the kernel's folder, beside the notebooks. The environment variable COURSE_MINE names another file; if it
is set and empty, nothing is kept and nothing is read.
"""

import os
import re
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir

from filelock import FileLock, Timeout
from IPython import get_ipython

from companion.checks.verdict import CORRECT
from companion.mine_layout import count, merged
from companion.mine_running import read, run
from companion.mine_sources import Unfit, needed

PATIENCE = 20  # seconds to wait for another notebook, which runs a check while it writes


def where():
    """Return the path of the reader's file, None if nothing is to be kept."""
    name = os.environ.get("COURSE_MINE", "mine.py")
    return Path(name).resolve() if name else None


def load():
    """Return {name: what the reader's file defines}, {} if there is no file. Raises Unfit if it cannot be read."""
    file = where()
    return read(file)[1] if file else {}


def keep(name, answer, check):
    """Keep a correct answer. Return a line that says so or why not, "" if there is nothing to do."""
    file, notebook, number = where(), get_ipython(), re.search(r"\.notebook_(\d\d)", check.__module__)
    if not (file and notebook and number) or getattr(answer, "__module__", "") == file.stem:
        return ""
    try:
        with lock(file):
            return _keep(file, number[1], name, *needed(name, answer, notebook, file.stem), check)
    except Timeout:
        cause = "another notebook is writing there; run this cell again"
    except OSError as error:
        cause = f"it cannot be written ({error.strerror or error})"
    except Unfit as error:
        cause = error
    return f"{name} is not kept in {file.name}: {cause}"


def lock(file):
    """Return the lock that all notebooks share; it stands where it is no litter."""
    return FileLock(Path(gettempdir()) / f"{sha256(str(file).encode()).hexdigest()[:16]}.lock", timeout=PATIENCE)


def _keep(file, number, name, texts, imports, check):
    old, _ = read(file)
    new, replaced = merged(old, number, name, texts, imports)
    if new == old:
        return ""
    try:
        verdict = check.verdict(run(new, file).get(name))
        cause = "" if verdict.kind == CORRECT else verdict.words or verdict.kind
    except (Exception, SystemExit) as error:
        cause = f"{type(error).__name__}: {error}"
    if cause:
        raise Unfit(f"it is correct here, but not in a file of its own ({cause})")
    before, fresh = file.with_name(f"{file.stem}_before.py"), file.with_name(f"{file.name}.new")
    fresh.write_text(new, encoding="utf-8")
    for section in replaced:
        with before.open("a", encoding="utf-8") as saved:
            saved.write(f"# Replaced on {datetime.now():%Y-%m-%d at %H:%M}\n{section}\n\n\n")
    os.replace(fresh, file)  # at once: nobody ever reads half a file
    pieces = f"{count(new)} piece{'s' * (count(new) != 1)}"
    return f"kept in {file.name} ({pieces})" + f"; what stood there is now in {before.name}" * bool(replaced)
