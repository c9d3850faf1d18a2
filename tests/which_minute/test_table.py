"""The trained head answers texts, and its table answers with its rows and refuses an id without one."""

from companion.which_minute.head import trained
from companion.which_minute.table import ask_head, show_rows

TEXTS = ["she noticed one minute pause today", "she noticed one minute crack today"]


def test_a_row_is_shown_and_an_id_without_a_row_gives_the_error(capsys):
    show_rows([24])
    show_rows([24, 53])
    row, error = capsys.readouterr().out.splitlines()
    assert row == str(trained().embedding.weight.detach()[[24]])
    assert error.startswith("IndexError: index 53 is out of bounds")


def test_each_text_has_its_answer_and_its_weights():
    answers, weights = ask_head(TEXTS)
    assert answers == [0, 1] and weights.argmax(dim=1).tolist() == [4, 4]
