"""Checks of the assignment a2_masks_and_modules: the two masks, what they leave open, and attention under a mask."""

import contextlib
import random

import torch

from classroom.checks.graded import Inputs, Student, as_replacements, graded
from classroom.checks.shared import FAR, as_number, expect_no_finite_score
from companion import mistakes as known
from companion.checks.feedback import Mistake, expect, expect_mask, expect_tensor
from utils.attention import attention, causal_mask, masked_softmax, padding_mask, scores

RIGHT_MASKS = {"causal_mask": lambda n: causal_mask(n), "padding_mask": lambda lengths, n: padding_mask(lengths, n)}


@graded(of="causal_mask", mistakes=known.CAUSAL)
def check_causal_mask(student: Student, fresh: Inputs):
    """each token sees itself and what stands before it."""
    for n in (fresh.randint(3, 9), 1):
        wrong_masks = known.given_by(known.CAUSAL, n) if n > 1 else {}  # which are alike for one token
        expect_mask(student.call("causal_mask", n), causal_mask(n), f"causal_mask({n})", wrong_masks)


@graded
def check_padding_mask(student: Student, fresh: Inputs):
    """the real tokens may be seen, and the padding behind them may not."""
    n = fresh.randint(5, 8)
    for lengths in ([*fresh.sample(range(1, n - 1), 2), n, 0], [fresh.randint(1, n - 1)]):
        answer = student.call("padding_mask", lengths, n)
        expect_mask(answer, padding_mask(lengths, n), f"padding_mask({lengths}, {n})")


@graded(right=RIGHT_MASKS)
def check_open_pairs(student: Student, fresh: Inputs):
    """the pairs that both masks leave open."""
    lengths = [len(sentence.split()) for sentence in _class_sentences(student.class_seed)]
    n = max(lengths)
    past, real = causal_mask(n), padding_mask(lengths, n)
    right = (past & real).sum().item()
    count = as_number(student.call("open_pairs"))
    expect(type(count) is int, f"open_pairs() gives a {type(count).__name__}, but a whole number was expected")
    for message, wrong in {
        "the rows of the padding are left out; their queries are computed like all others": past & real & real.mT,
        "a pair is open if both masks say so: use &": past | real,
    }.items():
        expect(count != wrong.sum().item(), message)
    # The right number stays unsaid: it would be the answer.
    expect(count == right, f"open_pairs() gives {count}; count one sentence by hand, row by row, and compare")


@as_replacements
def variation(seed):
    """The sentences in quotes."""
    return [f'"{sentence}"' for sentence in _class_sentences(seed)]


def _class_sentences(seed):
    if seed is None:
        return ["Owls wait.", "Ships leave the harbour at dawn.", "Nobody hears them."]
    choose = random.Random(seed)
    subjects = choose.sample(["Foxes", "Sailors", "Bakers", "Swallows", "Children", "Poets"], 3)
    verbs = choose.sample(["sleep", "sing", "return", "gather", "dream", "vanish"], 3)
    ends = ["", " quietly", " at night", " in the rain", " behind the old mill", " when the long winter ends"]
    ends += [" until somebody brings them some bread", " while all the others still lie awake"]
    return [f"{subject} {verb}{end}." for subject, verb, end in zip(subjects, verbs, choose.sample(ends, 3))]


WRONG_WEIGHTS = {  # {mistake: weights of scores and a mask}
    **known.WRONG_MASKINGS,
    **known.LEFT_OUT,
    **known.NOT_SOFTMAX,
    "a query that may attend to nothing gets nan (0/0, or inf - inf); give it zeros": known.nan_in_empty_rows,
    known.COLUMNS: known.softmax_over(-2),
    known.IGNORED: known.mask_ignored,
    known.INVERTED: known.mask_inverted,
}
RIGHT = RIGHT_MASKS | {"masked_attention": lambda query, key, value, mask: attention(query, key, value, mask)[0]}


def wrong_contexts(query, key, value, mask=None, d_model=None):
    """Return {mistake: context}; what goes wrong with a mask alone gives the right one without."""
    wrong_weights = known.given_by(WRONG_WEIGHTS, scores(query, key), mask)
    misread = known.misread_inputs(query, key, value, d_model)
    contexts = {message: attention(*triple, mask)[0] for message, triple in misread.items()}
    return contexts | {message: weights @ value for message, weights in wrong_weights.items()}


MISTAKES = known.table_of(wrong_contexts, *torch.ones(3, 2, 2))


def _expect_masked(student: Student, parts, mask, doing, others=dict):
    """Judge masked_attention. others: a function that returns {mistake: context} beside them."""
    context = student.call("masked_attention", *parts, mask)
    expect_tensor(context, attention(*parts, mask)[0], doing, lambda: others() | wrong_contexts(*parts, mask))


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_plain(student: Student, fresh: Inputs):
    """without a mask, each query shares its attention among all keys."""
    tokens, other, d_k, wider = fresh.sizes(4)
    # Square first: there an exchange raises no error, and can be named.
    for keys, d_v in ((tokens, d_k), (other, wider)):
        parts, doing = fresh.inputs(tokens, keys, d_k, d_v), f"masked_attention of {tokens} queries and {keys} keys"
        with contextlib.suppress(Mistake):  # which is charged below
            student.call("masked_attention", *parts, fresh.mask(tokens, keys))  # kept from here, it would not fit
        _expect_masked(student, parts, None, f"{doing} without a mask")


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_mask(student: Student, fresh: Inputs):
    """what may not be seen gets no weight, and the rest of each row sums to 1."""
    tokens, d_k, d_v = fresh.sizes(3)
    parts, mask = fresh.inputs(tokens, tokens, d_k, d_v), fresh.mask(tokens, tokens)
    _expect_masked(student, parts, mask, f"masked_attention of {tokens} queries and keys with a mask")
    low = torch.full((tokens, d_k), -FAR), torch.full((tokens, d_k), FAR), fresh.normal(tokens, d_v)
    expect_no_finite_score(student.call("masked_attention", *low, mask), mask, low[2])


@graded(of="masked_attention", mistakes=MISTAKES)
def check_attention_empty_row(student: Student, fresh: Inputs):
    """a query that may attend to nothing gets zeros, and the others what is theirs."""
    *sizes, d_k, d_v = fresh.sizes(4)
    for tokens, keys in (sizes, (1, 1)):
        parts, mask = fresh.inputs(tokens, keys, d_k, d_v), fresh.mask(tokens, keys)
        empty = fresh.sample(range(tokens), min(2, tokens))
        mask[empty] = False
        doing = f"masked_attention when queries {' and '.join(map(str, empty))} of {tokens} may attend to nothing"
        _expect_masked(student, parts, mask, doing)


@graded
def check_attention_batch(student: Student, fresh: Inputs):
    """a batch gives each sentence what it gets alone, whatever the mask's shape."""
    size = fresh.randint(3, 5)
    # All sizes equal first: there a wrong axis raises no error, and can be named.
    for batch, tokens, d_k, d_v in ([size] * 4, fresh.sizes(4)):
        query, key, value = parts = fresh.inputs(tokens, tokens, d_k, d_v, batch)
        # A full length would hide nothing.
        lengths = [0, *(fresh.randint(1, max(1, tokens - 1)) for _ in range(batch - 1))]
        real = padding_mask(fresh.sample(lengths, batch), tokens)
        for mask in (None, fresh.mask(tokens, tokens), real, causal_mask(tokens) & real):

            def others(query=query, key=key, value=value, mask=mask):
                contexts = {known.LAST_AXIS: known.softmax_over(1)(scores(query, key), mask) @ value}
                if query.shape[0] == query.shape[1]:
                    contexts[known.ALL_AXES] = masked_softmax(known.all_axes_turned(query, key), mask) @ value
                return contexts

            masked = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
            _expect_masked(student, parts, mask, f"masked_attention of a batch {tuple(query.shape)} {masked}", others)
