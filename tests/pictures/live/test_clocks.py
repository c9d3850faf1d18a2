import math

import pytest
import torch
from live_pictures import rows

from companion.pictures.live.clocks import clocks, position_clocks
from companion.pictures.words import shown
from utils.positions import rotate, sinusoidal

torch.manual_seed(0)
QUERY, KEY = torch.randn(2, 8, dtype=torch.float64)


def score(query_at, key_at):
    """The score of the query at one position and the key at another, by the course's rotation."""
    return (rotate(QUERY[None], [query_at]) @ rotate(KEY[None], [key_at]).T).item()


def test_a_positions_clocks_hold_its_sinusoidal_encoding():
    table = rows(position_clocks(16, position=5))
    sines, cosines = sinusoidal(6, 16)[5].unflatten(0, (8, 2)).T.tolist()
    assert [row[1:] for row in table] == [[f"sin {shown(s)}", f"cos {shown(c)}"] for s, c in zip(sines, cosines)]
    assert [table[0][0], table[-1][0]] == ["a round in 6", "a round in 19,869"]
    said = "At position 63, the fastest hand has made 10.03 rounds, and the slowest 0.00."
    assert position_clocks(16, position=63).text == said


@pytest.mark.parametrize(("position", "distance", "places"), [(0, 1, (0, 1)), (7, 5, (7, 12)), (7, -5, (12, 7))])
def test_the_score_is_that_of_rotary_embeddings(position, distance, places):
    picture = clocks(QUERY, KEY, position=position, distance=distance)
    assert f"score {shown(score(*places))}</caption>" in picture.twin
    assert sum(float(row[2][5:].replace("−", "-")) for row in rows(picture)) == pytest.approx(score(*places), abs=0.02)


def test_one_clock_tells_the_angle_that_is_left():
    assert rows(clocks([1.0, 0.0], [0.0, 2.0], speeds=[math.pi], distance=-1)) == [["a round in 2", "angle 90.0°"]]


def test_of_several_ways_the_first_is_shown_at_first():
    ways = {"slow": [0.5, 0.1, 0.1, 0.1], "fast": [1, 1, 1, 1]}
    assert clocks(QUERY, KEY, speeds=ways).twin == clocks(QUERY, KEY, speeds=ways["slow"]).twin
