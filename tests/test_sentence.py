import torch

from companion.sentence import running_sentence
from reading import COURSE, code_cells, read


def test_the_running_sentences_numbers_are_those_that_notebook_04_makes_line_by_line():
    lines = {}
    for cell in code_cells(read(COURSE / "notebooks" / "04_attention_scores.ipynb"))[:2]:
        exec(cell.source, lines)
    tokens, *vectors = running_sentence()
    assert tokens == lines["tokens"]
    for name, vector in zip(("query", "key", "value"), vectors, strict=True):
        assert torch.equal(vector, lines[name]), name


def test_the_readers_own_random_numbers_stay_as_they_were():
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    running_sentence()
    assert torch.equal(torch.rand(3), wanted)
