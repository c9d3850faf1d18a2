"""Who reads whom in a layer: padding, other sentences, the future, and all that may be read. Notebook 20."""

import torch

from utils.trials import NOISE, differ, may_read, other_tokens


def alone_as_in_a_batch(layer, inputs, lengths, noise=NOISE):
    """A sentence gives the same alone, without padding, as in a batch with longer ones."""
    together = layer(inputs, lengths)
    for row, length in enumerate(lengths.tolist()):
        alone = layer(inputs[row : row + 1, :length], lengths[row : row + 1])
        if far := differ(alone[0, :length], together[row, :length], noise):
            return f"sentence {row} has another output alone than in the batch: {far}"
    return ""


def sentences_kept_apart(layer, inputs, lengths):
    """No sentence of a batch changes with another."""
    changed = inputs.clone()
    changed[1] = other_tokens(inputs)[1]
    before, after = layer(inputs, lengths), layer(changed, lengths)
    for row in (0, 2):
        if far := differ(before[row, : lengths[row]], after[row, : lengths[row]]):
            return f"sentence {row} changes with sentence 1: {far}"
    return ""


def a_beginning_stays(layer, inputs, lengths, noise=NOISE):
    """In a causal layer the first tokens do not change with what follows, be it another text or nothing."""
    outputs, beginnings = layer(inputs[:1], lengths[:1]), range(1, inputs.shape[1])
    for length in beginnings:
        going_on = torch.cat([inputs[:1, :length], other_tokens(inputs)[:1, length:]], dim=1)
        if far := differ(layer(going_on, lengths[:1])[:, :length], outputs[:, :length], noise):
            return f"a sentence that goes on otherwise after token {length - 1} gives other outputs: {far}"
    for length in beginnings:  # a layer of one length stops here
        part = layer(inputs[:1, :length], lengths.new_tensor([length]))
        if far := differ(part[:, :length], outputs[:, :length], noise):
            return f"a sentence cut off after token {length - 1} gives other outputs: {far}"
    return ""


def all_that_may_be_read_counts(layer, inputs, lengths, causal=False, window=None):
    """Each token that may be read changes each token that may read it, and in a window nothing else does."""
    reads, allowed = who_reads(layer, inputs[:1], lengths[:1]) > 0, may_read(inputs.shape[1], causal, window)
    for token in range(inputs.shape[1]):
        readers = allowed[:, token].to(reads.device)
        if unread := (readers & ~reads[:, token]).sum().item():
            return f"token {token} does not reach {unread} of {readers.sum()} tokens"
        if window is not None and (reads[:, token] & ~readers).any():
            reader = (reads[:, token] & ~readers).nonzero()[0].item()
            return f"token {token} reaches token {reader}, out of whose window it stands"
    return ""


def who_reads(layer, inputs, lengths):
    """Return how far each real output of the first sentence moves with each of its inputs, (outputs, inputs)."""
    length, reads = int(lengths[0]), []
    with torch.no_grad():
        before = layer(inputs, lengths)[0, :length]
        for token in range(inputs.shape[1]):
            changed = inputs.clone()
            changed[0, token] = other_tokens(inputs)[0, token]
            moved = (layer(changed, lengths)[0, :length] - before).abs().amax(dim=-1)
            reads.append(moved.where(moved > NOISE / 100 * before.abs().max(), 0.0))
    return torch.stack(reads, dim=1)
