"""What notebook 18 says of five models holds of the stored record, and a model can be tried again."""

from companion.worlds.stories import seeds
from companion.worlds.stories.seeds import SEEDS, by_seed, measure
from companion.worlds.stories.writer import examples

ROWS = by_seed()


def test_all_are_right_in_their_world_and_go_by_three_rules():
    assert [row["seed"] for row in ROWS] == [*SEEDS] and {row["right"] for row in ROWS} == {100}
    pronoun, all_three = ["said"], ["first", "said", "second"]
    assert [row["matters"] for row in ROWS] == [pronoun, pronoun, ["first"], all_three, all_three]


def test_a_head_that_is_needed_is_the_one_that_reads_most_from_the_name():
    needed = [row for row in ROWS if min(row["without"]) < 100]
    assert [row["seed"] for row in needed] == [0, 2, 3]
    for row in needed:
        assert row["reads"].index(max(row["reads"])) == row["without"].index(min(row["without"]))


def test_in_two_a_head_reads_mostly_the_name_and_none_is_needed():
    assert all(max(ROWS[seed]["reads"]) > 0.5 and {*ROWS[seed]["without"]} == {100} for seed in (1, 4))


def test_a_model_is_tried_in_a_few_steps(monkeypatch):
    for name, less in {"NUM_ASKED": 5, "GIRLS": ("Ida", "Mia"), "BOYS": ("Ben",)}.items():
        monkeypatch.setattr(seeds, name, less)
    row = measure(0, *examples(50, "training"), steps=2, size=2, rate=0.003, alike=True)
    assert {*row["matters"]} <= {"first", "said", "second"} and row.keys() == ROWS[0].keys()
    assert len(row["reads"]) == len(row["without"]) == 4 and all(0 <= percent <= 100 for percent in row["without"])
