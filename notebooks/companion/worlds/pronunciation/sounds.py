"""What the names of the phonemes mean: for each a short word in which it is heard. Used in notebook 14.

Most words are those of the CMU Pronouncing Dictionary's own list.
"""

_HEARD = """
AA odd, AE at, AH hut, AO ought, AW cow, AY hide, EH bed, ER hurt, EY ate, IH it, IY eat, OW oat, OY toy, UH hood, UW
two, B be, CH cheese, D day, DH thee, F fee, G green, HH he, JH joy, K key, L lee, M me, N knee, NG ping, P pea, R
read, S sea, SH she, T tea, TH thin, V vee, W we, Y yes, Z zoo, ZH vision
"""
SOUNDS = dict(pair.split() for pair in _HEARD.split(","))  # {"AA": "odd", ...}


def heard_in(phonemes):
    """Return each phoneme with its word, and "end" alone: ["N", "end"] -> ["N · knee", "end"]."""
    return [f"{phoneme} · {SOUNDS[phoneme]}" if phoneme in SOUNDS else phoneme for phoneme in phonemes]
