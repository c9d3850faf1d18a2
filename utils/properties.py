"""What holds for every right layer of attention, whatever its numbers: ten tests for your own. Built in notebook 20.

A layer is anything that is called as `layer(inputs, lengths)`: inputs (batch, tokens, d_model), lengths (batch,) says
how many tokens of each sentence are real, and those after them are padding. It returns a vector for each token.
The tests themselves are in `who_reads`, `what_stays` and `what_learns`; `examine` tries them all.
"""

from functools import partial

import torch

from utils import shapes
from utils.trials import NotTested
from utils.what_learns import every_number_learns
from utils.what_stays import (
    copies_add_nothing,
    equal_to_the_reference,
    large_numbers_stay_numbers,
    order_counts_as_promised,
    twice_the_same,
)
from utils.who_reads import a_beginning_stays, all_that_may_be_read_counts, alone_as_in_a_batch, sentences_kept_apart


class Report(dict):
    """{property: what does not hold}; `not_tested` is {property: what to promise or give so that it is}.

    If ordinary inputs give nan, there is one line, `nan_or_inf`: nan differs from everything, itself included.
    """

    def __init__(self):
        self.not_tested = {}

    def __repr__(self):
        problems = [f"{name}: {problem}" for name, problem in self.items()] or ["nothing found"]
        return "\n".join([*problems, *(f"not tested: {name} ({why})" for name, why in self.not_tested.items())])


def examine(layer, inputs, causal=False, positions=False, reference=None, window=None, padding=True, extra_keys=False):
    """Try a layer on all ten properties, and return a report: {property: what does not hold}, empty if all hold.

    inputs: how many features a token has, or three sentences of your own, (3, tokens, d_model) or ids (3, tokens);
    causal: each token may read only itself and what stands before it;
    positions: the order of the tokens counts; or, where only distances may count, the same layer counting from later;
    reference: a layer that must give the same outputs, such as the same one without a cache;
    window: how many tokens each reads to one side, itself included, or who may read whom, boolean (tokens, tokens),
        of which causal=True takes away what comes later;
    padding: True behind the sentences, "left" in front of them, False if the layer takes no lengths;
    extra_keys: softmax also runs over keys that no token wrote (a sink, a memory, zeros), or weights need not sum to 1.
    Call `eval()` first: dropout gives two outputs for the same inputs. What was not tested, the report says as well.
    Raises ValueError for inputs that are too few, or for outputs that are not (batch, tokens, features), TypeError for
    inputs that are neither whole nor a tensor.
    >>> examine(lambda inputs, lengths: inputs.cumsum(dim=1), 16, causal=True)["copies_add_nothing"]
    '6 copies of a token give another output than one: ...'
    """
    inputs = _inputs(layer, inputs, window)
    number = inputs.shape[1]
    lengths = torch.tensor([number, number - 2, number // 2] if padding else [number] * 3, device=inputs.device)
    call, later, right = (
        _AsTested(role, padding == "left") if callable(role) else role for role in (layer, positions, reference)
    )
    report = Report()
    if without := _sentences_with_nan(call, inputs, lengths):
        report["nan_or_inf"] = f"in the outputs of sentences {without}, with lengths {lengths.tolist()}"
        report.not_tested["all else"] = "nothing can be compared with nan"
        return report
    reach = partial(all_that_may_be_read_counts, causal=causal, window=window)
    order = partial(order_counts_as_promised, positions=later, causal=causal, window=window)
    tests = {  # {property: (whether it is asked for, its test)}
        "alone_as_in_a_batch": (True, alone_as_in_a_batch),
        "sentences_kept_apart": (True, sentences_kept_apart),
        "a_beginning_stays": (causal, a_beginning_stays),
        "all_that_may_be_read_counts": (True, reach),
        # In two causal layers the order counts without positions, too: the mask tells it.
        "order_counts_as_promised": (positions or not causal, order),
        "copies_add_nothing": (not (positions or extra_keys), copies_add_nothing),
        "twice_the_same": (True, twice_the_same),
        "large_numbers_stay_numbers": (inputs.is_floating_point(), partial(large_numbers_stay_numbers, causal=causal)),
        "equal_to_the_reference": (reference, partial(equal_to_the_reference, reference=right)),
    }
    with torch.no_grad():
        for name, (asked, test) in tests.items():
            if asked:
                _try(report, name, test, call, inputs, lengths, padding)
            else:
                report.not_tested[name] = UNASKED[name]
    # Last, and on the layer itself: it alone needs gradients, which some layers cannot give.
    _try(report, "every_number_learns", every_number_learns, layer, inputs, lengths, padding)
    return report


WRAP = "lambda inputs, lengths: layer(inputs, mask=padding_mask(lengths, inputs.shape[1]))"
UNASKED = {  # what to do so that a test is made that was left out
    "a_beginning_stays": "promise causal=True if no token may read a later one",
    "order_counts_as_promised": "promise positions=True if the order counts beyond what the causal mask tells",
    "copies_add_nothing": "it holds neither with positions nor with extra keys: leave them out of a copy",
    "large_numbers_stay_numbers": "ids are not large or small; give vectors",
    "equal_to_the_reference": "give reference=, a right layer with the same numbers",
}


def _try(report, name, test, layer, inputs, lengths, padding):
    try:
        if problem := test(layer, inputs, lengths):
            report[name] = problem
    except NotTested as reason:
        report.not_tested[name] = str(reason)
    except Exception as error:
        cause = f"{type(error).__name__} ({str(error).partition(chr(10))[0]})"
        called = getattr(error, "__notes__", [""])[-1]
        if padding:
            report[name] = f"{cause}; {called}; if the layer takes no other number of tokens, promise padding=False"
        else:
            report.not_tested[name] = f"{cause}; {called}"


class _AsTested:
    """A layer as the tests call it: with padding on its own side, and with a word in its errors on what it got."""

    def __init__(self, layer, left):
        self.layer, self.left = layer, left

    def __call__(self, inputs, lengths):
        places = (inputs.shape[1] - lengths).tolist() if self.left else [0] * len(inputs)
        try:
            outputs = self.layer(_roll(inputs, places), lengths)
        except Exception as error:
            kind = str(inputs.dtype).removeprefix("torch.")
            error.add_note(f"called with inputs {tuple(inputs.shape)} of {kind} and lengths {lengths.tolist()}")
            raise
        return _roll(outputs, [-place for place in places])


def _roll(batch, places):
    """Move each sentence of a batch by its own number of places, padding round to the other side."""
    return torch.stack([row.roll(by, 0) for row, by in zip(batch, places)]) if any(places) else batch


def _inputs(layer, inputs, window):
    if not isinstance(inputs, torch.Tensor):
        shapes.check_whole(1, inputs=inputs)
        number = len(window) if isinstance(window, torch.Tensor) else max(6, 2 + (window or 0))
        numbers = layer.parameters() if isinstance(layer, torch.nn.Module) else ()
        like = next((part for part in numbers if part.is_floating_point()), torch.empty(0))
        generator = torch.Generator().manual_seed(1)
        inputs = torch.randn(3, number, inputs, generator=generator, dtype=torch.float32, device="cpu").to(like)
    if len(inputs) != 3 or inputs.shape[1] < 4:
        raise ValueError(f"the inputs are {tuple(inputs.shape)}; give three sentences of at least 4 tokens each")
    if isinstance(window, int) and window >= inputs.shape[1]:
        raise ValueError(f"{inputs.shape[1]} tokens cannot leave a window of {window}; give longer sentences")
    return inputs


def _sentences_with_nan(layer, inputs, lengths):
    """Return which sentences get nan or inf for a real token. Raises ValueError for outputs of another shape."""
    with torch.no_grad():
        try:
            outputs = layer(inputs, lengths)
        except Exception as error:
            error.add_note(f"examine calls layer(inputs, lengths); hand a layer that takes a mask over as {WRAP}")
            raise
    if not isinstance(outputs, torch.Tensor):
        raise ValueError(f"the layer returns a {type(outputs).__name__}; let it return the outputs alone, such as [0]")
    if outputs.ndim != 3:
        shape = tuple(outputs.shape)
        raise ValueError(f"the outputs have shape {shape}; give each token a vector, (3, tokens, features)")
    rows = enumerate(zip(outputs, lengths.tolist()))
    return [row for row, (output, length) in rows if not output[:length].isfinite().all()]
