import pytest
import torch

from companion.which_minute import train_two_questions as ways
from companion.which_minute import two_questions
from companion.which_minute.sentences import encode

TEXTS, ANSWERS = two_questions.sentences()
ASKED = encode(TEXTS)
EXCHANGED = ["after", "the", "crack", "she", "noticed", "one", "minute", "pause"]


def test_each_sentence_has_a_twin_with_words_and_answers_exchanged():
    known = {" ".join(words): answers for words, answers in zip(TEXTS, ANSWERS.tolist())}
    for words, (clue, first) in zip(TEXTS, ANSWERS.tolist()):
        twin = [*words[:2], words[7], *words[3:7], words[2], *words[8:]]
        assert known[" ".join(twin)] == [first, clue]
    assert len(known) == len(TEXTS) == 4416 and known[" ".join(two_questions.WORDS)] == [1, 0]


def test_two_heads_look_at_the_clue_and_at_what_came_first():
    _, weights = two_questions.trained()(*encode([two_questions.WORDS, EXCHANGED]))
    assert weights.shape == (2, 2, 8)
    assert weights.argmax(dim=-1).tolist() == [[7, 2], [7, 2]] and weights.amax(dim=-1).min() > 0.9


def test_each_of_two_heads_carries_one_question():
    model = two_questions.trained()
    assert two_questions.right(model, ASKED, ANSWERS).tolist() == [100, 100, 100]
    for head, lost in enumerate((0, 1)):
        percents = two_questions.right(two_questions.without(model, head), ASKED, ANSWERS)
        assert percents[lost] < 40 and percents[1 - lost] > 99
    assert two_questions.right(model, ASKED, ANSWERS)[2] == 100  # the model itself is as it was


def test_one_stored_single_head_learned_both_questions_one_did_not():
    both, one = (two_questions.right(two_questions.trained(1, seed), ASKED, ANSWERS) for seed in (0, 1))
    assert both[2] == 100 and one[0] == 100 and one[1] < 40


def test_the_stored_training_ends_with_the_stored_model():
    steps, losses, weights = two_questions.training()
    assert len(steps) == len(losses) == len(weights) and steps[-1] == 499 and losses[-1] < 0.01 < losses[0]
    assert torch.allclose(weights[-1], two_questions.trained()(*encode([two_questions.WORDS]))[1][0], atol=0.01)


@pytest.mark.parametrize("way", ways.WAYS)
def test_each_way_gives_logits_and_weights_that_sum_to_one(way):
    make, d_model, _ = ways.WAYS[way]
    logits, weights = two_questions.TwoQuestions(make(d_model), d_model)(*encode([two_questions.WORDS, EXCHANGED]))
    assert logits.shape == (2, 3, 2) and torch.allclose(weights.sum(dim=-1), torch.ones(weights.shape[:2]))
    if make is ways.PlainAverage:  # the same words: nothing tells the two sentences apart
        assert torch.allclose(*logits, atol=1e-5)


def test_training_two_heads_teaches_both_questions():
    model, seen = ways.learn("two heads of 4 numbers", 5, ASKED, ANSWERS)
    assert two_questions.right(model, ASKED, ANSWERS)[2] > 99 and seen["steps"][-1] == 499


def test_pytorchs_attention_gets_the_same_parameters():
    mine, inputs = two_questions.ManyHeads(12, 3), torch.randn(2, 5, 12)
    output, weights = two_questions.as_pytorch(mine, 3)(inputs, inputs, inputs, average_attn_weights=False)
    torch.testing.assert_close(output, mine(inputs)[0])
    torch.testing.assert_close(weights, mine(inputs)[1])


def test_a_watched_training_looks_at_every_tenth_step_and_the_last():
    model = two_questions.untrained(two_questions.ManyHeads(8, 2))
    steps, losses, weights = two_questions.watch(model, ASKED, ANSWERS, steps=13)
    assert steps == (0, 10, 12) and len(losses) == 3 and weights.shape == (3, 2, len(two_questions.WORDS))
    assert not weights.requires_grad and losses[-1] < losses[0]


def test_every_training_learned_both_questions_only_one_or_neither():
    names, counts = two_questions.learned()
    assert names == list(ways.WAYS)[:4] and counts.sum(dim=1).tolist() == [20] * 4
    assert counts[0].tolist() == [0, 0, 20] and counts[3, 0] > counts[:3, 0].max()
