"""Right and wrong answers to the exercises in notebook 07 (training a head)."""

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_07 import check_changed_answers, check_one_head, check_train
from utils.attention import SelfAttention


class Head(SelfAttention):
    def forward(self, inputs, mask=None):
        query, key, value = self.W_query(inputs), self.W_key(inputs), self.W_value(inputs)
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


def train(loss_of, optimizer, batches):
    losses = []
    for batch in batches:
        loss = loss_of(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(float(loss.detach()))
    return losses


RIGHT = {check_train: [train], check_one_head: [Head], check_changed_answers: [changed_by_loop]}
WRONG = {
    check_train: {
        "the gradients were asked for twice": {"loss.backward()": "loss.backward(); loss.backward()"},
        "no way leads back from the loss": {"loss_of(batch)": "loss_of(batch).detach()"},
        "ask for the gradients, loss.backward(), before": {"loss_of(batch)": "loss_of(batch).item()"},
        "train gives a Tensor, but a list of bare numbers, lo": {"float(loss.detach())": "loss.detach()"},
        "batches comes one by one, and has no length": {"return losses": "return len(batches)"},
        "batches comes one by one, and has no places": {"loss_of(batch)": "loss_of(batches[0])"},
        "loss_of(batch) returns the loss": {"loss_of(batch)": "loss_of(batch).backward()", "loss.backward()": ""},
    },
    check_one_head: {
        "W_key has a bias; write bias=False": changed(Head, W_key=lambda head: nn.Linear(6, 4)),
        "W_key is nn.Linear(4, 6), but nn.Linear(d_in, d_out)": changed(Head, W_key=lambda head: nn.Linear(4, 6)),
        "two layers are one and the same": changed(Head, W_query=lambda head: head.W_key),
        "an input is changed in place": {"return [": "inputs.zero_(); return ["},
        "training cannot reach W_value": {"weights @ value": "weights @ value.detach()"},
        "the module has these layers and nothing else to train": changed(Head, gate=lambda head: nn.Linear(2, 2)),
    },
    check_changed_answers: {
        "what you hand to answer_of gives a list, but a text": {'opening + " " + rest': "openings"},
        "answer_of was asked about “there wasone minute pause”: write an opening, one space": {' + " "': ""},
    },
}
