"""The texts of notebook 17 that give digits to letters, and the models that look them up."""

import pytest
import torch

from companion.checks.notebook_17 import delta_written
from companion.worlds.recall.task import NUM_LETTERS, PAIRS, Recall, draw_texts, right, spelled
from companion.worlds.recall.ways import delta_table
from utils.attention import attention, causal_mask


def softmax_table(query, key, value):
    return attention(query, key, value, causal_mask(query.shape[-2]))[0]


@pytest.mark.parametrize("num_letters", NUM_LETTERS)
def test_the_answer_is_the_newest_digit_of_the_letter(num_letters):
    (letters, digits), answers = draw_texts(20, num_letters)
    for text, answer in zip(map(spelled, letters, digits), answers.tolist()):
        pairs, asked = text.split()[:PAIRS], text.split()[PAIRS:]
        newest = {letter: int(digit) for letter, digit in pairs}
        assert len(newest) == num_letters and answer[:PAIRS] == [-100] * PAIRS
        assert [newest[question.removesuffix("?")] for question in asked] == answer[PAIRS:]


def test_a_state_for_all_tokens_at_once_is_the_state_step_by_step():
    query, key, value, rate = (torch.randn(9, size, dtype=torch.float64) for size in (8, 8, 5, 1))
    state, contexts = torch.zeros(8, 5, dtype=torch.float64), []
    for q, k, v, r in zip(query, key, value, rate.sigmoid()):
        state = delta_written(state, k, v, r)
        contexts.append(q / q.norm() @ state)
    torch.testing.assert_close(delta_table(query, key, value, rate.sigmoid()), torch.stack(contexts))


def test_all_models_are_asked_the_same_and_random_numbers_stay():
    model = Recall(softmax_table)
    before = torch.get_rng_state()
    first, again = right([model, model], 24)
    assert first == again and right([model], 24) == [first]
    assert torch.get_rng_state().equal(before)


def test_only_letters_whose_newest_pair_is_at_these_places_count():
    def newest_only(query, key, value):  # the question's digit is 10, so the last pair is one token before
        return value.roll(1, dims=1)

    model = Recall(newest_only)
    with torch.no_grad():
        for number in model.parameters():
            number.zero_()
        model.digit.weight[:10, :10] = 2 * torch.eye(10)  # the stream says its own digit, and the value the last one
        for part in (model.layer.W_value, model.layer.W_output, model.answer):
            part.weight.copy_(torch.eye(32)[: len(part.weight)])
    assert right([model], 24, places=range(23, 24)) == [100] and right([model], 24, places=range(23))[0] < 20
