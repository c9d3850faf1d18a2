"""What holds for every right layer of attention, whatever its numbers: ten tests for your own. Built in notebook 20.

A layer is anything that is called as `layer(inputs, lengths)`: inputs (batch, tokens, d_model), lengths (batch,) says
how many tokens of each sentence are real, and those after them are padding. It returns a vector for each token.
Each test returns in words what does not hold, "" if it finds nothing.
"""

import torch

NOISE = 1e-4  # of the size of an output: what sums in another order may change


def examine(layer, d_model, causal=False, positions=False, reference=None, num_tokens=6):
    """Try a layer on all ten properties, and return {property: what does not hold}, {} if nothing was found.

    causal: each token may read only itself and what stands before it; positions: the order of the tokens counts;
    reference: a layer that must give the same outputs; num_tokens: of the longest sentence, more than a window has.
    Call `eval()` first: dropout gives two outputs for the same inputs. A function is not asked what it learns.
    Raises ValueError for fewer than 4 tokens, or for outputs that are not (batch, tokens, features).
    >>> examine(lambda inputs, lengths: inputs.cumsum(dim=1), 16, causal=True)
    {'copies_add_nothing': '6 copies of a token give another output than one: ...'}
    """
    if num_tokens < 4:
        raise ValueError(f"num_tokens is {num_tokens}; sentences of different lengths need at least 4")
    draw = torch.Generator().manual_seed(1)
    like = next(layer.parameters(), torch.empty(0)) if isinstance(layer, torch.nn.Module) else torch.empty(0)
    inputs = torch.randn(3, num_tokens, d_model, generator=draw).to(like)
    batch = inputs, torch.tensor([num_tokens, num_tokens - 2, num_tokens // 2], device=like.device)
    problems = {"every_number_learns": every_number_learns(layer, *batch)}
    with torch.no_grad():
        if len(shape := layer(*batch).shape) != 3:
            raise ValueError(f"the outputs have shape {tuple(shape)}; give each token a vector, (3, tokens, features)")
        problems |= {
            "alone_as_in_a_batch": alone_as_in_a_batch(layer, *batch),
            "sentences_kept_apart": sentences_kept_apart(layer, *batch),
            "a_beginning_stays": causal and a_beginning_stays(layer, *batch),
            "all_that_may_be_read_counts": all_that_may_be_read_counts(layer, *batch, causal),
            # In two causal layers the order counts without positions, too: the mask tells it.
            "order_counts_as_promised": (positions or not causal)
            and order_counts_as_promised(layer, *batch, positions),
            "copies_add_nothing": not positions and copies_add_nothing(layer, *batch),
            "twice_the_same": twice_the_same(layer, *batch),
            "large_numbers_stay_numbers": large_numbers_stay_numbers(layer, *batch),
            "equal_to_the_reference": reference and equal_to_the_reference(layer, *batch, reference),
        }
    return {name: problem for name, problem in problems.items() if problem}


def differ(one, other, noise=NOISE):
    """Return how far two outputs are apart at most, in words, "" if no further than rounding takes them."""
    if one.shape != other.shape:
        return f"shape {tuple(other.shape)} in place of {tuple(one.shape)}"
    if not (one.isfinite().all() and other.isfinite().all()):
        return "nan or inf"
    far, allowed = (one - other).abs().max(), max(noise, 8 * torch.finfo(one.dtype).eps) * one.abs().max()
    return f"{far:.2g} apart" if far > allowed else ""


def alone_as_in_a_batch(layer, inputs, lengths):
    """A sentence gives the same alone, without padding, as in a batch with longer ones."""
    together = layer(inputs, lengths)
    for row, length in enumerate(lengths.tolist()):
        alone = layer(inputs[row : row + 1, :length], lengths[row : row + 1])
        if far := differ(alone[0, :length], together[row, :length]):
            return f"sentence {row} has another output alone than in the batch: {far}"
    return ""


def sentences_kept_apart(layer, inputs, lengths):
    """No sentence of a batch changes with another."""
    changed = inputs.clone()
    changed[1] += _change(inputs)
    before, after = layer(inputs, lengths), layer(changed, lengths)
    for row in (0, 2):
        if far := differ(before[row, : lengths[row]], after[row, : lengths[row]]):
            return f"sentence {row} changes with sentence 1: {far}"
    return ""


def a_beginning_stays(layer, inputs, lengths):
    """In a causal layer the first tokens do not change with what follows."""
    whole = layer(inputs[:1], lengths[:1])
    for length in range(1, inputs.shape[1]):
        part = layer(inputs[:1, :length], lengths.new_tensor([length]))
        if far := differ(part[:, :length], whole[:, :length]):
            return f"a sentence cut off after token {length - 1} gives other outputs: {far}"
    return ""


def all_that_may_be_read_counts(layer, inputs, lengths, causal=False):
    """Each token that may be read changes each token that may read it. A window says here how far it reaches."""
    reads = who_reads(layer, inputs[:1], lengths[:1])
    for token in range(inputs.shape[1]):
        readers = reads[token:, token] if causal else reads[:, token]
        if not readers.all():
            return f"token {token} does not reach {(readers == 0).sum()} of {len(readers)} tokens"
    return ""


def who_reads(layer, inputs, lengths):
    """Return how far each real output of the first sentence moves with each of its inputs, (outputs, inputs)."""
    real, reads = int(lengths[0]), []
    with torch.no_grad():
        before = layer(inputs, lengths)[0, :real]
        for token in range(inputs.shape[1]):
            changed = inputs.clone()
            changed[0, token] += _change(inputs)
            moved = (layer(changed, lengths)[0, :real] - before).abs().amax(dim=-1)
            reads.append(moved.where(moved > NOISE / 100 * before.abs().max(), 0.0))
    return torch.stack(reads, dim=1)


def order_counts_as_promised(layer, inputs, lengths, positions=False):
    """Shuffled before the last token, tokens give it another output if and only if there are positions."""
    order = torch.arange(inputs.shape[1] - 1).flip(0)
    shuffled = torch.cat([inputs[:1, order], inputs[:1, -1:]], dim=1)
    outputs = (layer(each, lengths[:1])[:, -1] for each in (inputs[:1], shuffled))
    far = differ(*outputs, NOISE / 100 if positions else NOISE)  # a young layer's positions count for little
    if positions:
        return "" if far else "the last token has the same output after a shuffle"
    return far and f"the last token has another output after a shuffle: {far}"


def copies_add_nothing(layer, inputs, lengths):
    """Six copies of a token give what one gives, for an average of equal values is that value."""
    copies = layer(inputs[:1, :1].expand(1, *inputs.shape[1:]), lengths[:1])
    far = differ(layer(inputs[:1, :1], lengths.new_tensor([1])).expand_as(copies), copies)
    return far and f"{inputs.shape[1]} copies of a token give another output than one: {far}"


def twice_the_same(layer, inputs, lengths):
    """The same inputs give the same outputs: no dropout, and nothing kept from the call before."""
    far = differ(*(_real(layer(inputs, lengths), lengths) for _ in range(2)))
    return far and f"the same inputs give another output the second time: {far}"


def large_numbers_stay_numbers(layer, inputs, lengths):
    """Inputs a hundred times as large give neither nan nor inf. A norm in front of the layer hides what it would do."""
    return "" if layer(100 * inputs[:1], lengths[:1]).isfinite().all() else "large inputs give nan or inf"


def every_number_learns(layer, inputs, lengths):
    """Each matrix that may learn gets a gradient. Biases may get none: softmax ignores the bias of the keys."""
    named = layer.named_parameters() if isinstance(layer, torch.nn.Module) else ()
    learning = {name: numbers for name, numbers in named if numbers.requires_grad}
    if not learning:
        return ""
    loss = layer(inputs[:1], lengths[:1]).square().sum()
    if not loss.requires_grad:
        return f"no gradient reaches {', '.join(learning)}"
    grads = torch.autograd.grad(loss, [*learning.values()], allow_unused=True)  # leaves the layer's own as they are
    least = max((1e-6 * grad.norm().item() for grad in grads if grad is not None), default=0)  # below: rounding
    silent = [name for name, grad in zip(learning, grads) if grad is None or grad.ndim > 1 and grad.norm() <= least]
    return f"no gradient reaches {', '.join(silent)}" if silent else ""


def equal_to_the_reference(layer, inputs, lengths, reference):
    """The real tokens get the outputs that they get in a layer that is right."""
    far = differ(*(_real(each(inputs, lengths), lengths) for each in (reference, layer)))
    return far and f"it differs from the reference: {far}"


def _change(inputs):
    """Return what is added to a token to see who reads it: no constant, for a norm would take that away."""
    return torch.linspace(-1, 1, inputs.shape[2], dtype=inputs.dtype, device=inputs.device)


def _real(outputs, lengths):
    return torch.cat([row[:length] for row, length in zip(outputs, lengths.tolist())])
