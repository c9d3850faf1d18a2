import torch

from companion.worlds import nine_words as course
from companion.worlds.nine_words import TO_FRENCH, aligner, draw


def test_each_english_word_has_its_french_word_in_the_other_sentence():
    english, french = draw(50, torch.Generator().manual_seed(0))
    assert torch.equal(TO_FRENCH[english].sort(dim=-1).values, french.sort(dim=-1).values)
    assert all(len(set(row)) == 5 for row in english.tolist())
    assert [course.PAIRS[word] for word in course.ENGLISH.decode(english[0])] == course.FRENCH.decode(
        TO_FRENCH[english[0]]
    )


def test_the_french_words_stand_in_any_order():
    english, french = draw(500, torch.Generator().manual_seed(0))
    assert 0.15 < (TO_FRENCH[english] == french).float().mean() < 0.25


def test_a_model_without_words_of_a_group_has_no_share_of_it():
    def never(weights, french, translations):
        return torch.zeros_like(translations, dtype=torch.bool)

    shares = course.survived([aligner(0)], never)
    assert [len(shares) for shares in shares.values()] == [1, 0]
