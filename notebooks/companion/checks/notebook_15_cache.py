"""Check of the third exercise in notebook 15 (fast attention): new tokens read what a cache holds."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import close, expect, expect_parts, expect_tensor
from utils.attention import attention, causal_mask
from utils.positions import rotate

NAMES = ["context", "key", "value"]


def read_next(inputs, past_key, past_value, W_query, W_key, W_value):
    """Let new tokens read those before them and themselves: the course's own `read_on`."""
    places = len(past_key) + torch.arange(len(inputs))
    query, key = rotate(inputs @ W_query, places), torch.cat([past_key, rotate(inputs @ W_key, places)])
    value = torch.cat([past_value, inputs @ W_value])
    return attention(query, key, value, causal_mask(len(inputs), len(past_key)))[0], key, value


@exercise
def check_read_on(read_on):
    """a new token has its own place, reads all that is kept and itself, and is kept for those that follow."""
    matrices = torch.randn(6, 4), torch.randn(6, 4), torch.randn(6, 8)
    for num_new, num_past in ((2, 3), (1, 4), (5, 0)):
        _, past_key, past_value = read_next(torch.randn(num_past, 6), torch.zeros(0, 4), torch.zeros(0, 8), *matrices)
        given = torch.randn(num_new, 6), past_key, past_value, *matrices
        doing = f"read_on for {num_new} new {'token' if num_new == 1 else 'tokens'} and {num_past} kept"
        parts, wanted = expect_parts(read_on(*given), NAMES, doing), read_next(*given)
        if all(isinstance(part, torch.Tensor) for part in parts) and not _same(parts, wanted):
            for cause, wrong in _misread(*given).items():  # one part alone fits several causes
                expect(not _same(parts, wrong), cause)
        for name, part, right in zip(NAMES, parts, wanted):
            expect_tensor(part, right, f"{doing}: the {name}")


def _same(parts, others):
    return all(close(part, other) for part, other in zip(parts, others))


def _misread(inputs, past_key, past_value, W_query, W_key, W_value):
    """Return {likely cause: the context, the key and the value that it gives}."""
    num_new, num_past = len(inputs), len(past_key)
    from_0 = torch.arange(num_new)
    places, past = from_0 + num_past, causal_mask(num_new, num_past)
    plain_query, plain_key, new_value = inputs @ W_query, inputs @ W_key, inputs @ W_value
    query, new_key = rotate(plain_query, places), rotate(plain_key, places)
    key, value = torch.cat([past_key, new_key]), torch.cat([past_value, new_value])

    def read(query=query, key=key, value=value, mask=past):
        return attention(query, key, value, mask)[0], key, value

    def kept(new_key):
        return torch.cat([past_key, new_key])

    return {
        "the new tokens' places begin at 0 again: as many tokens stand before them as keys are kept": read(
            rotate(plain_query, from_0), kept(rotate(plain_key, from_0))
        ),
        "the new query's place begins at 0 again, its key's does not: both have the same place": read(
            rotate(plain_query, from_0)
        ),
        "the new key's place begins at 0 again, its query's does not: both have the same place": read(
            query, kept(rotate(plain_key, from_0))
        ),
        "the places are off by one: the first new token stands at place len(past_key)": read(
            rotate(plain_query, places + 1), kept(rotate(plain_key, places + 1))
        ),
        "the new key is not turned to its place, only the query": read(query, kept(plain_key)),
        "the new query is not turned to its place, only the key": read(plain_query),
        "neither the new query nor the new key is turned to its place": read(plain_query, kept(plain_key)),
        "the value is turned, too: only query and key have a place": read(
            value=torch.cat([past_value, rotate(new_value, places)])
        ),
        "the kept keys are turned a second time: they were turned when they were new": read(
            key=rotate(torch.cat([past_key, plain_key]))
        ),
        "the mask begins in the upper left corner: the first new token sees all that is kept, and itself": read(
            mask=past.tril()
        ),
        "a new token sees those that come after it: its own place is the last that it sees": read(mask=None),
        "a new token does not see itself: its own place is the last that it sees": read(mask=past.tril(num_past - 1)),
        "the new tokens stand in front of those kept; they come after them": read(
            key=torch.cat([new_key, past_key]), value=torch.cat([new_value, past_value])
        ),
        "only what is new is returned; the next token needs all keys and values": (read()[0], new_key, new_value),
        "nothing is kept: return the new keys and values behind the old ones": (read()[0], past_key, past_value),
    }
