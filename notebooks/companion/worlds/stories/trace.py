"""One token on its way through the model, live: what it reads, its vector, what comes next. Used in notebook 18."""

import copy

import torch

from companion.pictures.live.base import Live
from companion.pictures.live.readings import LEAST, LETTERS, letters_of, weights_of
from companion.pictures.palette import SCORE_STOPS
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import largest_first, two_decimals
from companion.worlds.stories.becoming import HOME
from companion.worlds.stories.writer import VOCABULARY


@torch.no_grad()
def trace(text, model, head=0, asks=-1):
    """Show one token on its way through a `Writer`: its id, its vector, what each part adds to it, the next token.

    Which token it is can be chosen, and the head of which one sees what it reads, counted through both blocks. What
    the vector would say next at each stage is read as at the end: by the last norm and the table.
    """
    model, tokens = copy.deepcopy(model).double(), ["<end>", *text.split()]  # its percents are the same everywhere
    ids = VOCABULARY.encode(tokens)
    stream = model.embedding(torch.tensor([ids]))
    stages, streams, maps = ["id → vector"], [stream], []
    for number, block in enumerate(model.blocks):
        change, weights = block.attention(block.norm1(stream), causal=True, need_weights=True)
        for name, part in (("attention", change), ("feed-forward", None)):
            stream = stream + (block.feed_forward(block.norm2(stream)) if part is None else part)
            stages.append(f"+ {name}, block {number}")
            streams.append(stream)
        maps += weights[0]
    vectors = torch.stack(streams, dim=2)[0]  # (tokens, stages, features)
    shares = torch.softmax(model.norm(vectors) @ model.embedding.weight.T, dim=-1)
    asks, size = range(len(tokens))[asks], vectors.abs().amax(dim=-1, keepdim=True)
    data = {"tokens": tokens, "ids": ids, "stages": stages, "heads": len(maps) // len(model.blocks), "head": head}
    data |= {"asks": asks, "letters": LETTERS, "weights": [*map(past, maps)], "minus": SCORE_STOPS[0]}
    data |= {"vectors": letters_of(0.5 + vectors / size / 2)}
    data["says"] = [  # the likeliest word at each stage, with the share of the one that is likeliest in the end
        [[_likeliest(of_stage, 1)[0][0], round(of_stage[of_token[-1].argmax()].item(), 2)] for of_stage in of_token]
        for of_token in shares
    ]
    data["next"] = [_likeliest(of_token[-1], 4) for of_token in shares]
    return on_its_way(data, "One token in the stored model, from its id to the next token")


def past(weights):
    """Return weights (tokens, tokens) as letters, without those of later tokens, which are 0."""
    return letters_of(weights[*torch.tril_indices(*weights.shape)])


def on_its_way(data, title):
    """Show what trace.js draws; without "stages" only what each token reads, and what comes next.

    "read" is the token whose readers the map colors: the one that the open head reads most, unless it is given.
    """
    tokens, asks = data["tokens"], data["asks"]
    data = {"read": largest_first(_row(data))[0]} | data
    following = data["next"][asks]
    stages = zip(data["stages"], data["says"][asks]) if data["stages"] else ()
    rows = [["stage", "would say next"]]
    rows += [
        [stage, f"{label(name)}, “{label(following[0][0])}” {two_decimals(share)}"] for stage, (name, share) in stages
    ]
    rows += [["next", f"{label(name)} {two_decimals(share)}"] for name, share in following]
    rows = [role_row(row, ["input"] * 2, "td" if place else "th", "left") for place, row in enumerate(rows)]
    table = plain_table(*rows, caption=f"{label(tokens[asks])}, id {data['ids'][asks]}")
    reads = [(label(token), two_decimals(weight)) for token, weight in zip(tokens, _row(data)) if weight >= LEAST]
    table += plain_table(*(role_row(row, ["key", "weight"]) for row in reads), caption=f"reads, in {_name(data)}")
    return Live(HOME / "trace", data, table, lambda quote: _says(data, quote), title, ("words", "readings"))


def _likeliest(shares, count):
    best = shares.topk(count)
    return [[VOCABULARY.tokens[i], round(share, 2)] for share, i in zip(best.values.tolist(), best.indices.tolist())]


def _row(data):
    asks = data["asks"]
    read = weights_of(data["weights"][data["head"]][asks * (asks + 1) // 2 :][: asks + 1])
    return read + [0.0] * (len(data["tokens"]) - len(read))


def _name(data):
    return f"head {data['head'] % data['heads']} of block {data['head'] // data['heads']}"


def _says(data, quote):
    tokens, asks, row = data["tokens"], data["asks"], _row(data)
    best, (name, share) = largest_first(row)[0], data["next"][asks][0]
    reads = f"In {_name(data)} it reads most from “{quote(tokens[best])}” ({two_decimals(row[best])})."
    says = f"The model says “{quote(name)}” next ({two_decimals(share)})."
    return f"“{quote(tokens[asks])}” has the id {data['ids'][asks]}. {reads} {says}"
