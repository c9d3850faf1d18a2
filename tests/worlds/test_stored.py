"""What a stored record says of its training is what its script would do today."""

import json

from companion.worlds import words
from companion.worlds.pronunciation import controls, trained
from companion.worlds.stories import seeds, variants, writer
from companion.worlds.stories import trained as stories
from companion.worlds.which_minute import head, train_two_questions, two_questions

SAYS = {
    words.STORED: words.TRAINING,
    head.STORED: {"seed": head.SEED, "steps": head.STEPS},
    controls.STORED: {"training": controls.TRAINING},
    trained.STORED: {"model": trained.MODEL, "dropout": trained.DROPOUT, "averaging": trained.AVERAGING}
    | {"training": trained.TRAINING},
    stories.STORED: {"steps": [*stories.STEPS], "seed": stories.SEED, "stories": stories.NUM_STORIES}
    | {"batch": writer.BATCH, "learning_rate": writer.LEARNING_RATE},
}


def test_a_record_names_the_training_of_its_script():
    for file, says in SAYS.items():
        record = json.loads(file.read_text(encoding="utf-8"))
        assert record | says == record
    runs = [(run["seed"], run["kind"]) for run in controls.load_controls()[1]["runs"]]
    assert runs == [(seed, kind) for seed in controls.SEEDS for kind in controls.MODELS]
    tried = {name: len(way["runs"]) for name, way in variants.load_variants()[0].items()}
    assert tried == dict.fromkeys([*variants.VARIANTS, variants.OTHER_WORLD], len(variants.SEEDS))
    assert [run["seed"] for run in seeds.load_seeds()] == [*seeds.SEEDS]
    counted = {way: len(runs) for way, runs in two_questions.load_measured().items()}
    assert counted == dict.fromkeys(train_two_questions.ATTENTIONS, train_two_questions.SEEDS)
