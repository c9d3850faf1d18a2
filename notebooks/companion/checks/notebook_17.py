"""Checks of the exercises in notebook 17 (attention today), and the course's own answers to them."""

import torch
from torch.nn import functional as F

from companion.checks.compared import compared_with
from companion.checks.feedback import expect, tensors_made
from utils.attention import causal_mask


def keys_held(mask):
    """Return how many keys are kept while each token reads, (tokens,): those that it or a later one may read.

    The course's own `num_kept`.
    """
    return torch.stack([mask[t:, : t + 1].any(dim=0).sum() for t in range(len(mask))])


HELD = {  # {message: what a wrong num_kept has instead}
    "token t's own reading does not count: its row belongs to them, so take mask[t:]": {"mask[t:": "mask[t + 1 :"},
    "only what token t itself reads is counted: what a later token may read is kept, too": {
        "mask[t:": "mask[t : t + 1"
    },
    "keys are counted that do not exist yet: while t reads, there are tokens 0 to t": {": t + 1": ":"},
    "token t's own key does not count: the columns 0 to t are [:, : t + 1]": {": t + 1": ":t"},
    "all keys so far are counted: those that neither t nor a later token may read are dropped": {
        "mask[t:, : t + 1].any(dim=0).sum()": "torch.tensor(t + 1)"
    },
}


@compared_with(keys_held, HELD)
def check_num_kept(num_kept):
    """a key is kept while its own token or a later one may read it, and no longer."""
    yield "num_kept for a causal mask at random", ((torch.rand(8, 8) < 0.2) & causal_mask(8),)
    yield "num_kept(causal_mask(5))", (causal_mask(5),)


def in_latents(query, latent, W_up_key, W_up_value):
    """Return the contexts without keys: the course's own `absorbed_attention`."""
    scores = query @ W_up_key.mT @ latent.mT / query.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ latent @ W_up_value


ABSORBED = {  # {message: what a wrong absorbed_attention has instead}
    "the scores are divided by the root of d_latent: they are those of queries and keys, so take d_k": {
        "query.shape[-1]": "latent.shape[-1]"
    },
    "the scores are not divided by the root of d_k": {" / query.shape[-1] ** 0.5": ""},
}
TURNED = "check the shapes: W_up_key is turned round, query @ W_up_key.mT, and W_up_value is not ({error})"
MADE = "the contexts are right, but a tensor as large as all keys or values is made: move the brackets"


@compared_with(in_latents, ABSORBED, dict.fromkeys(("mat", "Expected size"), TURNED))
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


MOVES = {  # {message: what a wrong delta_step has instead}
    "the key must have length 1 first: divide it by key.norm()": {"F.normalize(key, dim=-1)": "key"},
    "the key of length 1 reads, but the old one is written: use the new key for both": {
        "key = F": "unit = F",
        "key @ state": "unit @ state",
    },
    "the key of length 1 is written, but the old one reads: use the new key for both": {
        "key = F": "unit = F",
        "outer(key": "outer(unit",
    },
    "the state's answer is not subtracted: that is linear attention": {" - key @ state": ""},
    "the rate belongs to the whole difference: rate * (value - key @ state)": {
        "rate * torch.outer(key, value": "torch.outer(key, rate * value"
    },
    "the rate is missing": {"rate * ": ""},
    "the old state is lost: add the correction to it": {"state + ": ""},
}
OUTER = "the outer product is turned round: like the state it is (d_k, d_v), torch.outer(key, ...) ({error})"
READ = "read the state with key @ state: (d_k,) times (d_k, d_v) is (d_v,) ({error})"


@compared_with(delta_written, MOVES, {"must match the size": OUTER, "mat": READ, "inconsistent tensor size": READ})
def check_delta_step(delta_step):
    """the state's answer to the key moves towards the value, as far as the rate says."""
    yield "delta_step", (torch.randn(3, 5), 2 * torch.randn(3), torch.randn(5), 0.3)
