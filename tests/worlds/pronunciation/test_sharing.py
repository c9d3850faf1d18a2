"""The pronouncer whose heads share a key and a value."""

import pytest
import torch

from companion.worlds.pronunciation.sharing import HEAD_DIM, NUM_HEADS, Pronunciation

KEPT = ["average", "largest"]


@pytest.fixture(scope="module")
def speech():
    return Pronunciation()


def matrices(model):
    layers = [block.cross_attention for block in model.decoder]
    return [W.weight for layer in layers for W in (layer.W_key, layer.W_value)]


def test_averaged_heads_are_alike_if_they_read_as_it_is(speech):
    for shared, whole in zip(matrices(speech.shared("average", own=False)), matrices(speech.model)):
        first, *others = shared.split(HEAD_DIM)
        torch.testing.assert_close(first, sum(whole.split(HEAD_DIM)) / NUM_HEADS)
        assert all(each.equal(first) for each in others)


def test_what_is_not_shared_stays_as_it_was(speech):
    shared = speech.shared("average", own=False, matrices=["W_value"])
    changed = [not ours.equal(whole) for ours, whole in zip(matrices(shared), matrices(speech.model))]
    assert changed == [False, True] * len(speech.model.decoder)


@pytest.mark.parametrize("kept", KEPT)
def test_heads_of_their_own_make_all_from_as_many_numbers_as_one_has(speech, kept):
    for shared in matrices(speech.shared(kept, own=True)):
        assert torch.linalg.matrix_rank(shared, rtol=1e-6) == HEAD_DIM


def test_no_choice_comes_nearer_than_the_largest_directions(speech):
    def off(kept):
        pairs = zip(matrices(speech.shared(kept, own=True)), matrices(speech.model))
        return sum((speech.letters @ (shared - whole).T).square().sum() for shared, whole in pairs)

    assert off("largest") < off("average")
