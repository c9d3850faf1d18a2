"""Checks of the assignment a3_many_heads_two_sequences: the second sequence, the masks, and what a class's own two
sentences read in each other."""

import contextlib
import random

import torch

from classroom.checks.graded import Inputs, as_replacements, graded
from classroom.checks.shared import FAR, expect_no_finite_score, usable_weights
from classroom.student import Student, StudentError, agree
from companion.checks.feedback import Mistake, expect, expect_parts, expect_tensor, is_close
from companion.mistakes import IGNORED, INVERTED, WRONG_MASKINGS, given_by, mask_ignored, mask_inverted
from utils.attention import masked_softmax

from .known_module import AVERAGED, BIASES, HEADS, MODULE, ROWS, WEIGHTS, KnownModule, Right, make_classes, make_steps

BETWEEN_CALLS = "it gives something else after a call with {}: keep nothing between calls"
# {fault: weights of scores and a mask}
WRONG_WEIGHTS = {IGNORED: mask_ignored, INVERTED: mask_inverted, **WRONG_MASKINGS}
WRONG_ROWS = {fault: steps["weigh"] for fault, steps in ROWS.items() if "weigh" in steps}  # by the check of the rows
WRONG_CLASSES = make_classes(make_steps("weigh", WRONG_WEIGHTS))


def _make_sequences(student: Student, fresh: Inputs):
    """Yield modules with two sequences, first of equal lengths, and then not: (module, asking, answering)."""
    num_heads, head_dim, batch, queries, keys = fresh.sizes(5, low=2, high=8)
    for number in (queries, keys):
        module = KnownModule(student, fresh, num_heads, head_dim, plain_output=True)
        yield module, fresh.normal(batch, queries, module.d_model), fresh.normal(batch, number, module.d_model)


@graded(right=HEADS)
def check_cross_weights(student: Student, fresh: Inputs):
    """the query input asks, and each of its tokens has a weight for each token of the other."""
    for module, asking, answering in _make_sequences(student, fresh):
        alone, (_, weights), again = module(asking), module(asking, answering), module(asking)
        expect(agree(alone, again), f"with one sequence, {BETWEEN_CALLS.format('two')}")
        if module.find_faults(weights, asking, answering) is None:
            for fault, *inputs in (
                ("the keys are made from query_input; keys and values come from key_value_input", asking, asking),
                ("the sequences are exchanged: query_input asks, key_value_input answers", answering, asking),
            ):
                expect(module.find_faults(weights, *inputs) is None, fault)
        module.expect_weights(weights, asking, answering, part="rows")


@graded(right=HEADS)
def check_cross_values(student: Student, fresh: Inputs):
    """what is handed over comes from the sequence that answers."""
    for module, asking, answering in _make_sequences(student, fresh):
        module.expect_values(asking, answering)


@graded(of=MODULE, mistakes=WRONG_CLASSES, right=HEADS)
def check_mask(student: Student, fresh: Inputs):
    """a mask (queries, keys) holds for every sentence and every head, and the rows still sum to 1."""
    sizes, tokens = fresh.sizes(3, low=2, high=5), fresh.randint(6, 8)
    mask = fresh.mask(tokens, tokens)
    _expect_masked(student, fresh, (*sizes[:2], tokens), mask)  # as many rows as sentences
    _expect_masked(student, fresh, sizes, mask)
    module = KnownModule(student, fresh, *sizes[:2], plain_output=True)
    module.hand_on("W_query", -FAR)
    module.hand_on("W_key", FAR)
    inputs = torch.ones(sizes[2], tokens, module.d_model)
    free, (_, weights), again = module(inputs), module(inputs, mask=mask), module(inputs)
    if isinstance(weights, torch.Tensor) and weights.ndim == 4:
        expect_no_finite_score(weights[0, 0], mask, torch.eye(tokens))
    expect(agree(free, again), f"without a mask, {BETWEEN_CALLS.format('one')}")
    _expect_masked_across(student, fresh, sizes)


@graded(right=HEADS)
def check_mask_batch(student: Student, fresh: Inputs):
    """a mask (batch, queries, keys) gives each sentence its own."""
    tokens = fresh.randint(6, 8)
    num_heads, head_dim, batch = fresh.sizes(3, low=2, high=5)
    for sentences in (num_heads, batch):  # first as many sentences as heads: a mask without an axis for them fits, too
        _expect_masked(student, fresh, (num_heads, head_dim, sentences), fresh.mask(sentences, tokens, tokens))
    _expect_masked_across(student, fresh, (num_heads, head_dim, batch), batch)


@graded(of=MODULE, mistakes=WRONG_CLASSES, right=HEADS)
def check_mask_empty(student: Student, fresh: Inputs):
    """a query that may attend to nothing gets zeros, and no nan."""
    num_heads, head_dim, batch, tokens = fresh.sizes(4, low=2, high=7)
    mask = torch.ones(tokens, tokens, dtype=torch.bool)
    mask[fresh.randrange(tokens)] = False
    _expect_masked(student, fresh, (num_heads, head_dim, batch), mask)


def _expect_masked_across(student: Student, fresh: Inputs, sizes, *batch):
    """Judge masks of two sequences; batch: the sentences that have one each."""
    fewer, more = fresh.randint(3, 5), fresh.randint(6, 8)
    for queries, keys in ((fewer, more), (more, fewer)):
        _expect_masked(student, fresh, sizes, fresh.mask(*batch, queries, keys), across="with two sequences, ")


def _expect_masked(student: Student, fresh: Inputs, sizes: tuple, mask, across=""):
    """Judge masked weights by the same module's weights without a mask, and the output by the masked weights. across:
    begins the messages, if there are two sequences."""
    num_heads, head_dim, batch = sizes
    module = KnownModule(student, fresh, num_heads, head_dim, plain_output=True)
    inputs = [fresh.normal(batch, tokens, module.d_model) for tokens in mask.shape[-2 if across else -1 :]]
    if across and not _weights_fit(module, *inputs):
        return
    raw_scores, explained = _read_without_mask(module, *inputs)
    output, weights = module(*inputs, mask=mask)
    head_mask = mask if mask.ndim == 2 else mask[:, None]
    mistakes = given_by(WRONG_WEIGHTS, raw_scores, head_mask)
    mistakes[AVERAGED] = masked_softmax(raw_scores, head_mask).mean(1)
    if mask.ndim == 3 and batch == num_heads:
        message = "each head got another sentence's mask: give it an axis for the heads, mask.unsqueeze(1)"
        mistakes[message] = masked_softmax(raw_scores, mask)
    mistakes = {across + message: wrong for message, wrong in mistakes.items()}
    mistakes |= given_by(WRONG_ROWS, module.right_scores(inputs[0], inputs[-1]), head_mask)
    masked = f"with a mask {tuple(mask.shape)}" if mask.any(-1).all() else "where a query may attend to nothing"
    expect_tensor(weights, masked_softmax(raw_scores, head_mask), f"{across}the tensor of weights {masked}", mistakes)
    if explained:
        unmasked = module.contexts(masked_softmax(raw_scores), inputs[-1])
        mistakes = {f"{across}the mask changes the weights that are returned, but not the output": unmasked}
        doing = f"{across}the output {masked}, when W_output changes nothing,"
        expect_tensor(output, module.output(weights, inputs[-1]), doing, mistakes)


def _weights_fit(module, asking, answering):
    """Say whether each query has a weight for each key; if not, check_cross_weights charges that."""
    with contextlib.suppress(StudentError):
        return getattr(module(asking, answering)[1], "shape", None) == module.right_weights(asking, answering).shape
    return False


def _read_without_mask(module, *inputs):
    """Return the scores that a student's weights without a mask come from, and whether the weights give the output:
    what is wrong with either has its own check."""
    asking, answering = inputs[0], inputs[-1]
    output, weights = module(*inputs)
    right = module.right_weights(asking, answering)
    rows = usable_weights(weights, right)
    proper = is_close(rows.sum(-1), torch.ones(rows.shape[:-1])) and (rows > 0).all()
    raw_scores = rows.log() if proper and not is_close(rows, right) else module.right_scores(asking, answering)
    return raw_scores, is_close(output, module.output(rows, answering))


@graded(right=HEADS)
def check_read_by_heads(student: Student, fresh: Inputs):
    """what the word reads most, head by head."""
    asking, answering, asked, seed = _class_sentences(student.class_seed)
    asking, answering = asking.split(), answering.split()
    numbers = torch.Generator().manual_seed(seed)
    inputs, memory = (torch.randn(1, len(words), 8, generator=numbers) for words in (asking, answering))
    state = {}
    for weight, bias in zip(WEIGHTS, BIASES):
        state[weight] = torch.randn(8, 8, generator=numbers) / 8**0.5
        state[bias] = torch.randn(8, generator=numbers)
    with torch.random.fork_rng(devices=[]):  # the student's own random numbers must not change
        module = Right(8, 4)
    module.load_state_dict(state)
    weights, row = module(inputs, memory)[1][0].detach(), asking.index(asked)  # (heads, queries, keys)
    words = student.call("read_by_heads")
    fits = isinstance(words, (list, tuple)) and all(isinstance(word, str) for word in words)
    expect(fits and len(words) == 4, "read_by_heads gives a list of four words, one for each head")
    own = _weights(student, state, inputs, memory)  # the student's own, whose slips are charged elsewhere
    for matrices in (weights[None], usable_weights(own, weights[None])):
        if list(words) == [answering[best] for best in matrices[0, :, row].argmax(-1)]:
            return
    expect(is_close(own, weights[None]), "your module's weights for `state` are not right: mend parts 1 to 4 first")
    raise Mistake(f"not the words of the other sentence that {asked!r} reads most: take its row, head by head")


def _weights(student: Student, state: dict, inputs, memory):
    """Return the weights of the student's own module, or None if there are none."""
    with contextlib.suppress(Mistake, NotImplementedError):
        module = student.make(MODULE, 8, 4)
        module.load(state)
        return expect_parts(module(inputs, memory), ("output", "weights"), "forward")[1]


@as_replacements
def variation(seed):
    """The two sentences, the word that is asked about and the numbers."""
    asking, answering, asked, numbers = _class_sentences(seed)
    return f'"{asking}"', f'"{answering}"', f'asked = "{asked}"', f"manual_seed({numbers})"


def _class_sentences(seed):
    """Return a class's sentence that asks, the one that answers, the word asked about, and the seed of the numbers."""
    if seed is None:
        return "she drinks hot tea", "elle boit du thé chaud", "tea", 1
    choose = random.Random(seed)
    who = choose.choice([("she", "elle"), ("he", "il")])
    does = choose.choice([("drinks", "boit"), ("wants", "veut"), ("makes", "prépare"), ("buys", "achète")])
    kind = choose.choice([("hot", "chaud"), ("cold", "froid"), ("sweet", "sucré")])
    what = choose.choice([("tea", "thé"), ("coffee", "café"), ("milk", "lait"), ("chocolate", "chocolat")])
    asking = [who[0], does[0], kind[0], what[0]]
    answering = [who[1], does[1], "du", what[1], kind[1]]
    return " ".join(asking), " ".join(answering), choose.choice(asking), choose.randint(2, 10_000)
