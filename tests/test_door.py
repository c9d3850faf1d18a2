import runpy

import numpy as np
import pytest
from PIL import Image, ImageSequence

from reading import COURSE

DOOR = COURSE / "website" / "door"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    runpy.run_path(str(COURSE / "website" / "door.py"))["draw"](folder)
    return folder


@pytest.mark.parametrize("name", sorted(path.name for path in DOOR.iterdir()))
def test_a_picture_of_the_door_is_what_the_course_draws_today(name, drawn):
    films = (ImageSequence.Iterator(Image.open(folder / name)) for folder in (drawn, DOOR))
    for fresh, stored in zip(*films, strict=True):
        fresh, stored = (np.asarray(image.convert("RGB"), dtype=int) for image in (fresh, stored))
        assert (
            fresh.shape == stored.shape and (np.abs(fresh - stored) > 64).mean() < 1e-4
        )  # a letter's soft edge may differ


@pytest.mark.parametrize("path", sorted(DOOR.glob("*-film-*")), ids=lambda path: path.stem)
def test_a_film_plays_once_and_shows_its_end_where_none_plays(path):
    film, still = Image.open(path), Image.open(path.with_stem(path.stem.replace("-film", "")))
    times, images = zip(
        *((image.info.get("duration", 0), image.convert("RGB")) for image in ImageSequence.Iterator(film))
    )
    assert images[0].tobytes() == images[-1].tobytes() == still.convert("RGB").tobytes()
    assert film.info["loop"] == 1 and sum(times) < 5000  # milliseconds
