"""Checks of the exercises in notebook 13 (heads that learn): find a head, and hide a part of what it reads."""

import torch

from companion.checks.compared import compared_with
from companion.course_answers import looks_one_past
from companion.steps import of_steps
from utils.attention import MultiHeadAttention, attention, causal_mask

SCORES = {  # {message: wrong induction_score}
    "this is the weight on the same letter; take the one that followed it": lambda weights, period: weights.diagonal(
        -period, -2, -1
    ).mean(dim=-1),
    "one too many asks: the repetition begins at position `period`": lambda weights, period: weights.diagonal(
        1 - period, -2, -1
    ).mean(dim=-1),
    "rows and columns are exchanged: rows are queries": lambda weights, period: looks_one_past(weights.mT, period),
    "these are sums; take the mean over the letters that ask": lambda w, p: looks_one_past(w, p) * (w.shape[-1] - p),
    "all heads are averaged together; keep one score for each": lambda *inputs: looks_one_past(*inputs).mean(),
}


@compared_with(looks_one_past, SCORES)
def check_induction_score(induction_score):
    """each letter of the repetition asks, and what followed it the last time answers."""
    for shape, period in (((10, 10), 4), ((2, 3, 9, 9), 6)):
        weights = torch.rand(shape).tril()
        rows = weights / weights.sum(dim=-1, keepdim=True), period
        yield f"induction_score with weights {shape} and period {period}", rows


@of_steps
def _reading_with(layer, stream, note, hidden, *, hides=lambda name, hidden: name in hidden, adds="output"):
    """Return what a layer's only head adds to a stream if some of its readings do not see a note in it.

    stream, note: (..., tokens, d_model), the stream with the note in it; hidden: names from "queries", "keys" and
    "values", whose reading sees the stream without the note. This is a simple form of path patching.
    """
    names, made_by = ("queries", "keys", "values"), (layer.W_query, layer.W_key, layer.W_value)
    sequences = [stream - note if hides(name, hidden) else stream for name in names]
    mask = None if adds == "all tokens" else causal_mask(stream.shape[-2])
    context, _ = attention(*(make(sequence) for make, sequence in zip(made_by, sequences)), mask)
    return context if adds == "context" else layer.W_output(context)


without_note = _reading_with()  # the course's own `read_without`
READINGS = {  # {message: wrong read_without}
    "nothing is hidden: what is named in `hidden` is made from `stream - note`": _reading_with(
        hides=lambda *inputs: False
    ),
    "queries, keys and values all lose the note: only those named in `hidden` do": _reading_with(
        hides=lambda name, hidden: True
    ),
    "it is the wrong way round: those that are named in `hidden` lose the note, the others keep it": _reading_with(
        hides=lambda name, hidden: name not in hidden
    ),
    "each token may read itself and those before it: attention needs causal_mask(tokens)": _reading_with(
        adds="all tokens"
    ),
    "this is the context: W_output turns it into what the head adds": _reading_with(adds="context"),
}
STOPS = {"not tuple": "attention returns the context and the weights: take the first of the two, [0]"}


@compared_with(without_note, READINGS, STOPS)
def check_read_without(read_without):
    """what is named is made without the note, and the rest from the whole stream."""
    layer, stream, note = MultiHeadAttention(6, 1), torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    for hidden in (["queries"], ["keys"], ["queries", "values"]):
        yield f"read_without(layer, stream, note, {hidden})", (layer, stream, note, hidden)
