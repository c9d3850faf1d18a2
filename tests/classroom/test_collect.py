import os
import pwd
import runpy
from pathlib import Path

import pytest
from assignments import FOLDER

collect = runpy.run_path(FOLDER / "hub" / "collect.py")["collect"]
NAME = "a1_single_head"


def account(home, user=None):
    """Return an account as `pwd` has it, named as its home is."""
    user = os.getuid() if user is None else user
    return pwd.struct_passwd((home.name, "", user, user, "", str(home), ""))
