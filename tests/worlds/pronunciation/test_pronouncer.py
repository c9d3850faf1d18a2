import pytest
import torch

from companion.worlds.pronunciation.dictionary import BEGIN, PHONEMES, pad, spelled
from companion.worlds.pronunciation.pronouncer import Pronouncer
from utils.transformer import DecoderBlock


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Pronouncer(16, 2, 2, 2).eval()


@pytest.fixture
def letters():
    return pad([spelled("phoenix"), spelled("tie")])


@pytest.fixture
def phonemes():
    return pad([[BEGIN, *PHONEMES.encode(sounds.split())] for sounds in ("F IY N IH K S", "T AY")])


def assert_close(first, second):
    torch.testing.assert_close(first, second, atol=1e-5, rtol=0)


def test_padding_behind_the_phonemes_changes_nothing_before_it(model, letters, phonemes):
    assert_close(model(letters, phonemes)[1, :3], model(letters[1:], phonemes[1:, :3])[0])


def test_a_phoneme_is_written_without_a_look_at_those_behind_it(model, letters, phonemes):
    changed = phonemes.clone()
    changed[:, 4:] = PHONEMES.encode(["ZH"])[0]
    before, after = model(letters, phonemes), model(letters, changed)
    assert_close(after[:, :4], before[:, :4])
    assert (after[:, 4:] - before[:, 4:]).abs().amax() > 1e-3, "the change must matter, or nothing was tested"


def test_order_of_letters_and_of_phonemes_matters(model, phonemes):
    ear, are = (model(torch.tensor([spelled(word)]), phonemes[:1]) for word in ("ear", "are"))
    assert (ear - are).abs().amax() > 1e-3
    letters = torch.tensor([spelled("ear")])
    swapped = phonemes[:1, [0, 2, 1, 3, 4, 5, 6]]
    assert (model(letters, phonemes[:1])[:, 3] - model(letters, swapped)[:, 3]).abs().amax() > 1e-4


def test_the_weights_on_the_letters_sum_to_1_and_leave_padding_out(model, letters, phonemes):
    memory, mask = model.encode(letters)
    logits, weights = model.decode(phonemes, memory, mask, need_weights=True)
    assert_close(logits, model.decode(phonemes, memory, mask))
    for of_block in weights:
        assert of_block.shape == (2, 2, 7, 8)
        assert_close(of_block.sum(dim=-1), torch.ones(2, 2, 7))
        assert (of_block[1, ..., 4:] == 0).all()


def test_another_block_of_the_decoder_serves_where_no_weights_are_asked_for(model, letters, phonemes):
    class Plain(DecoderBlock):
        def forward(self, inputs, memory, memory_mask=None):
            return super().forward(inputs, memory, memory_mask=memory_mask)

    plain = Pronouncer(16, 2, 2, 2, decoder_block=Plain).eval()
    plain.load_state_dict(model.state_dict())
    assert plain(letters, phonemes).equal(model(letters, phonemes))
