"""The pronouncer whose heads share a key and a value."""

import pytest
import torch

from companion.pronunciation.sharing import HEAD_DIM, NUM_HEADS, Pronunciation

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


@pytest.mark.parametrize("kept", KEPT)
def test_heads_of_their_own_make_all_from_as_many_numbers_as_one_has(speech, kept):
    for shared in matrices(speech.shared(kept, own=True)):
        assert torch.linalg.matrix_rank(shared, rtol=1e-6) == HEAD_DIM


@pytest.mark.parametrize("kept", KEPT)
def test_folded_heads_read_the_same_numbers_and_say_the_same(speech, kept):
    folded = speech.folded(kept).eval()
    for weight in matrices(folded):
        first, *others = weight.split(HEAD_DIM)
        assert all(each.equal(first) for each in others)
    letters, phonemes = torch.randint(4, 20, (2, 3, 7))
    torch.testing.assert_close(folded(letters, phonemes), speech.shared(kept, own=True).eval()(letters, phonemes))


def test_no_choice_comes_nearer_than_the_largest_directions(speech):
    def off(kept):
        pairs = zip(matrices(speech.shared(kept, own=True)), matrices(speech.model))
        return sum((speech.letters @ (shared - whole).T).square().sum() for shared, whole in pairs)

    assert off("largest") < off("average")


@pytest.mark.only_with_all  # by default notebook 17 trains so, and its numbers are compared
def test_training_on_ends_with_averaged_heads(speech):
    before = [each.clone() for each in matrices(speech.model)]
    trained = speech.trained_on(seed=0)
    assert all(len({part.sum().item() for part in each.split(HEAD_DIM)}) == 1 for each in matrices(trained))
    assert all(map(torch.equal, before, matrices(speech.model)))
