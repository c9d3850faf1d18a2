import pytest
import torch

from companion.worlds.which_minute import train_two_questions as ways
from companion.worlds.which_minute import two_questions
from companion.worlds.which_minute.sentences import encode

TEXTS, ANSWERS = two_questions.sentences()
ASKED = encode(TEXTS)


@pytest.mark.parametrize("way", ways.ATTENTIONS)
def test_each_way_gives_logits_and_weights_that_sum_to_one(way):
    make, d_model, _ = ways.ATTENTIONS[way]
    logits, weights = two_questions.TwoQuestions(make(d_model), d_model)(*encode(TEXTS[:2]))
    assert logits.shape == (2, 3, 2) and torch.allclose(weights.sum(dim=-1), torch.ones(weights.shape[:2]))


@pytest.mark.only_with_all  # by default notebook 09 trains so, and its numbers are compared
def test_training_two_heads_teaches_both_questions():
    model = ways.learn("two heads of 4 numbers", 5, ASKED, ANSWERS)
    assert two_questions.percents_each_and_both(model, ASKED, ANSWERS)[2] > 99
