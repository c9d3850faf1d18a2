"""Checks of the exercises in notebook 16 (attention today), and the course's own answers to them."""

import torch
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_like, explained
from utils.attention import causal_mask


def banded(num_tokens, window):
    """Return a causal mask of the nearest keys, `window` of them with the token itself: the course's `window_mask`."""
    return causal_mask(num_tokens).triu(1 - window)


def _seen(rule):
    """Make a mask of a rule for how far back, and in which places, a query may see."""
    return lambda num_tokens, window: rule(torch.arange(num_tokens)[:, None] - torch.arange(num_tokens), window)


def _blocked(num_tokens, window):
    block = torch.arange(num_tokens) // window
    return (block[:, None] == block).tril()


@exercise(
    mistakes={
        "the window is one too wide: it counts the token itself": _seen(lambda back, w: (back >= 0) & (back <= w)),
        "the window is one too narrow: besides the token itself it has window - 1 keys": _seen(
            lambda back, w: (back >= 0) & (back < w - 1)
        ),
        "the window looks both ways: hide the future, too": _seen(lambda back, w: back.abs() < w),
        "the past is not cut off: hide what lies window tokens or more behind": _seen(lambda back, w: back >= 0),
        "the future is not hidden: a key's position is at most the query's": _seen(lambda back, w: back < w),
        "rows and columns are exchanged: each token looks ahead; rows are queries": _seen(
            lambda back, w: (back > -w) & (back <= 0)
        ),
        "a token does not see itself: the window begins with it": _seen(lambda back, w: (back > 0) & (back < w)),
        "the windows stand still, side by side: each token has its own, which ends with it": _blocked,
        known.INVERTED: lambda *sizes: ~banded(*sizes),
    }
)
def check_window_mask(window_mask):
    """each token sees itself and the window - 1 tokens before it, or as many as there are."""
    chain = "a chain like 0 <= d < w, an and, and an if are for single numbers: write (d >= 0) & (d < w)"
    for sizes in ((7, 3), (6, 4), (5, 1), (3, 8)):
        mistakes = check_window_mask.mistakes if sizes == (7, 3) else {}
        with explained({"Boolean value": chain}):
            expect_like(window_mask, banded, sizes, f"window_mask{sizes}", mistakes)


def scores_by_latent(query, latent, W_up):
    """Return the scores of keys latent @ W_up, without these keys: the course's `absorbed_scores`."""
    return query @ W_up.mT @ latent.mT / query.shape[-1] ** 0.5


def _with(matrix=lambda W_up: W_up, scale=lambda size, d_latent: 1.0):
    """Make scores whose matrices, or whose scale, go wrong. scale: by what the right scores are multiplied."""
    return lambda query, latent, W_up: (
        scores_by_latent(query, latent, matrix(W_up)) * scale(query.shape[-1], latent.shape[-1])
    )


@exercise(
    mistakes={
        "the scale is missing: divide by the root of the head size": _with(scale=lambda size, d_latent: size**0.5),
        "divided by the root of the latent's size: the scores are those of the keys, whose size is the query's": (
            _with(scale=lambda size, d_latent: (size / d_latent) ** 0.5)
        ),
        "divided by the head size itself; take its square root": _with(scale=lambda size, d_latent: size**-0.5),
        "multiplied by the root of the head size where it should be divided": _with(scale=lambda size, d_latent: size),
        "each head must use its own matrix: W_up's first axis is the heads": _with(lambda W_up: W_up.flip(0)),
        "the matrices of all heads are added up: each head has its own": _with(lambda W_up: W_up.sum(0)),
        "these are weights; the scores come before softmax": lambda *given: scores_by_latent(*given).softmax(-1),
        "rows and columns are exchanged: rows are queries": lambda *given: scores_by_latent(*given).mT,
        "the scores are right, but latent @ W_up makes the keys: let W_up meet the query instead": (
            lambda query, latent, W_up: query @ (latent @ W_up).mT / query.shape[-1] ** 0.5
        ),
    }
)
def check_absorbed_scores(absorbed_scores):
    """the scores are those of the keys, and no key was made."""
    query, latent, W_up = torch.randn(2, 3, 5), torch.randn(7, 4), torch.randn(2, 4, 5)
    *mistakes, keys_made = check_absorbed_scores.mistakes
    mistakes = {message: check_absorbed_scores.mistakes[message] for message in mistakes}
    sizes = "a product's sizes do not fit: query (heads, queries, head_dim) meets W_up.mT first ({error})"
    turned = "the heads' axes do not fit ({error}); .T turns all axes round, and .mT only the last two"
    with (
        explained({"mat1 and mat2": sizes, "Expected size": sizes, "size of tensor": turned}),
        _Noted(lambda made: {7, 5} <= set(made.shape)) as keys,
    ):
        absorbed_scores(query, latent, W_up)
    expect_like(absorbed_scores, scores_by_latent, (query, latent, W_up), "absorbed_scores", mistakes)
    expect(not keys.ever, keys_made)
    one = torch.randn(2, 1, 5), latent, W_up
    expect_like(absorbed_scores, scores_by_latent, one, "absorbed_scores for one query")


class _Noted(TorchFunctionMode):
    """Note whether any tensor that PyTorch's functions return is of a kind."""

    def __init__(self, is_of_kind):
        super().__init__()
        self.is_of_kind, self.ever = is_of_kind, False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.ever |= bool(self.is_of_kind(result))
        return result


def softmax_with_null(scores):
    """Return softmax's weights beside those of one more key that scores 0: the course's `softmax_off_by_one`."""
    return torch.softmax(F.pad(scores, (0, 1)), dim=-1)[..., :-1]


def _by_hand(above=lambda exps: exps, below=lambda exps: exps.sum(-1, keepdim=True) + 1, shift=torch.zeros_like):
    """Make weights by hand: exps above the line, and a sum below it, from shifted scores."""
    return lambda scores: above((scores - shift(scores)).exp()) / below((scores - shift(scores)).exp())


def _largest(scores):
    return scores.amax(dim=-1, keepdim=True)


def _shifted(shift):
    """Make weights by hand that are right but for what the scores, the null key's among them, are shifted by."""
    return lambda scores: (
        (scores - shift(scores)).exp() / ((scores - shift(scores)).exp().sum(-1, keepdim=True) + (-shift(scores)).exp())
    )


NULL = "the null key's 0 is a score, too, so shift by at least 0"
UNSHIFTED = "the row is shifted by {}, but the 1 is not: in its place belongs exp(-shift)"


@exercise(
    mistakes={
        "these are softmax's weights, which sum to 1: the 1 below the line is missing": lambda scores: scores.softmax(
            -1
        ),
        "1 is added above the line, too: only the sum grows by 1": _by_hand(above=lambda exps: exps + 1),
        "1 is added for each key: the null key stands below the line once": _by_hand(
            below=lambda exps: (exps + 1).sum(-1, keepdim=True)
        ),
        "each score is taken by itself, a sigmoid: below the line stands the sum over all keys": torch.sigmoid,
        known.COLUMNS: _by_hand(below=lambda exps: exps.sum(-2, keepdim=True) + 1),
        known.TOGETHER: _by_hand(below=lambda exps: exps.sum() + 1),
        "the sums lack keepdim=True, so row i's sum divides column i": _by_hand(below=lambda exps: exps.sum(-1) + 1),
        "the null key has a column: drop it, its value is zero": lambda scores: F.pad(scores, (0, 1)).softmax(-1),
        UNSHIFTED.format("its own largest score"): _by_hand(shift=_largest),
        UNSHIFTED.format("the largest of its scores and 0"): _by_hand(shift=lambda scores: _largest(scores).clamp(0)),
        known.OVERFLOW: _by_hand(),
        "one shift for all rows leaves some without any exp: each row has its own largest score": _shifted(torch.max),
        f"a row of -inf gives nan, from -inf - (-inf): {NULL}": _shifted(_largest),
        f"a row of -inf gives zeros, but of a nan that is mended afterwards, and its gradient stays nan: {NULL}": (
            lambda scores: (scores.softmax(-1) * scores.logsumexp(-1, keepdim=True).sigmoid()).nan_to_num()
        ),
    }
)
def check_softmax_off_by_one(softmax_off_by_one):
    """the null key takes its share and no column, whatever the size of the scores."""
    *mistakes, mended = check_softmax_off_by_one.mistakes
    mistakes = {message: check_softmax_off_by_one.mistakes[message] for message in mistakes}
    doing, scores = "softmax_off_by_one", 2 * torch.randn(4, 4)
    large = torch.tensor([[1000.0, 1001.0], [0.5, 0.0], [-1000.0, -1001.0]])
    nothing = torch.tensor([[-torch.inf, -torch.inf], [2.0, -torch.inf]])
    batch = torch.randn(2, 3, 4, 5)
    expect_like(softmax_off_by_one, softmax_with_null, (scores,), doing, mistakes)
    expect_like(softmax_off_by_one, softmax_with_null, (large,), f"{doing}, for large scores,", mistakes, atol=1e-4)
    with _Noted(lambda made: made.isnan().any()) as nan:
        softmax_off_by_one(nothing)
    expect_like(softmax_off_by_one, softmax_with_null, (nothing,), f"{doing}, for a masked row,", mistakes)
    expect(not nan.ever, mended)
    expect_like(softmax_off_by_one, softmax_with_null, (batch,), f"{doing}, for heads in a batch,")


def delta_written(state, key, value, rate):
    """Return the state, moved so that key finds value: the course's `delta_step`."""
    key = F.normalize(key, dim=-1)
    return state + rate * torch.outer(key, value - key @ state)


def _unit(key):
    return key / key.norm()


def _moved(
    read=_unit, written=_unit, error=lambda value, found, rate: rate * (value - found), kept=lambda state: state
):
    """Make a step from its decisions: the key that reads, the key that is written, the error, and what is kept."""
    return lambda state, key, value, rate: (
        kept(state) + torch.outer(written(key), error(value, read(key) @ state, rate))
    )


def _squared(key):
    return key / (key @ key)


@exercise(
    mistakes={
        "the key must have length 1 first: divide it by key.norm()": _moved(
            read=lambda key: key, written=lambda key: key
        ),
        "the key is written with length 1, but read as it came": _moved(read=lambda key: key),
        "the key is read with length 1, but written as it came": _moved(written=lambda key: key),
        "the key is divided by its squared length: its length is key.norm()": _moved(_squared, _squared),
        "what the state already answers is not subtracted: that is linear attention": _moved(
            error=lambda value, found, rate: rate * value
        ),
        "what the state answers is added: the error is value - answer": _moved(
            error=lambda value, found, rate: rate * (value + found)
        ),
        "1 - rate of the way is gone: the way is the rate": _moved(
            error=lambda value, found, rate: (1 - rate) * (value - found)
        ),
        "the rate is missing": _moved(error=lambda value, found, rate: value - found),
        "the rate multiplies the value alone: it scales the whole error": _moved(
            error=lambda value, found, rate: rate * value - found
        ),
        "the state moves away from the value: the sign is turned round": _moved(
            error=lambda value, found, rate: rate * (found - value)
        ),
        "the old state is lost: add the correction to it": _moved(kept=torch.zeros_like),
        "the old state fades: it is kept, and only the answer to this key changes": lambda state, key, value, rate: (
            delta_written(state, key, value, rate) - rate * state
        ),
        "nothing changed: return the new state": lambda state, *given: state,
    }
)
def check_delta_step(delta_step):
    """the state's answer to the key moves towards the value, and nothing else moves."""
    given = torch.randn(3, 5), 2 * torch.randn(3), torch.randn(5), 0.3
    rows = "the outer product is turned round: like the state it is (d_k, d_v), torch.outer(key, ...) ({error})"
    reading = "read the state with key @ state: (d_k,) times (d_k, d_v) is (d_v,) ({error})"
    signs = {"must match the size": rows, "mat": reading, "size mismatch": reading, "inconsistent tensor size": reading}
    with explained(signs):
        expect_like(delta_step, delta_written, given, "delta_step", check_delta_step.mistakes)
    expect_like(delta_step, delta_written, (*given[:3], 1.0), "delta_step with rate 1")
