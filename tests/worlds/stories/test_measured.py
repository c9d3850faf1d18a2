"""What a story asks of what was said before is found, answered, and measured without a head."""

import copy

import torch

from companion.course_answers import without
from companion.worlds.stories.measured import ablation, copied, mean_contexts, percents_right, questions, without_each
from companion.worlds.stories.trained import series
from companion.worlds.stories.world import BOYS, COLORS, GIRLS
from companion.worlds.stories.writer import VOCABULARY, examples

EXAMPLES = examples(50, "test")
LAST = series()[0][2000]


def test_each_kind_is_asked_where_it_can_be_known():
    read, comes = EXAMPLES
    kinds = questions(read, comes)
    for kind, words in {"colors": COLORS, "finders": GIRLS + BOYS, "owners": GIRLS + BOYS}.items():
        where, _ = kinds[kind]
        for story, token in where.nonzero().tolist():
            answer, beginning = comes[story, token], read[story, : token + 1]
            assert VOCABULARY.tokens[answer] in words and answer in beginning
    assert all((kinds[kind][0].sum(dim=1) == 1).all() for kind in ("owners", "first"))
    assert (kinds["later"][0].sum(dim=1) >= 1).all() and not (kinds["first"][0] & kinds["later"][0]).any()


def test_who_knows_what_comes_is_right_everywhere_and_who_guesses_is_not():
    read, comes = EXAMPLES
    right = torch.nn.functional.one_hot(comes.clamp(min=0), len(VOCABULARY)).float()
    assert set(percents_right(lambda ids: (right, []), *EXAMPLES).values()) == {100.0}
    assert max(percents_right(lambda ids: (-right, []), *EXAMPLES).values()) == 0.0


def test_a_copy_of_a_training_story_is_found_and_a_changed_one_is_not(capsys):
    read, comes = EXAMPLES
    tokens = VOCABULARY.decode(read[0])[1 : (comes[0] >= 0).sum()]
    copied([tokens, tokens[:-1], [*tokens[:-2], "Ida", "."]], comes)
    assert capsys.readouterr().out == "1 of 3 stories are among the 50 different ones of the training\n"


def test_a_mean_context_is_what_a_head_hands_on_without_its_queries():
    means = mean_contexts(LAST, *EXAMPLES)
    changed = copy.deepcopy(LAST)
    values = changed.blocks[1].attention.W_value
    values.weight.data[32:48] = 0
    values.bias = torch.nn.Parameter(torch.cat([torch.zeros(32), means[1, 2], torch.zeros(16)]))
    torch.testing.assert_close(mean_contexts(changed, *EXAMPLES)[1], means[1], atol=1e-4, rtol=1e-4)
    assert means.shape == (2, 4, 16)


def test_an_ablation_shows_the_whole_model_and_it_without_each_head_of_block_0(capsys):
    heads = []
    ablation(LAST, lambda layer, head: heads.append(head) or without(layer, head), num_stories=50)
    *_, first_row, _, _, _, last = capsys.readouterr().out.splitlines()
    assert heads == [0, 1, 2, 3] and LAST.blocks[0].attention.W_output.bias is None
    assert first_row.split()[0] == "whole" and last.split()[:2] == ["without", "3"]


def test_a_head_that_is_taken_out_hands_on_its_mean_context():
    changed = copy.deepcopy(LAST)
    of_head = changed.blocks[0].attention.W_value.weight.data[:16]
    bias, of_head[:] = torch.zeros(64), 0  # head 0 hands on the same everywhere, so its mean is as good as itself
    bias[:16] = torch.randn(16)
    changed.blocks[0].attention.W_value.bias = torch.nn.Parameter(bias)
    assert without_each(changed, without, 50)[0] == percents_right(changed, *EXAMPLES)
