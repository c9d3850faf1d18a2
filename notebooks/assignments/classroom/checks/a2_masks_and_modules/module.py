"""Checks of the assignment a2_masks_and_modules: the causal module."""

import torch

from classroom.checks import shared
from classroom.checks.a2_masks_and_modules.masks import RIGHT, wrong_contexts
from classroom.checks.graded import Inputs, Student, graded, make_check
from companion.checks.feedback import expect, expect_tensor, is_close
from companion.mistakes import CAUSAL, LAST_AXIS, given_by, softmax_over
from utils.attention import attention, causal_mask, padding_mask, scores

NAME = "CausalSelfAttention"
MATRICES = shared.MAKERS.values()


class KnownHead:
    """A student's module with fresh weights, and inputs of a shape for it. made_by: {layer: its features of these, ""
    for the inputs themselves}; parts: query, key and value."""

    def __init__(self, student: Student, fresh: Inputs, *shape):
        d_in, self.d_out = fresh.sample([size for size in range(3, 10) if size not in shape], 2)  # unequal: slips show
        self.module = shared.make_module(student, NAME, d_in, self.d_out)
        self.inputs = fresh.normal(*shape, d_in)
        layers = shared.load_projections(self.module, fresh, dict.fromkeys(MATRICES, (d_in, self.d_out)))
        self.made_by = {name: self.inputs @ matrix + bias for name, (matrix, bias) in layers.items()}
        self.parts, self.made_by[""] = [self.made_by[name] for name in MATRICES], self.inputs

    def context(self, inputs, *lengths):
        answer, shape = self.module(inputs, *lengths), (*inputs.shape[:-1], self.d_out)
        if getattr(answer, "shape", None) not in (shape, inputs.shape):  # unprojected inputs have a name below
            expect_tensor(answer, torch.zeros(shape), f"the module on {tuple(inputs.shape)}")
        return answer

    def mistakes(self, past, real=True, others: dict | None = None) -> dict:
        """Return {mistake: context}. past, real: the masks that are right; others: {mistake: other masks}."""
        masks = (others or {}) | {message: mask & real for message, mask in given_by(CAUSAL, len(past)).items()}
        masked = {message: attention(*self.parts, mask)[0] for message, mask in masks.items()}
        by_others = {
            message: attention(*parts, past & real)[0]
            for message, layers in shared.wrong_layers(*shared.MAKERS).items()
            if (parts := [self.made_by[layer] for layer in layers])[0].shape == parts[1].shape
        }
        return masked | wrong_contexts(*self.parts, past & real, self.inputs.shape[-1]) | by_others


@graded
def check_module_parameters(student: Student, fresh: Inputs):
    """three matrices that training finds, each with random numbers of its own."""
    d_in, d_out = fresh.sizes(2)
    module, twin = (shared.make_module(student, NAME, d_in, d_out) for _ in range(2))
    values = module.values()
    parameters = [f"{name}.weight" if f"{name}.weight" in values else name for name in MATRICES]  # of a layer, or bare
    shared.load_projections(module, fresh, dict.fromkeys(MATRICES, (d_in, d_out)))
    shared.expect_trained(module, parameters, fresh.normal(4, d_in))
    shared.expect_own_numbers(values, twin.values(), parameters)


@graded(right=RIGHT)
def check_module_last_token(student: Student, fresh: Inputs):
    """the last token sees all, and its context is the right mixture of the right values."""
    for tokens in (1, fresh.randint(130, 150)):
        module = KnownHead(student, fresh, tokens)
        with shared.add_hint("a sentence may have any number of tokens: make the mask for the inputs that come"):
            context = module.context(module.inputs)

        def mistakes(module=module, tokens=tokens):
            return {message: wrong[-1:] for message, wrong in module.mistakes(causal_mask(tokens)).items()}

        doing = f"the last row of the context of {tokens} tokens"
        expect_tensor(context[-1:], attention(*module.parts)[0][-1:], doing, mistakes)


def _check_causal(student: Student, fresh: Inputs, mode):
    tokens = fresh.randint(4, 20)
    module = KnownHead(student, fresh, tokens)
    getattr(module.module, mode)()
    module.context(module.inputs[:2])  # a mask that is kept from here would not fit
    context, right = module.context(module.inputs), attention(*module.parts, causal_mask(tokens))[0]
    doing = f"in {mode}(), the context of {tokens} tokens"
    expect_tensor(context, right, doing, lambda: module.mistakes(causal_mask(tokens)))


CAUSAL_PRAISE, EVAL_PRAISE = "no token reads what comes after it.", "it stays so in eval(), where a module is used."
check_module_causal = make_check("check_module_causal", _check_causal, "train", CAUSAL_PRAISE, RIGHT)
check_module_eval = make_check("check_module_eval", _check_causal, "eval", EVAL_PRAISE, RIGHT)


@graded(right=RIGHT)
def check_module_batch(student: Student, fresh: Inputs):
    """a batch gives each sentence the context that it gets alone."""
    batch, tokens = fresh.sizes(2)
    module = KnownHead(student, fresh, batch, tokens)
    (query, key, value), past = module.parts, causal_mask(tokens)

    def mistakes():
        return module.mistakes(past) | {LAST_AXIS: softmax_over(1)(scores(query, key), past) @ value}

    for mode in ("train", "eval"):
        getattr(module.module, mode)()
        doing = f"in {mode}(), the context of a batch {tuple(module.inputs.shape)}"
        expect_tensor(module.context(module.inputs), attention(query, key, value, past)[0], doing, mistakes)


@graded(right=RIGHT)
def check_module_lengths(student: Student, fresh: Inputs):
    """with lengths, no token reads padding."""
    batch, tokens = fresh.sample(range(4, 10), 2)
    module = KnownHead(student, fresh, batch, tokens)
    lengths = [tokens, 0, *(fresh.randint(1, tokens - 2) for _ in range(batch - 2))]
    past, real = causal_mask(tokens), padding_mask(lengths, tokens)
    others = {
        "the lengths have no effect": past.expand(batch, -1, -1),
        "the padding is hidden, but the future is not": real.expand(-1, tokens, -1),
    }
    message = "without lengths, it gives something else after a call with lengths: keep nothing between calls"
    plain = module.context(module.inputs)
    context, right = module.context(module.inputs, lengths), attention(*module.parts, past & real)[0]
    expect(is_close(module.context(module.inputs), plain), message)
    doing = f"the context of a batch {tuple(module.inputs.shape)} with lengths {lengths}"
    expect_tensor(context, right, doing, lambda: module.mistakes(past, real, others))
