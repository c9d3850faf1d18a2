import pytest
import torch

from companion.worlds.pronunciation.dictionary import encode_pairs, read_dictionary
from companion.worlds.pronunciation.pronouncer import Pronouncer
from companion.worlds.pronunciation.training import Training

WORDS = """knight N AY1 T
know N OW1  # a comment
night N AY1 T
no N OW1
note N OW1 T
read R EH1 D
read(2) R IY1 D
read(3) R IY2 D
tie T AY1
toe T OW1
"""


@pytest.fixture(scope="session")
def dictionary(tmp_path_factory):
    """A dictionary of eight words, read from a file like the real one."""
    path = tmp_path_factory.mktemp("dictionary") / "words.dict"
    path.write_text(WORDS, encoding="utf-8")
    return read_dictionary(path)


@pytest.fixture(scope="session")
def learned(dictionary):
    """A small model that was trained on the eight words until it knew them."""
    torch.manual_seed(0)
    model = Pronouncer(d_model=32, num_heads=2)
    for _ in Training(model, encode_pairs(dictionary, dictionary), steps=200, batch_size=4):
        pass
    return model.eval()
