import torch

from companion.pronunciation.controls import D_MODEL, KINDS, averaging
from companion.pronunciation.dictionary import BEGIN, encode_pairs, pad, spelled
from companion.pronunciation.pronouncer import Pronouncer
from companion.pronunciation.training import Training


def on_letters(model, words):
    """Return a decoder's first weights on the letters, and their mask, both (words, letters)."""
    memory, mask = model.encode(pad([spelled(word) for word in words]))
    _, (weights,) = model.decode(torch.full((len(words), 1), BEGIN), memory, mask, need_weights=True)
    return weights[:, :, 0], mask


def test_all_letters_get_equal_weights_also_after_training(said):
    model = averaging(Pronouncer(16, 2))
    for _ in range(2):
        weights, mask = on_letters(model, ["knight", "toe"])
        torch.testing.assert_close(weights, (mask / mask.sum(dim=-1, keepdim=True)).expand_as(weights))
        list(Training(model, encode_pairs(said, said), steps=3, batch_size=4))


def test_nothing_else_is_taken_from_the_model():
    made = []
    for kind in ("attention", "average"):
        torch.manual_seed(0)
        made.append(KINDS[kind](D_MODEL).state_dict())
    changed = {name for name in made[0] if not made[0][name].equal(made[1][name])}
    assert changed == {f"decoder.0.cross_attention.W_query.{part}" for part in ("weight", "bias")}
