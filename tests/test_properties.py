"""Ten properties of a layer of attention: none complains of the course's own modules, each finds what it is for."""

import re
from functools import partial

import pytest
import torch
from torch import nn

from utils.attention import MultiHeadAttention, causal_mask, merge_heads, padding_mask, scores, split_heads
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


def within(near, causal=False):
    """Return a layer that reads only where `near` (tokens, tokens) is True."""
    return changed(lambda attend, x, lengths: masked(attend, x, lengths, near[: x.shape[1], : x.shape[1]], causal))


def masked(attend, x, lengths, near=True, causal=False):
    """Attend as the right layer does, and here perhaps only to what is near."""
    return attend(x, mask=real(lengths, x) & near, causal=causal)


def hardly_learning(attend, x, lengths):
    outputs = masked(attend, x, lengths).detach() + nn.functional.linear(x, attend.W_output.weight)
    return outputs + 1e-9 * attend(x)  # as rounding leaves of a gradient of 0


def in_place(attend, x, lengths):
    query = attend.W_query(x).exp()
    return masked(attend, x, lengths) + 0 * query + 0 * query.zero_()


def one_sees_the_next(attend, x, lengths, query=2):
    mask = causal_mask(x.shape[1])
    mask.diagonal(1)[query : query + 1] = True  # and no other sees anything new
    return masked(attend, x, lengths, mask)


def the_last_sees_another(attend, x, lengths):
    return masked(attend, torch.cat([x[:2], x[2:] + x[1:2].expand_as(x[2:])]), lengths)


def the_first_adds_its_neighbor(attend, x, lengths):
    return masked(attend, x, lengths) + torch.eye(x.shape[1])[:, :1] * x[:, 1:2]


def divided_by_its_length(attend, x, lengths):
    return attend(x, causal=True) / x.shape[1]


def drawing(attend, x, lengths):
    return masked(attend, x, lengths) + 0.1 * torch.rand_like(x)


def by_hand(attend, x, lengths, after=0, sink=0):
    """Attend with this much subtracted from the scores of later keys, and with so many keys of zeros more."""
    query, key, value = (split_heads(layer(x), 3) for layer in (attend.W_query, attend.W_key, attend.W_value))
    measured = scores(query, key).masked_fill(~real(lengths, x)[:, None], -torch.inf) - after * ~causal_mask(x.shape[1])
    weights = nn.functional.pad(measured, (0, sink)).softmax(dim=-1)[..., : x.shape[1]]
    return attend.W_output(merge_heads(weights @ value))


MISTAKES = [  # that hardly show: what is told, a layer that makes one, what it promises; x are the inputs
    ("sentences_kept_apart", the_last_sees_another, {}),
    ("a_beginning_stays: .* otherwise after token 2", one_sees_the_next, {"causal": True}),
    ("a_beginning_stays: .* after token 0", partial(one_sees_the_next, query=0), {"causal": True}),
    ("alone_as_in_a_batch: .*: nan or inf", lambda attend, x, lengths: attend(x) / (len(x) > 1), {"padding": False}),
    ("a_beginning_stays: .* cut off after token 0", divided_by_its_length, {"causal": True}),
    ("order_counts_as_promised: the last token has the same", masked, {"positions": True}),
    ("order_counts_as_promised: the first token has another", the_first_adds_its_neighbor, {}),
    ("large_numbers_stay_numbers: what is hidden", partial(by_hand, after=60.0), {"causal": True}),
    ("copies_add_nothing", partial(by_hand, sink=1), {}),
    ("nothing found", partial(by_hand, sink=1), {"extra_keys": True}),
    (r"not tested: every_number_learns .no gradient goes back[^:]*\)$", in_place, {}),
    ("large_numbers_stay_numbers", lambda attend, x, lengths: attend(x) / (x.abs().max() < 200), {"padding": False}),
    ("twice_the_same: .*apart; did you call eval", drawing, {}),
    (r"equal.*shape \(13, 6\) in place of \(13, 12\)", lambda attend, x, _: attend(x)[..., :6], {"reference": Right()}),
    ("every_number_learns: no gradient reaches attend.W_q", hardly_learning, {}),
    ("every_number_learns", lambda *inputs: masked(*inputs).detach(), {}),
]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("positions", [None, rotate])
def test_nothing_is_found_in_the_modules_of_the_course(causal, positions):
    layer = Right(causal, positions)
    assert examine(layer, 12, causal, positions is not None, reference=layer) == {}


@pytest.mark.parametrize("message, change, promised", MISTAKES)
def test_a_mistake_that_hardly_shows_is_found(message, change, promised):
    assert re.search(rf"^\w*{message}", str(examine(changed(change), 12, **promised)), re.MULTILINE)


def test_nan_is_told_once_and_nothing_false_beside_it():
    def no_room_left(attend, x, lengths):  # 0 / 0 where a sentence is padded
        return masked(attend, x, lengths) / (lengths == x.shape[1])[:, None, None]

    for side in (True, "left"):
        report = examine(changed(no_room_left), 12, padding=side, reference=Right())
        assert report == {"nan_or_inf": "in the outputs of sentences [1, 2], with lengths [6, 4, 3]"}
        assert report.not_tested == {"all else": "nothing can be compared with nan"}
    assert examine(changed(no_room_left), 12, padding=False) == {}
    only_padding = changed(lambda attend, x, lengths: masked(attend, x, lengths) / real(lengths, x).mT)
    assert examine(only_padding, 12) == {}


def test_chunks_are_promised_by_who_may_read_whom():
    chunk = torch.arange(6) // 2
    near = (chunk[:, None] - chunk).abs() < 2

    causal, both_ways = within(near, causal=True), within(near)
    assert examine(causal, 12, causal=True, window=near) == examine(both_ways, 12, window=near) == {}
    for width in (3, 4):
        assert examine(causal, 12, causal=True, window=width).keys() == {"all_that_may_be_read_counts"}
    report = examine(both_ways, 12, causal=True, window=near)
    assert report.keys() == {"a_beginning_stays", "all_that_may_be_read_counts"}


def test_a_window_shows_only_in_a_text_that_is_longer():
    window = within(causal_mask(12).triu(-7))
    assert examine(window, 12, causal=True) == examine(window, 12, causal=True, window=8) == {}
    assert examine(window, torch.randn(3, 12, 12), causal=True).keys() == {"all_that_may_be_read_counts"}
    for width, message in ((9, "token 0 does not reach 1 of 9 tokens"), (7, "token 0 reaches token 7, out of whose")):
        report = examine(window, 12, causal=True, window=width)
        assert [*report] == ["all_that_may_be_read_counts"] and message in report.popitem()[1]


def test_what_is_frozen_need_not_learn_and_no_gradient_is_touched():
    layer = Right()
    layer.attend.W_key.requires_grad_(False)
    layer.attend.W_value.weight.grad = gradient = torch.ones(12, 12)
    assert examine(layer, 12) == {}
    assert layer.attend.W_value.weight.grad is gradient and gradient.eq(1).all()
    assert examine(layer.double(), 12) == {}
    assert examine(layer.requires_grad_(False), 12) == examine(layer.bfloat16(), 12) == {}


def test_two_causal_layers_know_the_order_without_positions():
    first, second = Right(causal=True), Right(causal=True)
    assert examine(lambda inputs, lengths: second(first(inputs, lengths), lengths), 12, causal=True) == {}


@pytest.mark.parametrize("shape", [(3,), (3, 12)])
def test_too_few_tokens_and_outputs_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match="give each token a vector"):
        examine(lambda inputs, lengths: torch.zeros(shape), 12)
    for few in (torch.zeros(3, 3, 12), torch.zeros(2, 4, 12)):
        with pytest.raises(ValueError, match="three sentences of at least 4 tokens each"):
            examine(Right(), few)
    with pytest.raises(TypeError, match="inputs is 12.0; give a whole number"):
        examine(Right(), 12.0)
    with pytest.raises(ValueError, match="6 tokens cannot leave a window of 6"):
        examine(Right(), torch.zeros(3, 6, 12), window=6)
    assert examine(Right(), torch.randn(3, 4, 12)) == {}


def test_a_bias_of_the_keys_may_have_an_axis_for_heads():
    biases = nn.ParameterDict({"shift": torch.zeros(3, 4), "b_K": torch.zeros(6, 4), "k_bias": torch.zeros(6, 4)})
    layer = changed(lambda *inputs: masked(*inputs) + 0 * sum(bias.sum() for bias in biases.values()))
    layer.biases = biases
    assert examine(layer, 12) == {}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.half])
def test_young_positions_in_16_bits_are_not_accused(dtype):
    layer = Right(causal=True, positions=rotate)
    for numbers in layer.parameters():
        nn.init.normal_(numbers, std=0.01)
    assert examine(layer, 12, causal=True, positions=True) == {}
    report = examine(layer.to(dtype), 12, causal=True, positions=True)
    assert report == {} and "float32" in report.not_tested["order_counts_as_promised"]
    assert "order_counts_as_promised" not in examine(Right().to(dtype), 12).not_tested


def test_units_of_relu_that_are_never_on_are_not_accused():
    layer, part = Right(), nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 12), nn.ReLU())
    nn.init.constant_(part[0].bias[:4], -99)
    nn.init.constant_(part[2].bias[:1], -99)
    layer.part, attend = part, layer.forward
    layer.forward = lambda inputs, lengths: inputs + part(attend(inputs, lengths))
    assert examine(layer, 12) == {}


def test_heads_that_all_read_the_first_heads_part_are_told():
    class FirstPart(nn.MultiheadAttention):
        def forward(self, x, lengths):
            query, key, value = (part[..., :8] for part in nn.functional.linear(x, self.in_proj_weight).chunk(3, -1))
            context = nn.functional.scaled_dot_product_attention(query, key, value, real(lengths, x))
            return self.out_proj(context.repeat(1, 1, 4))

    report = examine(FirstPart(32, 4, bias=False), 32)
    assert report == {"every_number_learns": "no gradient reaches 72 of 96 rows of in_proj_weight"}


def test_what_is_not_tested_is_said_with_what_would_test_it():
    layer = Right()
    report = examine(lambda x, lengths: layer(x, lengths), 12)
    assert report.not_tested.keys() == {"a_beginning_stays", "equal_to_the_reference", "every_number_learns"}
    assert report.not_tested["every_number_learns"] == "give the module itself, not a function"
    layer = layer.bfloat16()
    with pytest.raises(TypeError) as stopped:
        examine(lambda x, lengths: layer(x, lengths), 12)
    called, wrap = stopped.value.__notes__
    assert called == "called with inputs (3, 6, 12) of float32 and lengths [6, 4, 3]"
    assert wrap.startswith("examine calls layer(inputs, lengths)")
    names = {"layer": MultiHeadAttention(12, 3), "padding_mask": padding_mask}
    assert examine(eval(wrap.partition(" over as ")[2], names), 12) == {}
    assert examine(lambda x, lengths: layer(x, lengths), torch.randn(3, 6, 12).bfloat16()) == {}


def padded_in_front(attend, x, lengths, hidden=True):
    places = torch.arange(x.shape[1]) >= x.shape[1] - lengths[:, None]
    return attend(x, mask=places[:, None] if hidden else None)


def test_padding_in_front_is_examined_as_padding_behind():
    assert examine(changed(padded_in_front), 12, padding="left") == {}
    assert "alone_as_in_a_batch" in examine(changed(padded_in_front), 12)
    assert examine(changed(partial(padded_in_front, hidden=False)), 12, padding="left").keys() == {
        "alone_as_in_a_batch"
    }


def test_a_window_without_positions_is_shuffled_inside_only():
    near = causal_mask(6).triu(-2) | causal_mask(6).triu(-2).T
    assert examine(within(near), 12, window=3) == examine(within(near), 12, window=near) == {}
    report = examine(within(causal_mask(6).triu(-1)), 12, causal=True, positions=True, window=2)
    assert report == {} and "last token reads too few others" in report.not_tested["order_counts_as_promised"]


def test_errors_inside_the_layer_say_what_it_was_called_with():
    def six(attend, x, lengths):
        if x.shape[1] != 6:
            raise ValueError("give six\ntokens")
        return attend(x)

    fixed = changed(six)
    problem = examine(fixed, 12)["alone_as_in_a_batch"]
    assert problem.startswith("ValueError (give six); called with inputs (1, 4, 12) of float32 and lengths [4]; if the")
    assert "padding=False" in problem
    report = examine(fixed, 12, padding=False)
    assert report == {} and "inputs (1, 1, 12)" in report.not_tested["copies_add_nothing"]
    with pytest.raises(ValueError, match="returns a tuple; let it return the outputs alone"):
        examine(lambda x, lengths: (x, None), 12)
    layer = Right()
    layer.frozen = nn.Parameter(torch.zeros(2, dtype=torch.int8), requires_grad=False)
    layer.other = nn.MultiheadAttention(12, 3, kdim=6).requires_grad_(False)  # whose matrices are not packed
    assert examine(layer, 12) == {}


def test_where_only_distances_count_a_later_count_changes_nothing():
    def turned(start, values):
        layer = Right(causal=True)

        def forward(x, lengths):
            places, attend = torch.arange(x.shape[1]) + start, layer.attend
            query, key = (rotate(role(x)[:, None], places) for role in (attend.W_query, attend.W_key))
            value = attend.W_value(x)[:, None]
            value = rotate(value, places) if values else value
            return nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)[:, 0]

        return forward

    assert examine(turned(0, False), 12, causal=True, positions=turned(30, False)) == {}
    report = examine(turned(0, True), 12, causal=True, positions=turned(30, True))
    assert report["order_counts_as_promised"].startswith("counted from another position")


def test_a_mask_kept_by_its_shape_is_found():
    masks = {}
    by_shape = changed(lambda attend, x, lengths: attend(x, mask=masks.setdefault(x.shape, real(lengths, x))))
    assert examine(by_shape, 12).keys() == {"twice_the_same"}


def test_a_default_device_moves_nothing_that_is_elsewhere():
    layer, turned = Right(), Right(positions=rotate)
    with torch.device("meta"):
        assert examine(layer, 12, window=4, reference=layer).keys() == {"all_that_may_be_read_counts"}
        assert examine(turned, 12, positions=True) == examine(layer, 12) == {}
        assert layer.attend(torch.ones(1, 3, 12, device="cpu"), causal=True, need_weights=True)[1].isfinite().all()


def test_ids_are_examined_as_vectors_are():
    torch.manual_seed(0)
    table, layer = nn.Embedding(20, 12), Right()
    ids = torch.randint(20, (3, 6))
    assert examine(lambda x, lengths: layer(table(x), lengths), ids) == {}
    report = examine(lambda x, lengths: layer(table(x), lengths), ids, causal=True)
    assert report.keys() == {"a_beginning_stays"} and "large_numbers_stay_numbers" in report.not_tested
