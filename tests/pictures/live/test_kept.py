from live_pictures import rows

from companion.pictures.live.kept import kept

SIZES = {"words": range(12), "num_heads": 4, "head_dim": 8, "num_kv_heads": 2, "d_latent": 6, "window": 3}
# Of 12 tokens with four heads of size 8: two numbers of 8 for a head, or a square of 8 · 8 and a sum of 8 keys.
COUNTS = {"keys and values": 12 * 64, "grouped heads": 12 * 32, "latent": 72, "window of 3": 192, "state": 4 * 72}


def test_the_table_and_the_sentence_tell_how_much_is_kept():
    picture = kept(**SIZES)
    assert {name: int(count) for name, _, count in rows(picture)[1:]} == COUNTS
    shares = "50% grouped heads, 9% latent, 25% window of 3, 38% state"
    assert picture.text == f"After 12 tokens, of all keys and values: {shares}."


def test_a_window_longer_than_the_text_keeps_the_whole_text():
    text = kept(**SIZES | {"words": ["one"]}).text
    assert text.startswith("After 1 token,") and "100% window of 3," in text
