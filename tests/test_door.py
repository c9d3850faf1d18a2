import runpy

import numpy as np
import pytest
from PIL import Image

from reading import COURSE

DOOR = COURSE / "website" / "door"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    runpy.run_path(str(COURSE / "website" / "door.py"))["draw"](folder)
    return folder


@pytest.mark.parametrize("name", sorted(path.name for path in DOOR.iterdir()))
def test_a_picture_of_the_door_is_what_the_course_draws_today(name, drawn):
    fresh, stored = (np.asarray(Image.open(folder / name).convert("RGB"), dtype=int) for folder in (drawn, DOOR))
    assert (
        fresh.shape == stored.shape and (np.abs(fresh - stored) > 64).mean() < 1e-4
    )  # a letter's soft edge may differ
