"""Checks of the exercises in notebook 18 (a model that writes): what the model says, and how a token is chosen."""

from functools import partial

import torch
from torch import nn

from companion.checks.compared import compared_with
from companion.course_answers import depends
from companion.steps import of_steps
from companion.worlds.stories.world import BOYS
from utils.attention import causal_mask
from utils.transformer import EncoderBlock

by_row = partial(torch.softmax, dim=-1)
STOPS = {
    "mask has shape": "the mask has a row and a column for each token: causal_mask(ids.shape[1])",
    "shapes cannot be multiplied": "{error}. A token's vector is a row of the table, so the product needs table.T",
    "NoneType": "top_k may be None, and then every token keeps a share",
}


def _past(ids):
    return causal_mask(ids.shape[1])


def _next(block, stream, start, mask):
    return block(stream, mask=mask)


@of_steps
def _logits_with(ids, table, blocks, norm, *, mask=_past, after=_next, normed="the last block"):
    stream = start = table[ids]
    for block in blocks:
        stream = after(block, stream, start, mask(ids))
        stream = norm(stream) if normed == "each block" else stream
    return (norm(stream) if normed == "the last block" else stream) @ table.T


logits_of_next = _logits_with()  # the course's own `next_logits`
LOGITS = {  # {message: wrong next_logits}
    "each position reads the answers: hand the blocks mask=causal_mask(...)": _logits_with(mask=lambda ids: None),
    "the mask is inverted: True means that a token may be read": _logits_with(lambda ids: ~_past(ids)),
    "the norm is in the loop: it belongs after the last block, once": _logits_with(normed="each block"),
    "the norm after the last block is missing": _logits_with(normed="none"),
    "only the last block counts: hand each block what the one before it returned": _logits_with(
        after=lambda block, stream, start, mask: block(start, mask=mask)
    ),
    "the stream is added twice: what a block returns already contains it, so stream = block(stream, mask=mask)": (
        _logits_with(after=lambda block, stream, start, mask: stream + block(stream, mask=mask))
    ),
}


@compared_with(logits_of_next, LOGITS, STOPS)
@torch.no_grad()
def check_next_logits(next_logits):
    """the blocks read one after the other under the mask, the norm comes last, and the table answers."""
    norm, blocks = nn.LayerNorm(8), [EncoderBlock(8, 2, 8) for _ in range(3)]
    nn.init.normal_(norm.weight)
    yield "next_logits(ids, table, blocks, norm)", (torch.randint(7, (2, 5)), torch.randn(7, 8), blocks, norm)


@of_steps
def _shares_with(logits, temperature=1.0, top_k=None, *, divide=torch.div, soften=by_row, rank=-1, fill=-torch.inf):
    logits = divide(logits, temperature)
    if top_k is not None:
        border = logits.topk(top_k - 1 - rank).values[..., [-1]]
        logits = logits.masked_fill(logits < border, fill)
    return soften(logits)


shares_of_next = _shares_with()  # the course's own `next_shares`


@of_steps
def _border_with(logits, temperature=1.0, top_k=None, *, border):
    """Hide the logits below another border than each row's own."""
    if top_k is not None:
        logits = logits.masked_fill(logits < border(logits, top_k), -torch.inf)
    return shares_of_next(logits, temperature)


def _cut_shares(logits, temperature=1.0, top_k=None):
    """Leave only the largest shares, and do not divide by their sum."""
    shares = shares_of_next(logits, temperature)
    return shares if top_k is None else shares * (shares >= shares.topk(top_k).values[..., [-1]])


SHARES = {  # {message: wrong next_shares}
    "top_k has no effect: only the top_k largest logits of a row may get a share": _border_with(
        lambda *inputs: -torch.inf
    ),
    "what is left after top_k does not sum to 1: give the other logits -inf before the softmax": _cut_shares,
    "the k-th largest is left out: compare with < and not <=": _shares_with(rank=0),
    "the others get the logit 0, and exp(0) is 1: give them -inf": _shares_with(fill=0.0),
    "each row needs its own border: keep its axis, as in values[:, -1:]": _border_with(
        lambda logits, top_k: logits.topk(top_k).values[:, -1]
    ),
    "the softmax runs over the stories: a row is a story, dim=-1": _shares_with(soften=partial(torch.softmax, dim=0)),
    "these are logits, not shares: take their softmax": _shares_with(soften=torch.clone),
    "the temperature has no effect: divide the logits by it": _shares_with(divide=lambda logits, temperature: logits),
    "the temperature multiplies the logits: divide by it": _shares_with(divide=torch.mul),
    "exp makes inf of large logits, and inf / inf is nan: subtract each row's largest": _shares_with(
        soften=lambda logits: logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
    ),
}


@compared_with(shares_of_next, SHARES, STOPS)
def check_next_shares(next_shares):
    """each row sums to 1, the temperature acts on the logits, and only the top_k of each row have a share."""
    cases = ((1.0, None), (0.5, None), (2.0, None), (0.04, None), (1.0, 3), (2.0, 1), (0.5, 3), (0.7, 6))
    for temperature, top_k in cases:
        yield f"next_shares(logits, {temperature}, {top_k})", (4 * torch.randn(6, 6), temperature, top_k)


def _model_with(rule):
    """Make a model's answer by a rule about whether the first name is a boy's, “he” was said, the second is a boy's."""
    return lambda first, pronoun, second: "him" if rule(first in BOYS, pronoun == "he", second in BOYS) else "her"


ANSWERS = {
    "that always says “him”": _model_with(lambda first, he, second: True),
    "that looks at the first name": _model_with(lambda first, he, second: first),
    "that looks at “she” or “he”": _model_with(lambda first, he, second: he),
    "that looks at the second name": _model_with(lambda first, he, second: second),
    "that looks at all three": _model_with(lambda first, he, second: (first + he + second) % 2),
    "that looks at one pair of names": lambda first, pronoun, second: (first, second) == ("Max", "Ida"),
    "that looks at the first name after “he” only": _model_with(lambda first, he, second: he and first),
    "that looks at the second name after “she” only": _model_with(lambda first, he, second: not he and second),
}
DEPENDS = {  # {message: wrong depends_on}
    "one beginning is not enough: a word may count only beside certain others, so try them all": partial(
        depends, starts=1
    ),
}


@compared_with(depends, DEPENDS)
def check_depends_on(depends_on):
    """it names just the words whose change can change the answer."""
    for name, answer in ANSWERS.items():
        yield f"for a model {name}, depends_on", (answer, ("Ida", "Mia", "Ben", "Max"))
