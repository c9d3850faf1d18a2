"""Checks of the exercises in notebook 17 (a model that writes): what the model says, and how a token is chosen."""

import torch
from torch import nn

from companion.checks.exercise import exercise
from companion.checks.feedback import expect_like, explained
from utils.attention import causal_mask
from utils.transformer import EncoderBlock

WRONG_MASK = {"mask has shape": "the mask has a row and a column for each token: causal_mask(ids.shape[1])"}


def _read(
    mask=lambda ids: causal_mask(ids.shape[1]), order=slice(None), carry=True, twice=False, early=False, late=True,
    answer=lambda stream, table: stream @ table.T,
):  # fmt: skip
    """Compose a model from decisions, any of which may be a wrong one."""

    def next_logits(ids, table, blocks, norm):
        stream = start = norm(table[ids]) if early else table[ids]
        for block in list(blocks)[order]:
            stream = twice * stream + block(stream if carry else start, mask=mask(ids))
        return answer(norm(stream) if late else stream, table)

    return next_logits


logits_of_next = _read()  # the course's own `next_logits`


@exercise(
    mistakes={
        "each position reads the answers: hand the blocks mask=causal_mask(...)": _read(mask=lambda ids: None),
        "the mask is turned round: a token may read itself and what came before": _read(
            mask=lambda ids: causal_mask(ids.shape[1]).T
        ),
        "a block returns the stream with its own part added: write stream = block(stream, mask=mask)": _read(
            twice=True
        ),
        "the norm behind the last block is missing": _read(late=False),
        "the norm comes before the blocks: it belongs behind the last one": _read(early=True, late=False),
        "the norm comes once too often: it belongs behind the last block only": _read(early=True),
        "only the first block reads: let all of them, one after the other": _read(order=slice(1)),
        "only the last block counts: hand each block what the one before it returned": _read(carry=False),
        "the blocks read in the wrong order": _read(order=slice(None, None, -1)),
        "this is the stream: take the dot product with each row of the table": _read(
            answer=lambda stream, table: stream
        ),
        "these are shares, not logits: leave the softmax to whoever draws": _read(
            answer=lambda stream, table: (stream @ table.T).softmax(dim=-1)
        ),
        "this is the last position only: each position has logits": _read(
            answer=lambda stream, table: stream[:, -1] @ table.T
        ),
    }
)
def check_next_logits(next_logits):
    """the blocks read one after the other under the mask, the norm comes last, and the table answers."""
    for batch, tokens, vocabulary, d_model in ((2, 5, 7, 8), (1, 4, 4, 4)):
        norm, ids = nn.LayerNorm(d_model), torch.randint(vocabulary, (batch, tokens))
        nn.init.normal_(norm.weight)
        blocks = [EncoderBlock(d_model, 2, d_model) for _ in range(2)]
        given = ids, torch.randn(vocabulary, d_model), blocks, norm
        with torch.no_grad(), explained(WRONG_MASK):
            expect_like(
                next_logits, logits_of_next, given, "next_logits(ids, table, blocks, norm)", check_next_logits.mistakes
            )


def _shared(divide=torch.div, soften=lambda logits: logits.softmax(dim=-1), place=-1, fill=-torch.inf, **topk):
    """Compose the shares from decisions, any of which may be a wrong one."""

    def next_shares(logits, temperature=1.0, top_k=None):
        logits = divide(logits, temperature)
        if top_k is not None:
            border = logits.topk(min(top_k - 1 - place, logits.shape[-1]), **topk).values[..., [-1]]
            out = logits > border if topk else logits < border
            logits = logits.masked_fill(out, fill)
        return soften(logits)

    return next_shares


shares_of_next = _shared()  # the course's own `next_shares`


def _after(change):
    """Turn the softmax of the bare logits into something by temperature and top_k."""
    return lambda logits, temperature=1.0, top_k=None: change(logits.softmax(dim=-1), temperature, top_k)


def _cut(shares, temperature, top_k):
    """Leave only the largest shares, and do not divide by their sum."""
    shares = shares ** (1 / temperature)
    shares = shares / shares.sum(dim=-1, keepdim=True)
    return shares if top_k is None else shares * (shares >= shares.topk(top_k).values[..., [-1]])


def _one_border(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None:
        logits = logits.masked_fill(logits < logits.flatten().topk(top_k).values[-1], -torch.inf)
    return logits.softmax(dim=-1)


def _crossed(logits, temperature=1.0, top_k=None):
    """Lay the borders of the rows along the columns, which nothing forbids where both are as many."""
    logits = logits / temperature
    if top_k is not None:
        logits = logits.masked_fill(logits < logits.topk(top_k).values[:, -1], -torch.inf)
    return logits.softmax(dim=-1)


@exercise(
    mistakes={
        "top_k has no effect: only the top_k largest logits of a row may get a share": (
            lambda logits, temperature=1.0, top_k=None: shares_of_next(logits, temperature)
        ),
        "what is left after top_k does not sum to 1: give the other logits -inf before the softmax": _after(_cut),
        "the k-th largest is left out: it is one of the k, so compare with < and not <=": (
            lambda logits, temperature=1.0, top_k=None: _shared(place=0)(logits, temperature, top_k)
        ),
        "one token too many is left": _shared(place=-2),
        "the smallest logits are left: keep the largest": _shared(largest=False),
        "the others get the logit 0, and exp(0) is 1: give them -inf": _shared(fill=0.0),
        "one border serves all stories: each row has a k-th largest of its own": _one_border,
        "each row needs its own border: keep its axis, as in values[:, -1:]": _crossed,
        "the softmax runs over the stories: each row, dim=-1, is one story's next token": _shared(
            soften=lambda logits: logits.softmax(dim=0)
        ),
        "one softmax serves all stories: each row sums to 1 by itself": _shared(
            soften=lambda logits: logits.flatten().softmax(dim=0).view_as(logits)
        ),
        "these are logits, not shares: take their softmax": _shared(soften=torch.clone),
        "these are logarithms of shares: take softmax, not log_softmax": _shared(
            soften=lambda logits: logits.log_softmax(dim=-1)
        ),
        "this is the likeliest token alone: give each token its share, to draw by": _shared(
            soften=lambda logits: (logits == logits.amax(dim=-1, keepdim=True)).float()
        ),
        "the temperature has no effect: divide the logits by it": _shared(divide=lambda logits, temperature: logits),
        "the temperature multiplies the logits: divide by it": _shared(divide=torch.mul),
        "the temperature divides the shares, which do not sum to 1 then: divide the logits": _after(
            lambda shares, temperature, top_k: shares / temperature
        ),
        "the temperature divides the shares, and a softmax comes once more: divide the logits": _after(
            lambda shares, temperature, top_k: (shares / temperature).softmax(dim=-1)
        ),
        "exp makes inf of large logits, and inf / inf is nan: softmax of notebook 05 subtracts each row's largest": (
            _shared(soften=lambda logits: logits.exp() / logits.exp().sum(dim=-1, keepdim=True))
        ),
    }
)
def check_next_shares(next_shares):
    """each row sums to 1, the temperature acts on the logits, and only the top_k of each row have a share."""
    for temperature, top_k in ((1.0, None), (0.5, None), (2.0, None), (0.04, None), (1.0, 3), (2.0, 1), (0.7, 6)):
        doing = f"next_shares(logits, {temperature}, {top_k})"
        given = 4 * torch.randn(6, 6), temperature, top_k
        expect_like(next_shares, shares_of_next, given, doing, check_next_shares.mistakes)
