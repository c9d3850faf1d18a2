"""Checks of the exercises in notebook 18 (a model that writes): what the model says, and how a token is chosen."""

import torch
from torch import nn

from companion.checks.compared import compared_with
from companion.course_answers import depends
from companion.worlds.stories.world import BOYS
from utils.attention import causal_mask
from utils.transformer import EncoderBlock

STOPS = {
    "mask has shape": "the mask has a row and a column for each token: causal_mask(ids.shape[1])",
    "shapes cannot be multiplied": "{error}. A token's vector is a row of the table, so the product needs table.T",
    "NoneType": "top_k may be None, and then every token keeps a share",
}


def logits_of_next(ids, table, blocks, norm):
    """Return the logits of what comes after each token: the course's own `next_logits`."""
    stream = table[ids]
    for block in blocks:
        stream = block(stream, mask=causal_mask(ids.shape[1]))
    return norm(stream) @ table.T


LOGITS = {  # {message: what a wrong next_logits has instead}
    "each position reads the answers: hand the blocks mask=causal_mask(...)": {"causal_mask(ids.shape[1])": "None"},
    "the mask is inverted: True means that a token may be read": {"causal_mask": "~causal_mask"},
    "the norm is in the loop: it belongs after the last block, once": {
        "return norm(stream)": "    stream = norm(stream)\n    return stream"
    },
    "the norm after the last block is missing": {"norm(stream)": "stream"},
    "only the last block counts: hand each block what the one before it returned": {"block(stream": "block(table[ids]"},
    "the stream is added twice: what a block returns already contains it, so stream = block(stream, mask=mask)": {
        "= block": "= stream + block"
    },
}


@compared_with(logits_of_next, LOGITS, STOPS)
@torch.no_grad()
def check_next_logits(next_logits):
    """the blocks read one after the other under the mask, the norm comes last, and the table answers."""
    norm, blocks = nn.LayerNorm(8), [EncoderBlock(8, 2, 8) for _ in range(3)]
    nn.init.normal_(norm.weight)
    yield "next_logits(ids, table, blocks, norm)", (torch.randint(7, (2, 5)), torch.randn(7, 8), blocks, norm)


def shares_of_next(logits, temperature=1.0, top_k=None):
    """Return the shares by which the next token is drawn: the course's own `next_shares`."""
    logits = logits / temperature
    if top_k is not None:
        border = logits.topk(top_k).values[..., -1:]
        logits = logits.masked_fill(logits < border, -torch.inf)
    return logits.softmax(dim=-1)


SHARES = {  # {message: what a wrong next_shares has instead}
    "top_k has no effect: only the top_k largest logits of a row may get a share": {"top_k is not None": "False"},
    "what is left after top_k does not sum to 1: give the other logits -inf before the softmax": {
        "logits = logits.masked_fill(logits < border, -torch.inf)": "return logits.softmax(dim=-1) * (logits >= border)"
    },
    "the k-th largest is left out: compare with < and not <=": {"< border": "<= border"},
    "the others get the logit 0, and exp(0) is 1: give them -inf": {"-torch.inf": "0.0"},
    "each row needs its own border: keep its axis, as in values[:, -1:]": {"-1:]": "-1]"},
    "the softmax runs over the stories: a row is a story, dim=-1": {"dim=-1": "dim=0"},
    "these are logits, not shares: take their softmax": {".softmax(dim=-1)": ""},
    "the temperature has no effect: divide the logits by it": {" / temperature": ""},
    "the temperature multiplies the logits: divide by it": {"/ temperature": "* temperature"},
    "exp makes inf of large logits, and inf / inf is nan: subtract each row's largest": {
        "logits.softmax(dim=-1)": "logits.exp() / logits.exp().sum(dim=-1, keepdim=True)"
    },
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
EVERY_BEGINNING = "itertools.product(*choices.values())"
DEPENDS = {  # {message: what a wrong depends_on has instead}
    "one beginning is not enough: a word may count only beside certain others, so try them all": {
        EVERY_BEGINNING: f"[next({EVERY_BEGINNING})]"
    }
}


@compared_with(depends, DEPENDS)
def check_depends_on(depends_on):
    """it names just the words whose change can change the answer."""
    for name, answer in ANSWERS.items():
        yield f"for a model {name}, depends_on", (answer, ("Ida", "Mia", "Ben", "Max"))
