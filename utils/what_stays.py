"""What stays equal in a layer of attention: without an order, in copies, twice, with large numbers, beside a reference.

Each is called, and answers, as `trials` says. Notebook 20.
"""

import torch

from utils.trials import NOISE, NotTested, differ, may_read, real_tokens
from utils.who_reads import a_beginning_stays, alone_as_in_a_batch


def order_counts_as_promised(layer, inputs, lengths, positions, causal, window):
    """Shuffled, the tokens that the last one reads give it another output if and only if there are positions.

    So do those that the first one reads, if it may read what follows. positions may be a layer that counts from later.
    """
    allowed, inputs, lengths = may_read(inputs.shape[1], causal, window), inputs[:1], lengths[:1]
    before = layer(inputs, lengths)
    for token, name in ((inputs.shape[1] - 1, "last"),) + (() if causal else ((0, "first"),)):
        read = [other for other in allowed[token].nonzero()[:, 0].tolist() if other != token]
        if len(read) < 2:
            raise NotTested(f"the {name} token reads too few others")
        shuffled = inputs.clone()
        shuffled[:, read] = inputs[:, read[::-1]]
        after = layer(shuffled, lengths)[:, token]
        far = differ(before[:, token], after, NOISE / 100 if positions else NOISE)  # a young layer's count for little
        if positions and not far and torch.finfo(before.dtype).eps > NOISE:
            raise NotTested("16 bits round away what a shuffle changes here; examine the layer in float32")
        if bool(far) != bool(positions):
            output = f"another output after a shuffle: {far}" if far else "the same output after a shuffle"
            return f"the {name} token has {output}"
    far = differ(before, positions(inputs, lengths)) if callable(positions) else ""
    return far and f"counted from another position, a sentence has another output: {far}"


def copies_add_nothing(layer, inputs, lengths):
    """Six copies of a token give what one gives, for an average of equal values is that value."""
    copies = layer(inputs[:1, :1].expand(1, *inputs.shape[1:]), lengths[:1])
    far = differ(layer(inputs[:1, :1], lengths.new_tensor([1])).expand_as(copies), copies)
    return far and f"{inputs.shape[1]} copies of a token give another output than one: {far}"


def twice_the_same(layer, inputs, lengths):
    """The same inputs give the same outputs, and other lengths theirs: nothing is drawn, nothing kept from a call."""
    far = differ(*(real_tokens(layer(inputs, lengths), lengths) for _ in range(2)))
    if far:
        return f"the same inputs give another output the second time: {far}; did you call eval()?"
    if alone_as_in_a_batch(layer, inputs, lengths):
        return ""  # which that test says
    kept = alone_as_in_a_batch(layer, inputs, lengths.flip(0))
    return kept and f"with lengths {lengths.flip(0).tolist()} after {lengths.tolist()}, {kept}"


def large_numbers_stay_numbers(layer, inputs, lengths, causal=False):
    """Inputs a hundred times as large give neither nan nor inf, and thirty times as large they read nothing hidden.

    A norm in front of the layer hides what it would do."""
    if not layer(100 * inputs[:1], lengths[:1]).isfinite().all():
        return "large inputs give nan or inf"
    inputs = 30 * inputs
    outputs, nudged = (layer(batch, lengths) for batch in (inputs, inputs * (1 + 4 * torch.finfo(inputs.dtype).eps)))
    noise = max(0.01, 30 * ((outputs - nudged).abs().max() / outputs.abs().max()).item())  # scores are large: so is it
    for test in (alone_as_in_a_batch, a_beginning_stays) if causal else (alone_as_in_a_batch,):
        if not test(layer, inputs / 30, lengths) and (problem := test(layer, inputs, lengths, noise)):
            return f"what is hidden counts with large inputs: {problem}"
    return ""


def equal_to_the_reference(layer, inputs, lengths, reference):
    """The real tokens get the outputs that they get in a layer that is right."""
    far = differ(*(real_tokens(call(inputs, lengths), lengths) for call in (reference, layer)))
    return far and f"it differs from the reference: {far}"
