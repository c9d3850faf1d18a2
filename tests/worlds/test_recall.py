"""What notebook 17 does not show of its letters and digits."""

import torch

from companion.worlds.recall import Recall, alibi_table, percents_of_models


def test_all_models_are_asked_the_same_and_random_numbers_stay():
    model = Recall(alibi_table)
    before = torch.get_rng_state()
    first, again = percents_of_models([model, model], 24)
    assert first == again and percents_of_models([model], 24) == [first]
    assert torch.get_rng_state().equal(before)
