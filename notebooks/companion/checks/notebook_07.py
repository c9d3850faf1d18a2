"""Checks of the exercises in notebook 07 (training a head)."""

import torch
from torch import nn

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_kind
from companion.checks.modules import expect_linear, expect_module, expect_trainable, made_module
from companion.course_answers import one_loop
from companion.slips import slips
from utils.attention import SelfAttention, causal_mask, padding_mask

STOPS = {
    "second time": "the gradients were asked for twice: one loss.backward() for each batch",
    "not require grad": "no way leads back from the loss to the parameters: no detach or no_grad before backward",
    "no attribute 'backward'": "ask for the gradients, loss.backward(), before .item() makes a bare number of the loss",
    "'NoneType' object has no": "loss_of(batch) returns the loss: loss = loss_of(batch)",
    "has no len()": "batches comes one by one, and has no length: for batch in batches",
    "not subscriptable": "batches comes one by one, and has no places: for batch in batches",
}


CALLS = "optimizer.zero_grad()\n        loss.backward()\n        optimizer.step()"
LOOPS = {  # {message: what a wrong train has instead}
    "the gradients of all batches add up: forget the old ones, optimizer.zero_grad(), for each batch": {
        "optimizer.zero_grad()": ""
    },
    "the parameters stay where they are: zero_grad, then backward, then step, for each batch": {
        "optimizer.step()": "optimizer.zero_grad()"
    },
    "step comes before backward, so it moves by the gradients of the batch before": {
        CALLS: "optimizer.step()\n        loss.backward()"
    },
    "only the last batch moves the parameters: all three calls stand inside the loop": {
        CALLS: "",
        "return losses": CALLS.replace("        ", "    ") + "\n    return losses",
    },
    "only the first batch is used": {"in batches": "in [next(batches)]"},
}
PARTS = "list of losses", "value of the parameters"


def _run(train, start, batches):
    """Return the losses of some batches, and the parameters after them."""
    parameter = nn.Parameter(start.clone())
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    losses = train(lambda batch: (parameter * batch).sum(dim=-1).sub(1).square().mean(), optimizer, iter(batches))
    expect_kind(losses, list, "train", "a list of the losses")
    for loss in losses:
        expect_kind(loss, float, "train", "a list of bare numbers, loss.item(),")
    return torch.tensor(losses), parameter.detach()


@compared_with(one_loop, LOOPS, STOPS, parts=PARTS, measure=_run)
def check_train(train):
    """each batch moves the parameters once, by its own gradients alone."""
    yield "train on three batches", (torch.randn(4), [torch.randn(5, 4) for _ in range(3)])


ORDER = "my_attention(query, key, value, mask)"
HEAD_SLIPS = {  # {message: what a wrong OneHead has instead}
    f"query and key are exchanged: {ORDER}": {"self.W_query(inputs), self.W_key": "self.W_key(inputs), self.W_query"},
    f"key and value are exchanged: {ORDER}": {"self.W_key(inputs), self.W_value": "self.W_value(inputs), self.W_key"},
    "the inputs are read as they are: use the three layers": {
        f"self.W_{role}(inputs)": "inputs" for role in ("query", "key", "value")
    },
    f"{known.IGNORED}: pass it on, {ORDER}": {", mask)": ")"},
    known.INVERTED: {", mask)": ", mask if mask is None else ~mask)"},
}
HEADS = slips(SelfAttention, HEAD_SLIPS)
LAYERS = dict.fromkeys(("W_query", "W_key", "W_value"), ("d_in", "d_out"))


@exercise(mistakes=HEADS)
def check_one_head(OneHead):
    """training finds three matrices, any batch fits, and any mask is obeyed."""
    head = made_module(OneHead, "OneHead", 6, 4)
    expect_linear(head, LAYERS, {"d_in": 6, "d_out": 4}, bias=False)
    sentence, batch = torch.randn(7, 6), torch.randn(3, 7, 6)
    cases = {
        "the head without a mask": (sentence,),
        "the head with a causal mask": (sentence, causal_mask(7)),
        "the head with padding": (batch, padding_mask([7, 2, 3], 7)),
    }
    expect_module(head, SelfAttention, (6, 4), cases, HEADS, ("context", "weights"))
    expect_trainable(head, head(sentence)[0])


def rests_answered_otherwise(answer_of, openings, rests):
    """Return how many rests of a sentence get more than one answer, of all openings in front of them."""
    return sum(len({answer_of(f"{opening} {rest}") for opening in openings}) > 1 for rest in rests)


CHANGED = {  # {message: what a wrong changed_answers has instead}
    "this counts the rests whose answer stays": {"> 1": "== 1"},
    "this counts the different answers; a rest counts once if it gets more than one": {"> 1": ""},
    "every rest is counted: count it only if its answers differ": {"> 1": "> 0"},
    "only the first rest is asked about: return after the loop": {"in rests": "in rests[:1]"},
}
ANSWERS = {  # of a head that is made up: {rest: its answer to each of three openings}, by the meanings' first letters
    "one minute pause": "aaa",
    "one minute crack": "tte",
    "another minute gap": "tea",
    "one minute seed today": "ttt",
    "one minute wait again": "eaa",
    "this one minute hole": "eae",
    "that one minute film": "eaa",
    "one minute walk": "tta",
    "one minute shift": "aat",
}


@compared_with(rests_answered_otherwise, CHANGED)
def check_changed_answers(changed_answers):
    """a head that reads the opening is caught, and one that does not is left alone."""
    openings = ["there was", "she noticed", "he remembers"]
    answers = {
        f"{opening} {rest}": {"a": "a time", "t": "tiny", "e": "either"}[letter]
        for rest, letters in ANSWERS.items()
        for opening, letter in zip(openings, letters)
    }

    def answer_of(text):
        expect_kind(text, str, "what you hand to answer_of", "a text")
        expect(text in answers, f"answer_of was asked about “{text}”: write an opening, one space and a rest")
        return answers[text]

    doing = f"changed_answers(answer_of, openings, rests) with 3 openings and {len(ANSWERS)} rests"
    yield doing, (answer_of, openings, [*ANSWERS])
