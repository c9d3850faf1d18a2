"""Checks of the exercises in notebook 17 (attention today), and the course's own answers to them."""

import torch
from torch.nn import functional as F

from companion.checks.compared import compared_with
from companion.checks.feedback import expect, tensors_made
from companion.steps import of_steps
from utils.attention import causal_mask


@of_steps
def _kept_with(mask, *, rows=lambda mask, t: mask[t:], keys=lambda rows, t: rows[:, : t + 1]):
    """Return how many keys are kept while each token reads, (tokens,): those of `keys` that one of `rows` sees."""
    return torch.stack([keys(rows(mask, t), t).any(dim=0).sum() for t in range(len(mask))])


keys_held = _kept_with()  # the course's own `num_kept`

HELD = {  # {message: wrong num_kept}
    "token t's own reading does not count: its row belongs to them, so take mask[t:]": _kept_with(
        rows=lambda mask, t: mask[t + 1 :]
    ),
    "only what token t itself reads is counted: what a later token may read is kept, too": _kept_with(
        rows=lambda mask, t: mask[t : t + 1]
    ),
    "keys are counted that do not exist yet: while t reads, there are tokens 0 to t": _kept_with(
        keys=lambda rows, t: rows
    ),
    "token t's own key does not count: the columns 0 to t are [:, : t + 1]": _kept_with(
        keys=lambda rows, t: rows[:, :t]
    ),
    "all keys so far are counted: those that neither t nor a later token may read are dropped": (
        lambda mask: 1 + torch.arange(len(mask))
    ),
}


@compared_with(keys_held, HELD)
def check_num_kept(num_kept):
    """a key is kept while its own token or a later one may read it, and no longer."""
    yield "num_kept for a causal mask at random", ((torch.rand(8, 8) < 0.2) & causal_mask(8),)
    yield "num_kept(causal_mask(5))", (causal_mask(5),)


@of_steps
def _absorbed_with(query, latent, W_up_key, W_up_value, *, size=lambda query, latent: query.shape[-1]):
    """Return the contexts without keys: `size` is what scores are divided by the root of."""
    scores = query @ W_up_key.mT @ latent.mT / size(query, latent) ** 0.5
    return scores.softmax(dim=-1) @ latent @ W_up_value


in_latents = _absorbed_with()  # the course's own `absorbed_attention`

ABSORBED = {  # {message: wrong absorbed_attention}
    "the scores are divided by the root of d_latent: they are those of queries and keys, so take d_k": _absorbed_with(
        lambda query, latent: latent.shape[-1]
    ),
    "the scores are not divided by the root of d_k": _absorbed_with(lambda query, latent: 1),
}
TURNED = "check the shapes: W_up_key is turned round, query @ W_up_key.mT, and W_up_value is not ({error})"
MADE = "the contexts are right, but a tensor as large as all keys or values is made: move the brackets"


@compared_with(in_latents, ABSORBED, {"must match the size": TURNED, "mat": TURNED, "Expected size": TURNED})
def check_absorbed_attention(absorbed_attention):
    """the contexts are those of each head's own keys and values, and neither of them is made."""
    for num_new in (1, 3):
        inputs = torch.randn(4, num_new, 7), torch.randn(60, 5), torch.randn(4, 5, 7), torch.randn(4, 5, 8)
        yield f"absorbed_attention for {num_new} new and 60 tokens", inputs
        largest = max(tensor.numel() for tensor in tensors_made(absorbed_attention, *inputs))
        expect(largest < 4 * 60 * 7, MADE)


def delta_written(state, key, value, rate):
    """Return the state, moved so that key finds value: the course's `delta_step`."""
    key = F.normalize(key, dim=-1)
    return state + rate * torch.outer(key, value - key @ state)


def _unit(key):
    return key / key.norm()


def _step_with(
    error=lambda value, answer, rate: rate * (value - answer), reader=_unit, writer=_unit, memory=torch.clone
):
    """Make a step from its decisions: the error, the key that reads, the key that is written, and what is kept."""
    return lambda state, key, value, rate: (
        memory(state) + torch.outer(writer(key), error(value, reader(key) @ state, rate))
    )


MOVES = {  # {message: wrong delta_step}
    "the key must have length 1 first: divide it by key.norm()": _step_with(reader=torch.clone, writer=torch.clone),
    "the key of length 1 reads, but the old one is written: use the new key for both": _step_with(writer=torch.clone),
    "the key of length 1 is written, but the old one reads: use the new key for both": _step_with(reader=torch.clone),
    "the state's answer is not subtracted: that is linear attention": _step_with(
        lambda value, answer, rate: rate * value
    ),
    "the rate belongs to the whole difference: rate * (value - key @ state)": _step_with(
        lambda value, answer, rate: rate * value - answer
    ),
    "the rate is missing": _step_with(lambda value, answer, rate: value - answer),
    "the old state is lost: add the correction to it": _step_with(memory=torch.zeros_like),
}
OUTER = "the outer product is turned round: like the state it is (d_k, d_v), torch.outer(key, ...) ({error})"
READ = "read the state with key @ state: (d_k,) times (d_k, d_v) is (d_v,) ({error})"


@compared_with(delta_written, MOVES, {"must match the size": OUTER, "mat": READ, "inconsistent tensor size": READ})
def check_delta_step(delta_step):
    """the state's answer to the key moves towards the value, as far as the rate says."""
    yield "delta_step", (torch.randn(3, 5), 2 * torch.randn(3), torch.randn(5), 0.3)
