"""Ways to get attention wrong that published courses show: what tests of a layer say of each."""

import re

import pytest
import torch
from torch import nn

from companion import mistakes
from companion.mistakes import attention_of
from utils.attention import MultiHeadAttention, causal_mask, masked_softmax, padding_mask, scores
from utils.properties import examine

D_MODEL, HEADS, HEAD_DIM = 12, 3, 4
SHORT = re.compile("alone|apart|beginning|counts|order|copies|twice|large|learns|reference")  # a test in a word


class Layer(nn.Module):
    """A right layer, called as `examine` calls one, unless one of its steps is wrong."""

    def __init__(self, causal=False, past=causal_mask, **steps):
        super().__init__()
        torch.manual_seed(0)
        self.layers, self.causal, self.past = MultiHeadAttention(D_MODEL, HEADS).double(), causal, past
        self.attend = attention_of(**steps)

    def forward(self, inputs, lengths):
        mask = padding_mask(lengths, inputs.shape[1])[:, None]
        mask = mask & self.past(inputs.shape[1]) if self.causal else mask
        layers = self.layers.W_query, self.layers.W_key, self.layers.W_value
        return self.layers.W_output(self.attend(*(layer(inputs) for layer in layers), HEADS, mask)[0])


class Right(Layer):
    """The same by the course's own module."""

    def forward(self, inputs, lengths):
        return self.layers(inputs, mask=padding_mask(lengths, inputs.shape[1])[:, None], causal=self.causal)


def split(wrong):
    return {"split": wrong, "split_value": wrong}


WRONG = {  # {what is wrong: (what finds it in a layer that is causal or is not, the step)}
    "nothing": ("", {}),
    "K @ Q.T": ("reference", {"score": lambda query, key: scores(key, query)}),
    "scale missing": ("reference", {"score": mistakes.scaled(0)}),
    "scale by d_model": ("reference", {"score": lambda query, key: scores(query, key) * (HEAD_DIM / D_MODEL) ** 0.5}),
    "scale without root": ("reference", {"score": mistakes.scaled(-1)}),
    "scale multiplied": ("reference", {"score": mistakes.scaled(1 / 2)}),
    "softmax over queries": ("alone beginning copies reference", {"weigh": mistakes.over(-2)}),
    "softmax over heads": ("copies reference", {"weigh": mistakes.over(-3)}),
    "softmax over all at once": ("alone beginning copies reference", {"weigh": mistakes.over_all}),
    "maximum not subtracted": ("large", {"weigh": mistakes.less(lambda scores: 0.0)}),
    "weights rounded": ("copies learns reference", {"weigh": lambda *given: masked_softmax(*given).round(decimals=2)}),
    "mask ignored": ("alone beginning reference", {"weigh": mistakes.ignored}),
    "mask inverted": ("alone beginning copies counts learns reference", {"weigh": mistakes.inverted}),
    "mask after softmax": ("alone beginning copies reference", {"weigh": mistakes.after_softmax}),
    "mask added": ("alone beginning reference", {"weigh": mistakes.added}),
    "masked scores are 0": ("alone beginning reference", {"weigh": mistakes.filled(0.0)}),
    "masked scores 0, then hidden": ("alone beginning copies reference", {"weigh": mistakes.before_and_after}),
    "split without transpose": ("alone beginning copies counts order reference", split(mistakes.split_by_view)),
    "split in turn": ("reference", split(mistakes.SPLIT[mistakes.IN_TURN])),
    "split in reverse": ("reference", split(mistakes.SPLIT[mistakes.REVERSED])),
    "joined without transpose": ("alone beginning copies counts order reference", {"join": mistakes.join_by_view}),
    "joined in turn": ("reference", {"join": mistakes.JOINED[mistakes.IN_TURN]}),
    "joined in reverse": ("reference", {"join": mistakes.JOINED[mistakes.REVERSED]}),
    "cannot see itself": ("copies counts reference", {"past": mistakes.past(-1)}),
    "sees the next": ("beginning reference", {"past": mistakes.past(1)}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_step_breaks_exactly_the_properties_beside_it(name):
    wanted, step = WRONG[name]
    found = {
        SHORT.search(broken)[0]
        for causal in (False, True)
        for broken in examine(Layer(causal, **step), D_MODEL, causal, reference=Right(causal))
    }
    assert " ".join(sorted(found)) == wanted
