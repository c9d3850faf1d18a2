"""One token on its way through the model, live: what it reads, its vector, what comes next. Used in notebook 18."""

import copy

import torch

from companion.pictures.live.base import Live
from companion.pictures.live.readings import HIGH, LETTERS, draw_reading, draw_tokens, frame, letters, weights_of
from companion.pictures.live.still import Drawn, box, draw_text, sheet
from companion.pictures.palette import EDGE, INK, MUTED, ROLES, SCORE_STOPS, TRACK, tint
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import largest_first, shown
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
    data |= {"vectors": letters(0.5 + vectors / size / 2)}
    data["says"] = [  # the likeliest word at each stage, with the share of the one that is likeliest in the end
        [[_likeliest(of_stage, 1)[0][0], round(of_stage[of_token[-1].argmax()].item(), 2)] for of_stage in of_token]
        for of_token in shares
    ]
    data["next"] = [_likeliest(of_token[-1], 4) for of_token in shares]
    return on_its_way(data, "One token in the stored model, from its id to the next token")


def past(weights):
    """Return weights (tokens, tokens) as letters, without those of later tokens, which are 0."""
    return letters(weights[*torch.tril_indices(*weights.shape)])


def on_its_way(data, title):
    """Show what trace.js draws; without "stages" only what each token reads, and what comes next.

    "read" is the token whose readers the map colors: the one that the open head reads most, unless it is given.
    """
    tokens, asks = data["tokens"], data["asks"]
    data = {"read": largest_first(_row(data))[0]} | data
    listed = zip(data["stages"], data["says"][asks]) if data["stages"] else zip(["next"] * 9, data["next"][asks])
    end = f", “{label(data['next'][asks][0][0])}”" if data["stages"] else ""
    rows = [[stage, f"{label(name)}{end} {shown(share)}"] for stage, (name, share) in listed]
    rows = [["stage", "would say next"], *rows]
    rows = [role_row(row, ["input"] * 2, "td" if place else "th", "left") for place, row in enumerate(rows)]
    twin = Drawn(_draw, data, plain_table(*rows, caption=f"{label(tokens[asks])}, id {data['ids'][asks]}"))
    return Live(HOME / "trace", data, twin, lambda quote: _says(data, quote), title, ("words", "readings"))


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
    reads = f"In {_name(data)} it reads most from “{quote(tokens[best])}” ({shown(row[best])})."
    says = f"The model says “{quote(name)}” next ({shown(share)})."
    return f"“{quote(tokens[asks])}” has the id {data['ids'][asks]}. {reads} {says}"


def _draw(data):
    """Draw what the token reads in one head, and beside it what `_draw_stages` or `_draw_whole` draws."""
    tokens, asks, stages = data["tokens"], data["asks"], data["stages"]
    x, high = 440 if stages else 350, HIGH * (len(tokens) + 2)
    figure, axes = sheet(806 if stages else 676, high + (0 if stages else 46 + 24 * data["heads"]))
    draw_text(axes, 2, 12, _name(data), side="left", fontweight="bold")
    draw_tokens(axes, 66, HIGH, tokens, "token", asks)
    draw_reading(axes, 66, HIGH, tokens, "is read", asks, _row(data), None if stages else data["read"])
    if stages:
        _draw_stages(axes, x, data)
    else:
        _draw_whole(axes, x, HIGH * len(tokens) / 2 - 30, data)
        _draw_map(axes, high, data)
    words = "Bands from one token to those that it reads"
    words += ", its vector as a striped row after each part of the model" * bool(stages)
    return Picture(figure, f"{words}, and bars for the next token. {_says(data, str)}")


def _draw_stages(axes, x, data):
    """Draw the token's vector at each stage, with what it would say next, and below it what it says in the end."""
    tokens, asks, stages, following = data["tokens"], data["asks"], data["stages"], data["next"][data["asks"]]
    levels = torch.tensor(weights_of(data["vectors"])).view(len(tokens), len(stages), -1)[asks].tolist()
    draw_text(axes, x - 154, 12, f"{tokens[asks]} has id {data['ids'][asks]}", side="left", fontweight="bold")
    draw_text(axes, x, 12, f"its {len(levels[0])} numbers, purple below 0", MUTED, 12, "left")
    draw_text(axes, x + 214, 12, "says", MUTED, 12, "left")
    draw_text(axes, x + 266, 12, f"share of “{following[0][0]}”", MUTED, 12, "left")
    before = ""
    for number, (stage, row, likeliest) in enumerate(zip(stages, levels, data["says"][asks])):
        turns = before != likeliest[0] == following[0][0]
        _draw_stage(axes, x, 40 + 34 * number, stage, row, likeliest, data["minus"], turns)
        before = likeliest[0]
    top = 46 + 34 * len(stages)
    draw_text(axes, x - 154, top, "next token", side="left", fontweight="bold")
    for i, likeliest in enumerate(following):
        _bar(axes, x + 214, top + 22 * i, *likeliest, first=i == 0)


def _draw_whole(axes, x, top, data):
    """Draw what the whole model says next."""
    draw_text(axes, x, top - 22, "The whole model says next", side="left", fontweight="bold")
    for i, likeliest in enumerate(data["next"][data["asks"]]):
        _bar(axes, x, top + 22 * i, *likeliest, (84, 190), first=i == 0)
    axes.plot([x - 20] * 2, [top - 40, top + 120], color=EDGE, linewidth=1.5)


def _draw_map(axes, top, data):
    """Draw a cell for each head, the bluer, the more it looks at the token whose readers are asked for."""
    tokens, asks, heads = data["tokens"], data["asks"], data["heads"]
    read = data["read"]
    shares = [weights_of(text[asks * (asks + 1) // 2 + read])[0] for text in data["weights"]]
    says = f"The bluer a head, the more “{tokens[asks]}” looks at “{tokens[read]}”"
    draw_text(axes, 2, top + 10, says, MUTED, 12, "left")
    for place, share in enumerate(shares):
        block, head = divmod(place, heads)
        if block == 0:
            draw_text(axes, 2, top + 52 + 24 * head, f"head {head}", MUTED, 12, "left")
        if head == 0 and block % 5 == 0:
            draw_text(axes, 50 + 20.5 * block, top + 30, block or "block 0", MUTED, 12, "left")
        box(axes, 50 + 20.5 * block, top + 41 + 24 * head, 19, 23, tint(ROLES["weight"].fill, max(share, 0.06)))
    block, head = divmod(data["head"], heads)
    frame(axes, 49 + 20.5 * block, top + 40 + 24 * head, 21, 25)


def _draw_stage(axes, x, y, stage, row, likeliest, minus, turns):
    draw_text(axes, x - 154, y, stage, side="left")
    wide = 200 / len(row)
    for column, level in enumerate(row):
        color = ROLES["weight"].fill if level > 0.5 else minus
        box(axes, x + wide * column, y - 9, wide, 18, tint(color, abs(2 * level - 1)))
    box(axes, x, y - 9, 200, 18, "none", EDGE, linewidth=0.7)
    _bar(axes, x + 214, y, *likeliest, first=turns)


def _bar(axes, x, y, name, share, size=(52, 56), first=False):
    """Draw a name, and a bar so far from where it begins, on a track as long as if the share was 1."""
    heavy, (apart, full), role = "bold" if first else "normal", size, ROLES["context" if first else "input"]
    ink = role.ink if first else INK
    draw_text(axes, x, y, name, ink, side="left", fontweight=heavy)
    box(axes, x + apart, y - 6, full, 12, TRACK)
    box(axes, x + apart, y - 6, full * share, 12, role.fill)
    draw_text(axes, x + apart + 6 + full, y, shown(share), ink, side="left", fontweight=heavy)
