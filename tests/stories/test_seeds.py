"""What notebook 18 says of six models holds of the stored record, and a model can be tried again."""

from companion.stories import seeds
from companion.stories.seeds import SEEDS, by_seed, found
from companion.stories.writer import examples

*ROWS, OWN = by_seed()


def test_all_five_are_right_in_their_world_and_go_by_the_first_pronoun():
    assert len(ROWS) == len(SEEDS) and {row["right"] for row in ROWS} == {100}
    assert {*map(tuple, (row["matters"] for row in ROWS))} == {("said",)}


def test_seed_8_is_right_in_its_world_and_goes_by_the_first_name():
    assert (OWN["seed"], OWN["right"], OWN["matters"]) == (8, 100, ["first"])


def test_in_four_of_five_the_head_that_reads_most_from_the_name_is_the_needed_one():
    places = [(row["reads"].index(max(row["reads"])), row["without"].index(min(row["without"]))) for row in ROWS]
    assert sum(most == needed for most, needed in places) == 4


def test_a_model_is_tried_in_a_few_steps(monkeypatch):
    for name, less in {"NUM_ASKED": 5, "GIRLS": ("Ida", "Mia"), "BOYS": ("Ben",)}.items():
        monkeypatch.setattr(seeds, name, less)
    row = found(0, *examples(50, "training"), steps=2, size=2, rate=0.003, alike=True)
    assert {*row["matters"]} <= {"first", "said", "second"} and row.keys() == ROWS[0].keys()
    assert len(row["reads"]) == len(row["without"]) == 4 and all(0 <= each <= 100 for each in row["without"])
