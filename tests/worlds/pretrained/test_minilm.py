"""What notebook 15, which holds the real model against the library's, does not show."""

import pytest
import torch

from companion.worlds.pretrained.minilm import MiniLM, load_or_stand_in


def test_a_text_longer_than_its_places_is_refused_in_words():
    small = MiniLM(num_tokens=20, d_model=12, num_heads=3, d_hidden=24, num_layers=2, num_places=9)
    small(torch.zeros(1, 9, dtype=torch.long))
    with pytest.raises(ValueError, match="10 tokens .* places for 9; shorten the text"):
        small(torch.zeros(1, 10, dtype=torch.long))


def test_without_weights_random_numbers_stand_in_and_it_says_so(no_weights, capsys):
    before = torch.get_rng_state()
    model = load_or_stand_in()
    assert "RANDOM NUMBERS" in capsys.readouterr().out and torch.get_rng_state().equal(before)
    assert model.blocks[5].attention.num_heads == 12
