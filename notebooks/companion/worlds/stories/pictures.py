"""How the writer learns, what one of its heads reads, and how a token goes through it. Used in notebook 18."""

import copy

import torch
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from companion.pictures.live.base import Live
from companion.pictures.live.readings import HIGH, LETTERS, draw_reading, draw_tokens, frame, letters, weights_of
from companion.pictures.live.still import Drawn, box, draw_text, sheet
from companion.pictures.palette import EDGE, INK, MUTED, ROLES, SCORE_STOPS, TRACK, tint
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import describe_rows, labelled, largest_first, shown
from companion.worlds.stories.becoming import HOME
from companion.worlds.stories.writer import VOCABULARY
from companion.worlds.which_minute import head
from companion.worlds.which_minute.sentences import encode

PART = 100  # steps that make one point: the losses of single batches jump
OFF = 0.015


@styled
def learning(losses, guesses, caption=None):
    """Draw how a loss falls from the first step, as means of `PART`, and the level of each guess: {name: loss}."""
    parts = [losses[0], *torch.tensor(losses).unflatten(0, (-1, PART)).mean(dim=1).tolist()]
    # A training differs a little between machines. So much off, no mean of the stored one is near where rounding turns.
    parts = [round(loss - OFF, 1) + OFF for loss in parts]
    middles = [1, *range(PART // 2, len(losses), PART)]
    figure, axes = canvas(6.6, 3.3)
    axes.plot(middles, parts, color=INK, linewidth=2.2)
    style = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    between = sum(sorted(guesses.values())[-2:]) / 2  # no dotted line is there
    axes.annotate("your model", (middles[1], between), (12, 0), fontweight="bold", **style)
    for name, loss in guesses.items():
        axes.axhline(loss, color=MUTED, linewidth=1.2, linestyle=":", zorder=0)
        axes.annotate(f"by {name}, {loss:.2f}", (len(losses), loss), (6, 0), color=MUTED, **style)
    axes.annotate("loss", (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", color=MUTED)
    axes.set(xlim=(0, len(losses)), ylim=(0, None))
    axes.set_xlabel("step of the training", color=MUTED)
    axes.tick_params(colors=MUTED, length=0)
    axes.spines["left"].set_visible(False)
    levels = ", ".join(f"by {name} {loss:.2f}" for name, loss in guesses.items())
    return Picture(figure, f"Loss of your model: from {parts[0]:.1f} to {parts[-1]:.1f}. Guesses: {levels}.", caption)


@styled
def circle(text, maps, word):
    """Draw what "minute" reads in notebook 00, and beside it what the last token of a text reads in a head of block 0.

    maps: weights of each block, (1, heads, query, key), of "<end>" and the text; it is the head that reads most from
    `word`, a token of the text.
    """
    tokens, words = ["<end>", *text.split()], ["she", "noticed", "one", "minute", "pause", "today"]
    rows = maps[0][0, :, -1].detach()
    number = rows[:, tokens.index(word)].argmax().item()
    figure, facts = panels(7.4, 3.3, 2), []
    minute = head.trained()(*encode([words]))[1]
    caption = f"Of the four heads in block 0, head {number} reads most from “{word}”: it is on the right."
    for axes, query, row, keys in zip(figure.axes, ("minute", tokens[-1]), (minute[0], rows[number]), (words, tokens)):
        axes.set_title("the head of notebook 00" if keys is words else "a head of your model")
        shares = labelled("weights", row[None], [query], keys)[0].tolist()
        facts.append(describe_rows(shares, [query], keys, [[True] * len(keys)], "weight"))
        axes.text(-0.04, 0.5, query, ha="right", va="center", color=ROLES["query"].ink, fontsize=11, fontweight="bold")
        for i, (key, weight) in enumerate(zip(keys, shares[0])):
            y = 1 - (i + 0.5) / len(keys)
            band = Path([(0, 0.5), (0.5, 0.5), (0.5, y), (1, y)], [Path.MOVETO] + 3 * [Path.CURVE4])
            style = {"facecolor": "none", "edgecolor": ROLES["weight"].fill, "linewidth": 0.4 + 12 * weight}
            named = weight == max(shares[0]) or key == word  # all others are pale
            axes.add_patch(PathPatch(band, alpha=0.9 if named else 0.25, capstyle="butt", **style))
            strong = "bold" if named else "normal"
            name = axes.text(1.04, y, key, va="center", color=ROLES["key"].ink, fontsize=11, fontweight=strong)
            if named:
                style = {"textcoords": "offset points", "va": "center", "color": ROLES["weight"].ink}
                axes.annotate(shown(weight), (1, 0.5), (7, 0), xycoords=name, fontweight="bold", **style)
        axes.set(xlim=(-0.32, 1.6), ylim=(-0.02, 1.02))
        axes.axis("off")
    return Picture(figure, " ".join(facts), caption)


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
    """Draw what the token reads in one head, and beside it its vector at each stage, with what it would say next."""
    tokens, asks, stages = data["tokens"], data["asks"], data["stages"]
    left, x, step = 66, 440 if stages else 350, 34
    down = 0 if stages else 60 + 24 * data["heads"]  # under the map of all heads
    figure, axes = sheet(x + 366 - 40 * (not stages), HIGH * (len(tokens) + 2) + down)
    if not stages:
        _draw_map(axes, data)
    draw_text(axes, 2, 12 + down, _name(data), side="left", fontweight="bold")
    draw_tokens(axes, left, HIGH + down, tokens, "token", asks)
    draw_reading(axes, left, HIGH + down, tokens, "is read", asks, _row(data), None if stages else data["read"])
    if stages:
        levels = torch.tensor(weights_of(data["vectors"])).view(len(tokens), len(stages), -1)[asks].tolist()
        draw_text(axes, x - 154, 12, f"{tokens[asks]} has id {data['ids'][asks]}", side="left", fontweight="bold")
        draw_text(axes, x, 12, f"its {len(levels[0])} numbers", MUTED, 12, "left")
        draw_text(axes, x + 214, 12, "says", MUTED, 12, "left")
        draw_text(axes, x + 266, 12, f"share of “{data['next'][asks][0][0]}”", MUTED, 12, "left")
        for number, (stage, row, likeliest) in enumerate(zip(stages, levels, data["says"][asks])):
            end, before = data["next"][asks][0][0], ([[""]] + data["says"][asks])[number][0]
            turns = before != likeliest[0] == end
            _draw_stage(axes, x, 40 + step * number, stage, row, likeliest, data["minus"], turns)
    top = 46 + step * len(stages) if stages else HIGH * len(tokens) / 2 - 30 + down
    words = "next token" if stages else "The whole model says next"
    draw_text(axes, x - 154 * bool(stages), top - 22 * (not stages), words, side="left", fontweight="bold")
    for i, likeliest in enumerate(data["next"][asks]):
        size = (52, 56) if stages else (84, 190)
        _bar(axes, x + 214 * bool(stages), top + 22 * i, *likeliest, size, first=i == 0)
    if not stages:
        axes.plot([x - 20] * 2, [top - 40, top + 120], color=EDGE, linewidth=1.5)
    words = "Bands from one token to those that it reads"
    words += ", its vector as a striped row after each part of the model" * bool(stages)
    return Picture(figure, f"{words}, and bars for the next token. {_says(data, str)}")


def _draw_map(axes, data):
    """Draw a cell for each head, the bluer, the more it looks at the token whose readers are asked for."""
    tokens, asks, heads = data["tokens"], data["asks"], data["heads"]
    read = data["read"]
    shares = [weights_of(text[asks * (asks + 1) // 2 + read])[0] for text in data["weights"]]
    says = f"The bluer a head, the more “{tokens[asks]}” looks at “{tokens[read]}”"
    draw_text(axes, 2, 10, says, MUTED, 12, "left")
    for place, share in enumerate(shares):
        block, head = divmod(place, heads)
        if block == 0:
            draw_text(axes, 2, 52 + 24 * head, f"head {head}", MUTED, 12, "left")
        if head == 0 and block % 5 == 0:
            draw_text(axes, 50 + 20.5 * block, 30, block or "block 0", MUTED, 12, "left")
        box(axes, 50 + 20.5 * block, 41 + 24 * head, 19, 23, tint(ROLES["weight"].fill, max(share, 0.06)))
    block, head = divmod(data["head"], heads)
    frame(axes, 49 + 20.5 * block, 40 + 24 * head, 21, 25)


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
