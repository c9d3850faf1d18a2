"""Right and wrong answers to the exercises in notebook 07 (training a head)."""

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_07 import check_changed_answers, check_one_head, check_train
from utils.attention import SelfAttention, attention


def head(reads=attention, **made):
    """Make a head that reads with reads(query, key, value, mask), and with some layers made otherwise."""

    def forward(self, inputs, mask=None):
        return reads(self.W_query(inputs), self.W_key(inputs), self.W_value(inputs), mask)

    return changed(SelfAttention, forward, **made)


def by_hand(query, key, value, mask):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
    weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
    return [weights @ value, weights]


def changed_by_loop(answer_of, openings, rests):
    number = 0
    for rest in rests:
        first, *answers = [answer_of(opening + " " + rest) for opening in openings]
        if any(answer != first for answer in answers):
            number += 1
    return number


def loop(order, find=lambda loss: loss):
    """Make a loop of its decisions, any of which may be a wrong one."""

    def train(loss_of, optimizer, batches):
        losses = []
        for batch in batches:
            loss = find(loss_of(batch))
            for letter in order:
                {"z": optimizer.zero_grad, "b": lambda loss=loss: loss.backward(), "s": optimizer.step}[letter]()
            losses.append(float(loss.detach()))
        return losses

    return train


RIGHT = {check_train: [loop("bsz")], check_one_head: [head(by_hand)], check_changed_answers: [changed_by_loop]}
WRONG = {
    check_train: [
        (loop("zbbs"), "the gradients were asked for twice"),
        (loop("zbs", find=torch.detach), "no way leads back from the loss"),
        (loop("zbs", find=torch.Tensor.item), "ask for the gradients, loss.backward(), before"),
        (lambda *inputs: [*torch.tensor(loop("zbs")(*inputs))], "train gives a Tensor, but a list of bare numbers, lo"),
        (lambda loss_of, optimizer, batches: len(batches), "batches comes one by one"),
        (lambda loss_of, optimizer, batches: loss_of(batches[0]), "batches comes one by one, and has no places"),
        (lambda loss_of, _, batches: loss_of(next(batches)).backward().item(), "loss_of(batch) returns the loss"),
    ],
    check_one_head: [
        (head(W_key=lambda head: nn.Linear(6, 4)), "W_key has a bias; write bias=False"),
        (head(W_key=lambda head: nn.Linear(4, 6)), "W_key is nn.Linear(4, 6), but nn.Linear(d_in, d_out)"),
        (changed(SelfAttention, W_query=lambda head: head.W_key), "two layers are one and the same"),
        (head(reads=lambda q, k, value, mask: attention(q, k, value.detach(), mask)), "training cannot reach W_value"),
        (head(gate=lambda head: nn.Linear(2, 2)), "the module has these layers and nothing else to train; look at g"),
    ],
    check_changed_answers: [
        (lambda answer_of, openings, rests: answer_of(openings), "what you hand to answer_of gives a list, but a text"),
        (
            lambda answer_of, openings, rests: answer_of(openings[0] + rests[0]),
            "answer_of was asked about “there wasone minute pause”: write an opening, one space",
        ),
    ],
}
