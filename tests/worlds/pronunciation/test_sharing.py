"""The pronouncer whose heads share a key and a value."""

import pytest
import torch

from companion.worlds.pronunciation.sharing import HEAD_DIM, NUM_HEADS, Pronunciation, keys_and_values


@pytest.fixture(scope="module")
def speech():
    return Pronunciation()


def matrices(model):
    return [matrix.weight for block in model.decoder for matrix in keys_and_values(block)]


def test_averaged_heads_are_alike_if_they_read_as_it_is(speech):
    for shared, own in zip(matrices(speech.averaged(own=False)), matrices(speech.model)):
        first, *heads = shared.split(HEAD_DIM)
        torch.testing.assert_close(first, sum(own.split(HEAD_DIM)) / NUM_HEADS)
        assert all(head.equal(first) for head in heads)


def test_heads_of_their_own_differ_and_make_all_from_as_many_numbers_as_one_has(speech):
    for shared in matrices(speech.averaged(own=True)):
        first, second, *_ = shared.split(HEAD_DIM)
        assert torch.linalg.matrix_rank(shared, rtol=1e-6) == HEAD_DIM and not torch.allclose(first, second)
