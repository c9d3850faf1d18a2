import pytest
import torch

from companion.worlds.pronunciation.alignment import certain_pairs, changed_without, look, on_straight_line, pairs_right
from companion.worlds.pronunciation.dictionary import BEGIN, PHONEMES, pad, spelled


def test_only_what_occurs_once_on_both_sides_is_certain():
    assert certain_pairs("knight", ("N", "AY", "T")) == [(0, 1), (2, 5)]
    assert certain_pairs("dinner", ("D", "IH", "N", "ER")) == [(0, 0)], "two n in the letters"
    assert certain_pairs("total", ("T", "OW", "T", "AH", "L")) == [(4, 4)], "two T in the phonemes"
    assert certain_pairs("phone", ("F", "OW", "N")) == [(2, 3)], "no letter f"


def test_what_each_head_finds_is_counted_by_hand(learned):
    heads_right, line = pairs_right(learned, ["knight", "tie"])
    looked = {word: look(learned, word)[1].argmax(dim=-1) for word in ("knight", "tie")}
    by_hand = [looked["knight"][..., 0] == 1, looked["knight"][..., 2] == 5, looked["tie"][..., 0] == 0]
    assert heads_right.equal(torch.stack(by_hand)) and heads_right.shape == (3, 1, 2)
    assert line.tolist() == [False, True, True], "N of knight, T of knight, T of tie"


def test_words_without_a_certain_pair_are_refused(learned):
    with pytest.raises(ValueError, match="no phoneme of these words has a certain letter"):
        pairs_right(learned, ["eye"])


def test_what_changes_without_a_letter_is_counted_by_hand(learned):
    pronunciation, weights = look(learned, "knight")
    ids, (memory, mask) = (
        torch.tensor([[BEGIN, *PHONEMES.encode(pronunciation)]]),
        learned.encode(pad([spelled("knight")])),
    )
    for head in range(2):
        by_hand = []
        for phoneme, letter in enumerate(weights[0, head, :-1].argmax(dim=-1).tolist()):
            straight, row = on_straight_line("knight", pronunciation)[phoneme], []
            for at in (letter, straight):
                hidden = mask.clone()
                hidden[..., at] = False
                answer = learned.decode(ids, memory, hidden)[0, phoneme, 2:].argmax() + 2  # no padding, no begin
                row.append((answer != ids[0, phoneme + 1]).item())
            by_hand += [(*row, letter == straight)] if letter < 6 else []
        assert list(zip(*(part.tolist() for part in changed_without(learned, ["knight"], 0, head)))) == by_hand
