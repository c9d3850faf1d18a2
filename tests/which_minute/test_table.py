"""The trained head's table answers with its rows, with one of random numbers, and refuses an id without a row."""

import torch

from companion.which_minute.head import trained
from companion.which_minute.table import ask_head, show_rows

TEXTS = ["she noticed one minute pause today", "she noticed one minute crack today"]


def test_a_row_is_shown_and_an_id_without_a_row_gives_the_error(capsys):
    show_rows([24])
    show_rows([24, 53])
    row, error = capsys.readouterr().out.splitlines()
    assert row == str(trained().embedding.weight.detach()[[24]])
    assert error.startswith("IndexError: index 53 is out of bounds")


def test_a_random_row_changes_only_the_sentence_that_has_its_word():
    weights = ask_head(TEXTS)[1]
    changed = ask_head(TEXTS, random_row="pause", seed=1)[1]
    assert torch.equal(changed[1], weights[1]) and not torch.allclose(changed[0], weights[0], atol=0.1)
