import torch

from companion.pictures.grid import grid

PERCENTS = torch.tensor([[0.4, 100.0, 12.6], [50.0, 7.0, 99.6]])


def test_each_cell_has_its_number_and_a_darker_one_the_larger():
    picture = grid(PERCENTS, range(2), "abc", "block", "head")
    (axes,) = picture.figure.axes
    assert [text.get_text() for text in axes.texts] == ["0", "100", "13", "50", "7", "100", "block ↓ head →"]
    light = torch.tensor(axes.images[0].get_array().data).sum(dim=-1).flatten()
    order = PERCENTS.round().flatten().argsort(descending=True)
    assert (light[order].diff() >= 0).all()
    assert picture.description == "head a, b, c. block 0: 0%, 100%, 13%; block 1: 50%, 7%, 100%."


def test_small_numbers_may_stay_unwritten():
    (axes,) = grid(PERCENTS, range(2), "abc", least=13).figure.axes
    assert [text.get_text() for text in axes.texts] == ["", "100", "13", "50", "", "100", ""]
