"""The trained head answers texts."""

from companion.worlds.which_minute.asked import ask_head

TEXTS = ["she noticed one minute pause today", "she noticed one minute crack today"]


def test_each_text_has_its_answer_and_its_weights():
    answers, weights = ask_head(TEXTS)
    assert answers == [0, 1] and weights.argmax(dim=1).tolist() == [4, 4]
