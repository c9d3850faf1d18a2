"""Right and wrong answers to the third exercise in notebook 15 (fast attention): new tokens read a cache."""

import torch
from torch.nn import functional as F
from torch.nn.attention.bias import causal_lower_right

from companion.checks.notebook_15_cache import check_read_on, read_next
from utils.attention import attention, causal_mask
from utils.positions import rotate


def reading(
    places=lambda past, new: past + torch.arange(new),
    turn_query=rotate,
    turn_key=rotate,
    turn_value=lambda value, places: value,
    join=lambda past, new: torch.cat([past, new]),
    allow=lambda new, past: causal_mask(new, past),
    finish=lambda context, key, value, new: (context, key, value),
):
    """Compose the reading from its steps, any of which may be a wrong one."""

    def read_on(inputs, past_key, past_value, W_query, W_key, W_value):
        new, past = len(inputs), len(past_key)
        where = places(past, new)
        query = turn_query(inputs @ W_query, where)
        key = join(past_key, turn_key(inputs @ W_key, where))
        value = join(past_value, turn_value(inputs @ W_value, where))
        return finish(attention(query, key, value, allow(new, past))[0], key, value, new)

    return read_on


def one_by_one(inputs, past_key, past_value, *matrices):
    """Take the new tokens in turn: none needs a mask."""
    contexts = []
    for row in inputs:
        context, past_key, past_value = read_next(row[None], past_key, past_value, *matrices)
        contexts.append(context)
    return torch.cat(contexts), past_key, past_value


def by_pytorch(inputs, past_key, past_value, W_query, W_key, W_value):
    places = torch.arange(len(past_key), len(past_key) + len(inputs))
    query, key = rotate(inputs @ W_query, places), torch.cat([past_key, rotate(inputs @ W_key, places)])
    value = torch.cat([past_value, inputs @ W_value])
    bias = causal_lower_right(len(query), len(key))
    context = F.scaled_dot_product_attention(query[None], key[None], value[None], attn_mask=bias)
    return context[0], key, value


def turned_again(inputs, past_key, past_value, W_query, W_key, W_value):
    key, value = torch.cat([past_key, inputs @ W_key]), torch.cat([past_value, inputs @ W_value])
    query = rotate(inputs @ W_query, len(past_key) + torch.arange(len(inputs)))
    return attention(query, rotate(key), value, causal_mask(len(inputs), len(past_key)))[0], rotate(key), value


def unturned(features, places):
    return features


def from_0(features, places):
    return rotate(features)


RIGHT = {
    check_read_on: [
        read_next,
        reading(),
        one_by_one,
        by_pytorch,
        reading(allow=lambda new, past: torch.arange(past + new) <= past + torch.arange(new)[:, None]),
        reading(finish=lambda context, key, value, new: [context, key, value]),
    ],
}
WRONG = {
    check_read_on: [
        (reading(places=lambda past, new: torch.arange(new)), "the new tokens' places begin at 0 again"),
        (reading(turn_query=from_0), "the new query's place begins at 0 again"),
        (reading(turn_key=from_0), "the new key's place begins at 0 again"),
        (reading(places=lambda past, new: past + 1 + torch.arange(new)), "the places are off by one"),
        (reading(turn_key=unturned), "the new key is not turned to its place, only the query"),
        (reading(turn_query=unturned), "the new query is not turned to its place, only the key"),
        (reading(turn_query=unturned, turn_key=unturned), "neither the new query nor the new key is turned"),
        (reading(turn_value=rotate), "the value is turned, too"),
        (turned_again, "the kept keys are turned a second time"),
        (
            reading(allow=lambda new, past: torch.ones(new, past + new, dtype=torch.bool).tril()),
            "the mask begins in the upper left corner",
        ),
        (reading(allow=lambda new, past: None), "a new token sees those that come after it"),
        (
            reading(allow=lambda new, past: torch.ones(new, past + new, dtype=torch.bool).tril(past - 1)),
            "a new token does not see itself",
        ),
        (reading(join=lambda past, new: torch.cat([new, past])), "the new tokens stand in front of those kept"),
        (
            reading(finish=lambda context, key, value, new: (context, key[-new:], value[-new:])),
            "only what is new is returned",
        ),
        (
            reading(finish=lambda context, key, value, new: (context, key[:-new], value[:-new])),
            "nothing is kept: return the new keys and values",
        ),
        (reading(finish=lambda context, key, value, new: context), "read_on for 2 new tokens and 3 kept returns three"),
        (lambda *given: None, "read_on for 2 new tokens and 3 kept gives None; did you forget"),
    ],
}
