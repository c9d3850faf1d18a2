"""The models of the stored table of variants can be tried again."""

import json
import random
from itertools import permutations
from pathlib import Path

import pytest
import torch

from companion.worlds.stored import write_rows
from companion.worlds.stories import seeds, variants, writer
from companion.worlds.stories.changes import Changed, ChangedAttention
from companion.worlds.stories.measured import copied
from companion.worlds.stories.truth import untrue
from companion.worlds.stories.variants import AS_IT_IS, VARIANTS, tried
from companion.worlds.stories.world import BOYS, GIRLS, any_two, story
from companion.worlds.stories.writer import END, VOCABULARY, Writer, examples, write
from utils.transformer import TodaysBlock


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_sees_no_future(name):
    torch.manual_seed(0)
    model = Changed(**VARIANTS[name])
    read, _ = examples(2, "test")
    changed = read.clone()
    changed[:, 60:] = 5
    with torch.no_grad():
        before, after = model(read)[0], model(changed)[0]
    torch.testing.assert_close(before[:, :60], after[:, :60])
    assert not torch.allclose(before[:, 60:], after[:, 60:])


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_not_changed_is_as_in_the_course_and_each_change_changes_it(name):
    torch.manual_seed(0)
    own = TodaysBlock(64, 4, 170, num_kv_heads=VARIANTS[name].get("num_kv_heads", 4)).attention
    layer, inputs = ChangedAttention(**VARIANTS[name]), torch.randn(2, 40, 64)
    layer.load_state_dict(own.state_dict(), strict=False)
    is_equal = torch.allclose(layer(inputs), own(inputs, causal=True), atol=1e-5)
    assert is_equal == (name in (AS_IT_IS, "one key head"))
    swapped = inputs[:, [*range(30), 31, 30, *range(32, 40)]]
    assert not torch.allclose(layer(inputs)[:, -1], layer(swapped)[:, -1])  # it knows their order


def test_a_window_counts_the_query_itself():
    layer, inputs = ChangedAttention(window=2), torch.randn(1, 4, 64)
    gaps = layer(inputs + torch.eye(4)[0, :, None]) - layer(inputs)  # the first token changed
    assert gaps[0].abs().amax(dim=-1).gt(1e-5).tolist() == [True, True, False, False]


def test_a_variant_is_tried_in_a_few_steps_with_each_two_girls_and_each_two_boys(monkeypatch):
    questions = []
    monkeypatch.setattr(variants, "NUM_STORIES", 100)
    monkeypatch.setattr(variants, "write", lambda model, count: writer.write(model, count // 20))
    monkeypatch.setattr(
        variants, "her_or_him", lambda model, *words: questions.append(words) or (words[2] in GIRLS, 0.5)
    )
    loss, true, right = tried(Changed, 0, steps=2, people=any_two)
    assert loss < 5 and true == 0 and right == len(questions)
    groups = (("she", GIRLS), ("he", BOYS))
    assert questions == [
        (first, pronoun, second) for pronoun, group in groups for first, second in permutations(group, 2)
    ]


def test_any_two_people_meet_in_the_other_world():
    pairs = [any_two(random.Random(seed)) for seed in range(50)]
    assert all(first != second for first, second in pairs)
    assert any({*pair} <= {*GIRLS} for pair in pairs) and any({*pair} <= {*BOYS} for pair in pairs)
    assert not any(untrue(story(random.Random(seed), any_two)) for seed in range(50))


def test_a_seed_is_tried_in_a_few_steps(monkeypatch):
    for name, less in {"NUM_ASKED": 5, "GIRLS": ("Ida", "Mia"), "BOYS": ("Ben",)}.items():
        monkeypatch.setattr(seeds, name, less)
    row = seeds.measure(0, *examples(50, "training"), steps=2, size=2, rate=0.003, alike=True)
    assert {*row["matters"]} <= {"first", "said", "second"} and row.keys() == seeds.load_seeds()[0].keys()
    assert len(row["reads"]) == len(row["without"]) == 4 and all(0 <= percent <= 100 for percent in row["without"])


def test_stories_of_the_training_are_found_again(capsys):
    copied([story(random.Random(seed)) for seed in (0, 1)], examples(1, 0)[1])
    assert capsys.readouterr().out == "1 of 2 stories are among the 1 different ones of the training\n"


def test_a_model_that_never_ends_is_stopped():
    never = torch.full((len(VOCABULARY),), 0.001).index_fill(0, torch.tensor(VOCABULARY.ids[END]), 0)
    stories = write(Writer(), 2, shares=lambda logits: never.expand_as(logits))  # which need not sum to 1
    assert [len(tokens) for tokens in stories] == [writer.LONGEST - 1] * 2


@pytest.mark.parametrize("file, layout", [("variants.json", {"depth": 2}), ("seeds.json", {"margin": "  "})])
def test_stored_rows_are_written_as_they_stand(file, layout, tmp_path):
    stored = Path(variants.__file__).with_name(file).read_text(encoding="utf-8")
    write_rows(json.loads(stored), tmp_path / file, **layout)
    assert (tmp_path / file).read_text(encoding="utf-8") == stored
