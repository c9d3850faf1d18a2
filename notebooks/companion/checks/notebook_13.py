"""Checks of the exercises in notebook 13 (heads that learn): find a head, and hide a part of what it reads."""

import torch

from companion.checks.compared import compared_with
from companion.course_answers import looks_one_past
from utils.attention import MultiHeadAttention, attention, causal_mask

SCORES = {  # {message: what a wrong induction_score has instead}
    "this is the weight on the same letter; take the one that followed it": {"1 - period": "-period", "[..., 1:]": ""},
    "one too many asks: the repetition begins at position `period`": {"[..., 1:]": ""},
    "rows and columns are exchanged: rows are queries": {"weights.diagonal": "weights.mT.diagonal"},
    "these are sums; take the mean over the letters that ask": {"mean": "sum"},
    "all heads are averaged together; keep one score for each": {"mean(dim=-1)": "mean()"},
}


@compared_with(looks_one_past, SCORES)
def check_induction_score(induction_score):
    """each letter of the repetition asks, and what followed it the last time answers."""
    for shape, period in (((10, 10), 4), ((2, 3, 9, 9), 6)):
        weights = torch.rand(shape).tril()
        rows = weights / weights.sum(dim=-1, keepdim=True), period
        yield f"induction_score with weights {shape} and period {period}", rows


def without_note(layer, stream, note, hidden):
    """Return what a layer's only head adds to a stream if some of its readings do not see a note in it.

    The course's own `read_without`.
    stream, note: (..., tokens, d_model), the stream with the note in it; hidden: names from "queries", "keys" and
    "values", whose reading sees the stream without the note. This is a simple form of path patching.
    """
    names = {"queries": layer.W_query, "keys": layer.W_key, "values": layer.W_value}
    made = (make(stream - note if name in hidden else stream) for name, make in names.items())
    context, _ = attention(*made, causal_mask(stream.shape[-2]))
    return layer.W_output(context)


READINGS = {  # {message: what a wrong read_without has instead}
    "nothing is hidden: what is named in `hidden` is made from `stream - note`": {"name in hidden": "False"},
    "queries, keys and values all lose the note: only those named in `hidden` do": {"name in hidden": "True"},
    "it is the wrong way round: those that are named in `hidden` lose the note, the others keep it": {
        "if name in hidden": "if name not in hidden"
    },
    "each token may read itself and those before it: attention needs causal_mask(tokens)": {
        "causal_mask(stream.shape[-2])": "None"
    },
    "this is the context: W_output turns it into what the head adds": {"layer.W_output(context)": "context"},
}
STOPS = {"not tuple": "attention returns the context and the weights: take the first of the two, [0]"}


@compared_with(without_note, READINGS, STOPS)
def check_read_without(read_without):
    """what is named is made without the note, and the rest from the whole stream."""
    layer, stream, note = MultiHeadAttention(6, 1), torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    for hidden in (["queries"], ["keys"], ["queries", "values"]):
        yield f"read_without(layer, stream, note, {hidden})", (layer, stream, note, hidden)
