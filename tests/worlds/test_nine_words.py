import torch

from companion.worlds import nine_words as course
from companion.worlds.nine_words import aligner


def test_a_model_without_words_of_a_group_has_no_share_of_it():
    def never(weights, french, translations):
        return torch.zeros_like(translations, dtype=torch.bool)

    shares = course.percents_still_right([aligner(0)], never)
    assert [len(shares) for shares in shares.values()] == [1, 0]
