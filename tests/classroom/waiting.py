"""What the tests ask about processes that are not their own children, and about what comes some time later."""

import time
from pathlib import Path


def has_ended(pid):
    """Say whether a process has ended, whether or not its parent has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
