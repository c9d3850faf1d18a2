"""Right and wrong answers to the first exercise in notebook 12 (heads that learn)."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_12 import check_training_step, one_step


def step(loss_of=lambda logits, weights, wanted: rows(logits, wanted), order="zbs", result=lambda loss: loss.item()):
    """Compose a step of its decisions, any of which may be a wrong one."""

    def training_step(model, optimizer, inputs, wanted):
        loss = loss_of(*model(*inputs), wanted)
        for letter in order:
            {"z": optimizer.zero_grad, "b": loss.backward, "s": optimizer.step}[letter]()
        return result(loss)

    return training_step


def rows(logits, wanted, **options):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), wanted.reshape(-1), **options)


def by_log_softmax(logits, weights, wanted):
    asked = wanted != -100
    chosen = logits.log_softmax(-1)[asked].gather(-1, wanted[asked][:, None])
    return -chosen.mean()


def model_of_a_tuple(model, optimizer, inputs, wanted):
    return model(inputs)


def both_as_logits(model, optimizer, inputs, wanted):
    return rows(model(*inputs), wanted).item()


def bare_number(model, optimizer, inputs, wanted):
    loss = rows(model(*inputs)[0], wanted).item()
    loss.backward()
    return loss


def measured_late(model, optimizer, inputs, wanted):
    one_step(model, optimizer, inputs, wanted)
    return rows(model(*inputs)[0], wanted).item()


def moved_by_hand(model, optimizer, inputs, wanted):
    loss = rows(model(*inputs)[0], wanted)
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.5 * parameter.grad
    return loss.item()


RIGHT = {
    check_training_step: [
        one_step,
        step(order="bsz"),
        step(by_log_softmax),
        step(
            lambda logits, weights, wanted: F.cross_entropy(logits.mT, wanted), result=lambda loss: float(loss.detach())
        ),
    ],
}
WRONG = {
    check_training_step: [
        (step(order="bs"), "the gradients of all rounds add up"),
        (step(order="bzs"), "the parameters stay where they are: "),
        (step(order="zb"), "the parameters stay where they are: "),
        (step(order="zs"), "the parameters stay where they are: "),
        (step(order="sb"), "step comes before backward"),
        (step(lambda logits, weights, wanted: rows(logits.softmax(-1), wanted)), "cross_entropy takes the softmax"),
        (step(lambda logits, weights, wanted: rows(weights, wanted)), "the second thing that the model returns is"),
        (step(lambda logits, weights, wanted: rows(logits, wanted, reduction="sum")), "the losses of all answers are"),
        (step(lambda logits, weights, wanted: F.cross_entropy(logits, wanted)), "cross_entropy reads one row an"),
        (step(result=lambda loss: loss), "training_step gives a Tensor, but a float was expected: loss.item()"),
        (step(result=lambda loss: None), "training_step gives None; did you forget `return`?"),
        (step(result=lambda loss: loss.item() / 2), "the loss that training_step returns, in three rounds,"),
        (step(order="bbs"), "the gradients were asked for twice"),
        (model_of_a_tuple, "inputs is a tuple: model(*inputs)"),
        (step(lambda logits, weights, wanted: rows(logits[:, -1], wanted[:, -1])), "this is the loss of one answer"),
        (step(lambda logits, weights, wanted: rows(logits.detach(), wanted)), "no way leads back from the loss"),
        (measured_late, "the loss is measured once more after the step"),
        (moved_by_hand, "a parameter that the loss does not use has no gradient"),
        (both_as_logits, "the model returns two things"),
        (bare_number, "ask for the gradients, loss.backward(), before"),
    ],
}
