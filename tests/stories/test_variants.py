"""The stored table of variants is whole, and the models in it can be tried again."""

import itertools
import random

from companion.stories.becoming import told
from companion.stories.trained import series
from companion.stories.truth import KINDS, judged
from companion.stories.variants import COLUMNS, SEEDS, VARIANTS, pronoun, stored, tried
from companion.stories.world import BOYS, GIRLS, any_two, story
from companion.stories.writer import Writer, batches, examples

MODELS, RECORD = series()


def test_the_table_has_a_row_for_each_seed_of_each_variant():
    assert stored().keys() == VARIANTS.keys()
    assert {rows.shape for rows in stored().values()} == {(len(SEEDS), len(COLUMNS))}


def test_the_stored_writer_answers_the_first_pronoun_and_no_name():
    for said, word in (("she", "him"), ("he", "her")):
        pairs = itertools.permutations(("Ida", "Mia", "Max", "Tom"), 2)
        assert {pronoun(MODELS[2000], first, said, second) for first, second in pairs} == {word}


def test_a_variant_is_tried_in_a_few_steps():
    loss, true, right = tried(lambda: Writer(num_layers=1), {"people": any_two}, 0, steps=2)
    assert loss < 5 and true == 0 and 0 <= right <= 112


def test_any_two_people_meet_in_the_other_world():
    pairs = [any_two(random.Random(seed)) for seed in range(50)]
    assert all(first != second for first, second in pairs)
    assert any({*pair} <= {*GIRLS} for pair in pairs) and any({*pair} <= {*BOYS} for pair in pairs)
    assert judged([story(random.Random(seed), any_two) for seed in range(50)]) == [0] * len(KINDS) + [50]


def test_batches_are_as_long_as_their_longest_story():
    for read, comes in batches(*examples(40, "test"), steps=3):
        assert read.shape == comes.shape and (comes[:, -1] >= 0).any()


def test_what_becomes_of_a_model_is_told_for_each_step():
    steps, losses, texts, flaws = told(MODELS, RECORD, seed=2)
    assert steps == RECORD["steps"] and flaws[0] == "sentences" and not flaws[-1] and len(losses) == len(texts) == 5
