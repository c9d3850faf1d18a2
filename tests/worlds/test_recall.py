"""The texts of notebook 17 that give digits to letters, and the models that look them up."""

import torch

from companion.worlds.recall import Recall, percents_right
from utils.attention import attention, causal_mask


def softmax_table(query, key, value):
    return attention(query, key, value, causal_mask(query.shape[-2]))[0]


def test_all_models_are_asked_the_same_and_random_numbers_stay():
    model = Recall(softmax_table)
    before = torch.get_rng_state()
    first, again = percents_right([model, model], 24)
    assert first == again and percents_right([model], 24) == [first]
    assert torch.get_rng_state().equal(before)


def test_only_letters_whose_newest_pair_is_at_these_places_count():
    def newest_only(query, key, value):  # the question's digit is 10, so the last pair is one token before
        return value.roll(1, dims=1)

    model = Recall(newest_only)
    with torch.no_grad():
        for number in model.parameters():
            number.zero_()
        model.digit.weight[:10, :10] = 2 * torch.eye(10)  # the stream says its own digit, and the value the last one
        for part in (model.W_value, model.W_output, model.answer):
            part.weight.copy_(torch.eye(32)[: len(part.weight)])
    assert percents_right([model], 24, places=range(23, 24)) == [100]
    assert percents_right([model], 24, places=range(23))[0] < 20
