"""Checks of the exercises in notebook 16 (attention today), and the course's own answers to them."""

import torch
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_mask, expect_tensor, explained
from utils.attention import causal_mask


def banded(num_tokens, window):
    """Return a causal mask of the nearest keys, `window` of them with the token itself: the course's `window_mask`."""
    return causal_mask(num_tokens).triu(1 - window)


@exercise
def check_window_mask(window_mask):
    """each token sees itself and the window - 1 tokens before it, or as many as there are."""
    distance = torch.arange(7)[:, None] - torch.arange(7)  # of the key, looking back
    block = torch.arange(7) // 3
    mistakes = {
        "the window is one too wide: it counts the token itself": (distance >= 0) & (distance <= 3),
        "the window is one too narrow: besides the token itself it has window - 1 keys": (distance >= 0)
        & (distance < 2),
        "the window looks both ways: hide the future, too": distance.abs() < 3,
        "half of the window looks ahead, as in an encoder: all of it lies behind": distance.abs() <= 1,
        "the past is not cut off: hide what lies window tokens or more behind": distance >= 0,
        "the future is not hidden: a key's place is at most the query's": distance < 3,
        "rows and columns are exchanged: each token looks ahead; rows are queries": (distance > -3) & (distance <= 0),
        "a token does not see itself: the window begins with it": (distance > 0) & (distance < 3),
        "the window lies before the token: it counts the token itself": (distance > 0) & (distance <= 3),
        "the windows stand still, side by side: each token has its own, which ends with it": (
            (distance >= 0) & (block[:, None] == block)
        ),
        known.INVERTED: ~banded(7, 3),
    }
    expect_mask(window_mask(7, 3), banded(7, 3), "window_mask(7, 3)", mistakes)
    for sizes in ((6, 4), (5, 1), (3, 8)):
        expect_mask(window_mask(*sizes), banded(*sizes), f"window_mask{sizes}")


def scores_by_latent(query, latent, W_up):
    """Return the scores of keys latent @ W_up, without these keys: the course's `absorbed_scores`."""
    return query @ W_up.mT @ latent.mT / query.shape[-1] ** 0.5


@exercise
def check_absorbed_scores(absorbed_scores):
    """the scores are those of the keys, and no key was made."""
    query, latent, W_up = torch.randn(2, 3, 5), torch.randn(7, 4), torch.randn(2, 4, 5)
    right = scores_by_latent(query, latent, W_up)
    products, swapped = right * 5**0.5, scores_by_latent(query, latent, W_up.flip(0))
    latent_size = (
        "divided by the root of the latent's size: the scores are those of the keys, whose size is the query's"
    )
    mistakes = {
        "the scale is missing: divide by the root of the head size": products,
        latent_size: products / 4**0.5,
        "divided by the head size itself; take its square root": products / 5,
        "multiplied by the root of the head size where it should be divided": products * 5**0.5,
        "each head must use its own matrix: W_up's first axis is the heads": swapped,
        "every head uses the matrix of the first": scores_by_latent(query, latent, W_up[:1].expand_as(W_up)),
        "the matrices of all heads are added up: each head has its own": scores_by_latent(
            query, latent, W_up.sum(dim=0).expand_as(W_up)
        ),
        "these are weights; the scores come before softmax": torch.softmax(right, dim=-1),
        "rows and columns are exchanged: rows are queries": right.mT,
    }
    signs = {
        "mat1 and mat2": "a product's sizes do not fit: query (heads, queries, head_dim) meets W_up.mT first ({error})",
        "Expected size": "a product's sizes do not fit: query (heads, queries, head_dim) meets W_up.mT first ({error})",
    }
    with explained(signs), _Noted(lambda made: {7, 5} <= set(made.shape)) as keys:  # in any order
        given = absorbed_scores(query, latent, W_up)
    expect_tensor(given, right, "absorbed_scores", mistakes)
    expect(not keys.ever, "the scores are right, but latent @ W_up makes the keys: let W_up meet the query instead")
    one = torch.randn(2, 1, 5)
    expect_tensor(
        absorbed_scores(one, latent, W_up), scores_by_latent(one, latent, W_up), "absorbed_scores for one query"
    )


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


@exercise
def check_softmax_off_by_one(softmax_off_by_one):
    """the null key takes its share and no column, whatever the size of the scores."""
    scores = 2 * torch.randn(4, 4)
    exps, largest = scores.exp(), scores.amax(dim=-1, keepdim=True)
    total = exps.sum(dim=-1, keepdim=True)
    mistakes = {
        "these are softmax's weights, which sum to 1: the 1 below the line is missing": exps / total,
        "1 is added above the line, too: only the sum grows by 1": (exps + 1) / (total + 1),
        "1 is added for each key: the null key stands below the line once": exps / (total + 4),
        "the 1 is subtracted: the null key's exp is one more term of the sum": exps / (total - 1),
        "each score is taken by itself, a sigmoid: below the line stands the sum over all keys": torch.sigmoid(scores),
        known.COLUMNS: exps / (exps.sum(dim=-2, keepdim=True) + 1),
        known.TOGETHER: exps / (exps.sum() + 1),
        "the sums lack keepdim=True, so row i's sum divides column i": exps / (exps.sum(dim=-1) + 1),
        "the null key has a column: drop it, its value is zero": torch.softmax(F.pad(scores, (0, 1)), dim=-1),
        "the null key has a column, the first: drop it, its value is zero": torch.softmax(F.pad(scores, (1, 0)), -1),
    }
    shifts = {"its own largest score": largest, "the largest of its scores and 0": largest.clamp(min=0)}
    for about, shift in shifts.items():
        shifted = (scores - shift).exp()
        message = f"the row is shifted by {about}, but the 1 is not: in its place belongs exp(-shift)"
        mistakes[message] = shifted / (shifted.sum(dim=-1, keepdim=True) + 1)
    doing = "softmax_off_by_one"
    expect_tensor(softmax_off_by_one(scores), softmax_with_null(scores), doing, mistakes)
    large = torch.tensor([[1000.0, 1001.0], [0.5, 0.0], [-1000.0, -1001.0]])
    plain, together = large.exp(), (large - large.max()).exp()
    overflow = {
        known.OVERFLOW: plain / (plain.sum(dim=-1, keepdim=True) + 1),
        "one shift for all rows leaves some without any exp: each row has its own largest score": (
            together / (together.sum(dim=-1, keepdim=True) + (-large.max()).exp())
        ),
    }
    expect_tensor(
        softmax_off_by_one(large), softmax_with_null(large), f"{doing}, for large scores,", overflow, atol=1e-4
    )
    nothing = torch.tensor([[-torch.inf, -torch.inf], [2.0, -torch.inf]])
    lost = {
        "a row of -inf gives nan, from -inf - (-inf): the null key's 0 is a score, too, so shift by at least 0": (
            torch.tensor([[torch.nan, torch.nan], softmax_with_null(nothing)[1].tolist()])
        )
    }
    with _Noted(lambda made: made.isnan().any()) as nan:
        given = softmax_off_by_one(nothing)
    expect_tensor(given, softmax_with_null(nothing), f"{doing}, for a masked row,", lost)
    mended = "a row of -inf gives zeros, but of a nan that is mended afterwards, and its gradient stays nan"
    expect(not nan.ever, f"{mended}: the null key's 0 is a score, too, so shift by at least 0")
    batch = torch.randn(2, 3, 4, 5)
    expect_tensor(softmax_off_by_one(batch), softmax_with_null(batch), f"{doing}, for heads in a batch,")


def delta_written(state, key, value, rate):
    """Return the state, moved so that key finds value: the course's `delta_step`."""
    key = F.normalize(key, dim=-1)
    return state + rate * torch.outer(key, value - key @ state)


@exercise
def check_delta_step(delta_step):
    """the state's answer to the key moves towards the value, and nothing else moves."""
    state, key, value, rate = torch.randn(3, 5), 2 * torch.randn(3), torch.randn(5), 0.3
    unit = F.normalize(key, dim=0)
    found, raw, squared = unit @ state, key @ state, key / (key @ key)
    changes = {
        "the key must have length 1 first: divide it by key.norm()": rate * torch.outer(key, value - raw),
        "the key is written with length 1, but read as it came": rate * torch.outer(unit, value - raw),
        "the key is read with length 1, but written as it came": rate * torch.outer(key, value - found),
        "the key is divided by its sum: its length is key.norm()": rate
        * torch.outer(key / key.sum(), value - key / key.sum() @ state),
        "the key has its mean square 1: here its length must be 1": 3**0.5
        * rate
        * torch.outer(unit, value - 3**0.5 * found),
        "what the state already answers is not subtracted: that is linear attention": rate * torch.outer(unit, value),
        "what the state answers is added: the error is value - answer": rate * torch.outer(unit, value + found),
        "1 - rate of the way is gone: the way is the rate": (1 - rate) * torch.outer(unit, value - found),
        "the key is divided by its squared length: its length is key.norm()": rate
        * torch.outer(squared, value - squared @ state),
        "the rate is missing": torch.outer(unit, value - found),
        "the rate multiplies the value alone: it scales the whole error": torch.outer(unit, rate * value - found),
        "the state moves away from the value: the sign is turned round": -rate * torch.outer(unit, value - found),
        "the old state is lost: add the correction to it": rate * torch.outer(unit, value - found) - state,
        "the old state fades: it is kept, and only the answer to this key changes": (
            rate * (torch.outer(unit, value - found) - state)
        ),
        "nothing changed: return the new state": torch.zeros(3, 5),
    }
    mistakes = {message: state + change for message, change in changes.items()}
    rows = "the outer product is turned round: like the state it is (d_k, d_v), torch.outer(key, ...) ({error})"
    reading = "read the state with key @ state: (d_k,) times (d_k, d_v) is (d_v,) ({error})"
    signs = {"must match the size": rows, "mat": reading, "size mismatch": reading, "inconsistent tensor size": reading}
    with explained(signs):
        given = delta_step(state, key, value, rate)
    expect_tensor(given, delta_written(state, key, value, rate), "delta_step", mistakes)
    answer = unit @ delta_step(state, key, value, 1.0)
    expect_tensor(answer, value, "the state's answer after a step with rate 1")
