"""Checks of the assignment a2_masks_and_modules: the causal module."""

import itertools

import torch

from classroom.checks.a2_masks_and_modules import contexts
from classroom.checks.a2_masks_and_modules.contexts import RIGHT
from classroom.checks.graded import HOW, expect_trained, graded, hinted, load_projections, make_module
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import CAUSAL, COLUMNS, LAST_AXIS, given_by, over
from utils.attention import attention, causal_mask, padding_mask, scores

MODULE = "CausalSelfAttention"
NAMES = "W_query", "W_key", "W_value"
MODES = "train", "eval"


@graded
def check_module_parameters(student, draw):
    """three matrices that training finds, each with random numbers of its own."""
    d_in, d_out = draw.sizes(2)
    made, other = (make_module(student, MODULE, d_in, d_out) for _ in range(2))
    values = made.values()
    for name in NAMES:
        message = f"training finds no parameter named {name}: {HOW}; those that it finds: {', '.join(values) or 'none'}"
        expect(_place(values, name) in values, message)
    places = [_place(values, name) for name in NAMES]
    load_projections(made, draw, dict.fromkeys(NAMES, (d_in, d_out)))
    expect_trained(made, places, draw.normal(4, d_in))
    begin = "begin with equal numbers: use random ones, and no seed inside __init__"
    for first, second in itertools.combinations(places, 2):
        expect(not close(values[first], values[second]), f"the matrices of a module {begin}")
    again = other.values()[places[0]]
    expect(not close(values[places[0]], again), f"two modules {begin}; a seed belongs at the top of a notebook")


def _place(values, name):
    """Return the name of a matrix, which may be a layer's weight or a bare parameter."""
    return f"{name}.weight" if f"{name}.weight" in values else name


@graded
def check_module_last_token(student, draw):
    """the last token sees all, and its context is the right mixture of the right values."""
    for tokens in (draw.randint(4, 9), 1, draw.randint(130, 150)):
        made, inputs, found, d_out = _module(student, draw, tokens)
        query, key, value = found[RIGHT]
        with hinted("a sentence may have any number of tokens: make the mask for the inputs that come"):
            given = _context(made, inputs, d_out)
        last = {message: attention(*reading)[0][-1:] for message, reading in found.items()}
        last[COLUMNS] = (over(-2)(scores(query, key), causal_mask(tokens)) @ value)[-1:]
        expect_tensor(given[-1:], last.pop(RIGHT), f"the last row of the context of {tokens} tokens", last)


def _check_causal(student, draw, mode):
    tokens = draw.randint(4, 20)
    made, inputs, found, d_out = _module(student, draw, tokens)
    getattr(made, mode)()
    _context(made, inputs[:2], d_out)  # a mask that is kept from here would not fit
    given = _context(made, inputs, d_out)
    reading, doing = contexts.own_reading(given[-1:], found), f"the context of {tokens} tokens"
    contexts.expect_masked(given, reading, causal_mask(tokens), doing, given_by(CAUSAL, tokens), f"in {mode}(): ")


@graded
def check_module_causal(student, draw):
    """no token reads what comes after it."""
    _check_causal(student, draw, "train")


@graded
def check_module_eval(student, draw):
    """it stays so in eval(), where a module is used."""
    _check_causal(student, draw, "eval")


@graded
def check_module_batch(student, draw):
    """a batch gives each sentence the context that it gets alone."""
    batch, tokens = draw.sizes(2)
    made, inputs, found, d_out = _module(student, draw, batch, tokens)
    query, key, value = found[RIGHT]
    past = causal_mask(tokens)
    mistakes = {LAST_AXIS: over(1)(scores(query, key), past) @ value}
    for mode in MODES:
        getattr(made, mode)()
        alone = torch.stack([_context(made, sentence, d_out) for sentence in inputs])
        # What is wrong with a single sentence is charged by other checks, if it is attention or a known slip.
        known = any(close(alone[:, -1:], attention(*reading)[0][:, -1:]) for reading in found.values())
        wrong = given_by(CAUSAL, tokens).values()
        known = known or any(close(alone, attention(*found[RIGHT], mask)[0]) for mask in wrong)
        right = alone if known else attention(query, key, value, past)[0]
        doing = f"in {mode}(): the context of a batch {tuple(inputs.shape)}"
        expect_tensor(_context(made, inputs, d_out), right, doing, mistakes)


@graded
def check_module_lengths(student, draw):
    """with lengths, no token reads padding."""
    batch, tokens = draw.sizes(2, low=4)
    made, inputs, found, d_out = _module(student, draw, batch, tokens)
    lengths = [tokens, 0, *(draw.randint(1, tokens - 2) for _ in range(batch - 2))]
    draw.shuffle(lengths)
    past, real = causal_mask(tokens), padding_mask(lengths, tokens)
    others = {
        "the lengths have no effect": past.expand(batch, -1, -1),
        "the padding is hidden, but the future is not": real.expand(-1, tokens, -1),
        "a token may be seen if both masks say so: use &": past | real,
    }
    doing = f"the context of a batch {tuple(inputs.shape)} with lengths {lengths}"
    for mode in MODES:
        getattr(made, mode)()
        plain = _context(made, inputs, d_out)
        reading = contexts.own_reading(plain[:, -1:], found)
        given, right = _context(made, inputs, d_out, lengths), attention(*reading, past & real)[0]
        own, none = student.own("masked_attention", *reading, past & real), lengths.index(0)
        if isinstance(own, torch.Tensor) and own.shape == given.shape:
            right[none] = own[none]  # check_attention_empty_row charges it
        if close(given, right):
            continue
        expect(not given[none].isnan().any(), f"in {mode}(): a sentence without tokens gives nan (0/0); give it zeros")
        if mode == "train" or close(plain, attention(*reading, past)[0]):  # else check_module_eval charges it
            contexts.expect_masked(given, reading, past & real, doing, others, f"in {mode}(): ")


def _module(student, draw, *shape):
    """Return a fresh module, inputs of this shape, {mistake: (query, key, value)} and d_out."""
    d_in, d_out = draw.sample([size for size in range(3, 10) if size not in shape], 2)  # unequal, to show slips
    made, inputs = make_module(student, MODULE, d_in, d_out), draw.normal(*shape, d_in)
    matrices = load_projections(made, draw, dict.fromkeys(NAMES, (d_in, d_out)))
    parts = [inputs @ matrices[name][0] + matrices[name][1] for name in NAMES]
    return made, inputs, contexts.known_readings(*parts, d_model=d_in), d_out


def _context(made, inputs, d_out, *lengths):
    given, doing = made(inputs, *lengths), f"the module on {tuple(inputs.shape)}"
    return contexts.expect_shape(given, (*inputs.shape[:-1], d_out), doing)
