"""Ten properties of a layer of attention: none complains of the course's own modules, each finds what it is for."""

import pytest
import torch
from torch import nn

from utils.attention import MultiHeadAttention, causal_mask, padding_mask
from utils.positions import rotate
from utils.properties import examine


class Right(nn.Module):
    def __init__(self, causal=False, positions=None):
        super().__init__()
        torch.manual_seed(0)
        self.causal, self.attend = causal, MultiHeadAttention(12, 3, positions=positions)

    def forward(self, inputs, lengths):
        return self.attend(inputs, mask=real(lengths, inputs), causal=self.causal)


def changed(change, causal=False):
    """Return the right layer with its call replaced by `change(right, inputs, lengths)`."""
    layer = Right(causal)
    layer.forward = lambda inputs, lengths: change(layer.attend, inputs, lengths)
    return layer


def real(lengths, inputs):
    return padding_mask(lengths, inputs.shape[1])


def with_noise(attend, inputs, lengths):
    outputs = attend(inputs, mask=real(lengths, inputs))
    return outputs + 0.1 * torch.rand_like(outputs)


def detached(attend, inputs, lengths):
    outputs = attend(inputs, mask=real(lengths, inputs))
    return outputs.detach() + nn.functional.linear(inputs, attend.W_output.weight)


def hardly_learning(attend, inputs, lengths):
    return detached(attend, inputs, lengths) + 1e-9 * attend(inputs)  # as rounding leaves of a gradient of 0


def one_sees_the_next(attend, x, lengths):
    mask = causal_mask(x.shape[1])
    mask.diagonal(1)[2:3] = True  # query 2 sees key 3, and the first two see nothing new
    return attend(x, mask=mask & real(lengths, x))


def the_last_sees_another(attend, x, lengths):
    return attend(torch.cat([x[:2], x[2:] + x[1:2].expand_as(x[2:])]), mask=real(lengths, x))


MISTAKES = [  # the property, a layer without it, what it promises; x are the inputs
    ("alone_as_in_a_batch", lambda attend, x, lengths: attend(x), {}),
    ("sentences_kept_apart", lambda attend, x, lengths: attend(x - x.mean(dim=0)), {}),
    ("sentences_kept_apart", the_last_sees_another, {}),
    ("a_beginning_stays", lambda attend, x, lengths: attend(x), {"causal": True}),
    ("a_beginning_stays", one_sees_the_next, {"causal": True}),
    ("all_that_may_be_read_counts", lambda attend, x, lengths: attend(x, causal=True), {}),
    ("order_counts_as_promised", lambda attend, x, lengths: attend(x, mask=real(lengths, x)), {"positions": True}),
    ("copies_add_nothing", lambda attend, x, lengths: attend(x).cumsum(dim=1), {}),
    ("twice_the_same", with_noise, {}),
    ("large_numbers_stay_numbers", lambda attend, x, lengths: attend(x) + 0 * x.exp(), {}),
    ("every_number_learns", detached, {}),
    ("every_number_learns", hardly_learning, {}),
    ("equal_to_the_reference", lambda attend, x, lengths: 2 * attend(x), {"reference": Right()}),
]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("positions", [None, rotate])
def test_nothing_is_found_in_the_modules_of_the_course(causal, positions):
    layer = Right(causal, positions)
    assert examine(layer, 12, causal, positions is not None, reference=layer) == {}


@pytest.mark.parametrize("name, change, promised", MISTAKES)
def test_each_property_finds_the_mistake_that_it_is_for(name, change, promised):
    found = examine(changed(change), 12, **promised)
    assert name in found and found[name]


def test_what_comes_out_in_another_shape_or_as_nan_is_told_so():
    found = examine(changed(lambda attend, inputs, lengths: attend(inputs)[:, :, :6]), 12, reference=Right())
    assert found["equal_to_the_reference"].endswith("shape (13, 6) in place of (13, 12)")
    found = examine(changed(lambda attend, inputs, lengths: attend(inputs) * torch.nan), 12)
    assert found["twice_the_same"].endswith("nan or inf")


def test_a_function_is_examined_as_a_module_is():
    module = Right()
    assert examine(lambda inputs, lengths: module(inputs, lengths), 12) == {}
    assert module.attend.W_key.weight.grad is None


def test_a_window_shows_only_in_a_text_that_is_longer():
    near = causal_mask(12).triu(-7)
    window = changed(lambda attend, x, lengths: attend(x, mask=real(lengths, x) & near[: x.shape[1], : x.shape[1]]))
    assert examine(window, 12, causal=True) == {}
    assert examine(window, 12, causal=True, num_tokens=12).keys() == {"all_that_may_be_read_counts"}


def test_what_is_frozen_need_not_learn_and_no_gradient_is_touched():
    layer = Right()
    layer.attend.W_key.requires_grad_(False)
    layer.attend.W_value.weight.grad = kept = torch.ones(12, 12)
    assert examine(layer, 12) == {}
    assert layer.attend.W_value.weight.grad is kept and kept.eq(1).all()
    assert examine(layer.double(), 12) == {}
    assert examine(layer.requires_grad_(False), 12) == examine(layer.bfloat16(), 12) == {}


def test_a_bias_may_get_no_gradient():
    layer, shift = Right(), nn.Parameter(torch.zeros(12))
    layer.shift, plain = shift, layer.forward
    layer.forward = lambda inputs, lengths: plain(inputs, lengths) + 0 * shift
    assert examine(layer, 12) == {}


def test_two_causal_layers_know_the_order_without_positions():
    first, second = Right(causal=True), Right(causal=True)
    assert examine(lambda inputs, lengths: second(first(inputs, lengths), lengths), 12, causal=True) == {}


@pytest.mark.parametrize("shape", [(3,), (3, 12)])
def test_too_few_tokens_and_outputs_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match="give each token a vector"):
        examine(lambda inputs, lengths: torch.zeros(shape), 12)
    with pytest.raises(ValueError, match="need at least 4"):
        examine(Right(), 12, num_tokens=3)
