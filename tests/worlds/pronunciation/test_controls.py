import pytest
import torch

from companion.worlds.pronunciation.alignment import look
from companion.worlds.pronunciation.controls import MODELS, Windowed, bent, load_controls, percents_right, unasked
from companion.worlds.pronunciation.dictionary import BEGIN, encode_pairs, pad, spelled
from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.pronunciation.training import Training


def on_letters(model, words):
    """Return a decoder's first weights on the letters, and their mask, both (words, letters)."""
    memory, mask = model.encode(pad([spelled(word) for word in words]))
    _, (weights,) = model.decode(torch.full((len(words), 1), BEGIN), memory, mask, need_weights=True)
    return weights[:, :, 0], mask


def test_all_letters_get_equal_weights_also_after_training(dictionary):
    model = unasked(Pronouncer(16, 2))
    for _ in range(2):
        weights, mask = on_letters(model, ["knight", "toe"])
        torch.testing.assert_close(weights, (mask / mask.sum(dim=-1, keepdim=True)).expand_as(weights))
        list(Training(model, encode_pairs(dictionary, dictionary), steps=3, batch_size=4))


def test_a_window_reads_four_letters_and_no_padding(dictionary):
    model = unasked(Windowed(16, 2))
    list(Training(model, encode_pairs(dictionary, dictionary), steps=3, batch_size=4))
    memory, mask = model.encode(pad([spelled("tie"), spelled("knight")]))
    _, (weights,) = model.eval().decode(torch.full((2, 4), BEGIN), memory, mask, need_weights=True)
    behind = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0.5, 0.5]]
    ahead = [[0, 0.5, 0.5, 0], [0, 0, 0.5, 0.5], [0, 0, 0, 1], [0, 0, 0, 0]]  # behind "tie" and its end is nothing
    torch.testing.assert_close(weights[0, :, :, :4], torch.tensor([behind, ahead]))
    assert (weights[0, :, :, 4:] == 0).all()
    assert model.decode(torch.full((2, 9), BEGIN), memory, mask).isfinite().all()


@pytest.mark.parametrize("kind", ["window", "average"])
def test_nothing_else_is_taken_from_the_model(kind):
    states = []
    for name in ("attention", kind):
        torch.manual_seed(0)
        states.append(MODELS[name]().state_dict())
    changed = {name for name in states[0] if not states[0][name].equal(states[1][name])}
    assert changed == {f"decoder.0.cross_attention.W_query.{part}" for part in ("weight", "bias")}


def test_the_stored_controls_still_cannot_choose():
    models, _ = load_controls()
    for kind in ("window", "average"):
        _, weights = look(models[kind], "knight")
        rows = weights.flatten(0, 2)
        assert all(len(set(row[row > 0].tolist())) <= 1 for row in rows), "equal, wherever a head reads at all"


def test_bent_words_have_three_letters_more_than_phonemes():
    dictionary = {"knight": [("N", "AY", "T")], "though": [("DH", "OW")], "toe": [("T", "OW")]}
    dictionary["known"] = [("N", "OW", "N"), ("N", "OW")]  # by its longest pronunciation, two more
    assert bent(dictionary, dictionary) == ["knight", "though"]


def test_percents_stand_by_kind_then_pile_then_seed():
    runs = [{"kind": kind, "test": 0.01 * n, "bent": 0.1 * n} for n, kind in enumerate(MODELS, 1) for seed in range(2)]
    right = percents_right({"runs": runs})
    torch.testing.assert_close(right[:, :, 1], torch.tensor([[99.0, 90.0], [98.0, 80.0], [97.0, 70.0]]))
    assert right.shape == (3, 2, 2)
