import runpy

import numpy as np
import pytest
from PIL import Image, ImageSequence

from reading import COURSE

pytestmark = pytest.mark.slow  # it draws each image of each film
DOOR = COURSE / "website" / "door"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    runpy.run_path(str(COURSE / "website" / "door.py"))["draw"](folder)
    return folder


@pytest.mark.parametrize("name", sorted(path.name for path in DOOR.iterdir()))
def test_a_picture_of_the_door_is_what_the_course_draws_today(name, drawn):
    # A letter's soft edge may differ, and on another processor a digit halfway through a training.
    most = 1e-3 if "film" in name else 1e-4
    films = (ImageSequence.Iterator(Image.open(folder / name)) for folder in (drawn, DOOR))
    for fresh, stored in zip(*films, strict=True):
        fresh, stored = (np.asarray(image.convert("RGB"), dtype=int) for image in (fresh, stored))
        assert fresh.shape == stored.shape
        assert (np.abs(fresh - stored) > 64).mean() < most


@pytest.mark.parametrize("path", sorted(DOOR.glob("*-film-*")), ids=lambda path: path.stem)
def test_a_film_plays_once_and_shows_its_end_where_none_plays(path):
    film, still = Image.open(path), Image.open(path.with_stem(path.stem.replace("-film", "")))
    images = [(image.info.get("duration", 0), image.convert("RGB")) for image in ImageSequence.Iterator(film)]
    (_, default), *_, (_, last) = images
    assert default.tobytes() == last.tobytes() == still.convert("RGB").tobytes()
    assert film.info["loop"] == 1 and sum(time for time, _ in images) < 5000  # milliseconds
