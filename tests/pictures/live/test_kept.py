import re
from xml.etree import ElementTree

import pytest

from companion.pictures.live.kept import kept

SIZES = {"num_kv_heads": 2, "d_latent": 6, "window": 3}
# Of 12 tokens with four heads of size 8: two numbers of 8 for a head, or a square of 8 · 8 and a sum of 8 keys.
COUNTS = {"keys and values": 12 * 64, "grouped heads": 12 * 32, "latent": 72, "window of 3": 192, "state": 4 * 72}


def bundle(words=range(12), num_heads=4, head_dim=8, **sizes):
    return kept(words, num_heads, head_dim, **SIZES | sizes)._repr_mimebundle_()


def test_the_table_and_the_sentence_tell_how_much_is_kept():
    shown = bundle()
    table = ElementTree.fromstring(re.search(r"<table.*?</table>", shown["text/html"])[0])
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    assert {name: int(count) for name, _, count in rows[1:]} == COUNTS
    shares = "50% grouped heads, 9% latent, 25% window of 3, 38% state"
    assert shown["text/plain"] == f"kept: After 12 tokens, of all keys and values: {shares}."


def test_a_window_longer_than_the_text_keeps_the_whole_text():
    assert "100% window of 3," in bundle(["one"])["text/plain"]
    assert "After 1 token," in bundle(["one"])["text/plain"]


@pytest.mark.parametrize("changed", [{"words": []}, {"num_kv_heads": 3}, {"window": 0}, {"d_latent": 0}])
def test_sizes_that_make_no_layer_are_refused(changed):
    with pytest.raises(ValueError, match="give at least one word, sizes of at least 1, and heads that"):
        bundle(**changed)
