"""What a language model is asked in notebook 19: rows and texts for its loss, examples in a prompt, and minutes."""

import copy
import random
from contextlib import contextmanager
from itertools import islice

import torch
from torch.nn import functional as F

from companion.course_answers import looks_one_past
from companion.pictures.live.readings import LETTERS
from companion.worlds.pretrained.smollm import BASE
from companion.worlds.stories.trace import on_its_way, past
from companion.worlds.which_minute.sentences import CLUES

PLAIN = (
    "The train leaves in one minute, so she ran across the bridge and down the stairs to the station.",
    "When the rain stopped, the children went outside and built a small boat out of paper and wood.",
    "Bread is made of flour, water, salt and yeast, which are mixed, left to rise, and then baked in an oven.",
)
AGAIN = (  # with names and numbers that come twice
    "Marta Kowalski lives at 4817 Orchard Lane. She reads the paper. A parcel came for Marta Kowalski at 4817 Orchard.",
    "Inspector Lindqvist met Professor Adebayo in room 3962. Later, Inspector Lindqvist left room 3962.",
)
CAPITALS = "Italy Rome Japan Tokyo Spain Madrid Germany Berlin Egypt Cairo Russia Moscow England London Greece Athens"
CAPITALS += " China Beijing Ireland Dublin Austria Vienna Cuba Havana"
PLURALS = "dog dogs cat cats tree trees house houses bird birds car cars book books star stars apple apples boat boats"
PLURALS += " hand hands king kings"
TASKS = {
    name: dict(zip(words[::2], words[1::2]))
    for name, words in {"capitals": CAPITALS.split(), "plurals": PLURALS.split()}.items()
}
QUESTIONS = 8  # of the twelve in each task, from which the examples are drawn
MISTAKES = {  # {its name: the two parts that are exchanged in each block}
    "gate and widen": ("feed_forward.gate", "feed_forward.widen"),
    "key and value": ("attention.W_key", "attention.W_value"),
    "base 10,000": (),
    "no mistake": (),
}
KINDS = ("none", "three right", "each other's", "from outside", "other words")


def random_rows(num_rows, num_tokens):
    """Draw pairs of rows of random tokens, (num_rows, 2, 16), the same on any machine.

    num_tokens: how many tokens there are; with random numbers that stand in for the weights, they are few.
    """
    rows = torch.randint(1000, 20_000, (num_rows, 2, 16), generator=torch.Generator().manual_seed(0))
    return rows % num_tokens


@contextmanager
def logits_only_at(model, pick):
    """Let a model give the logits of those positions alone that `pick` takes from the last norm's (batch, tokens, ...).

    The table has 49,152 rows, so the logits of a position need 200 KB and as much time as eight blocks.
    """
    with model.norm.register_forward_hook(lambda norm, inputs, stream: pick(stream)):
        yield


@contextmanager
def mistaken(model, mistake):
    """Let a model have one of the `MISTAKES` for a while."""
    _make(model, mistake, 10_000)
    try:
        yield
    finally:
        _make(model, mistake, BASE)


def _make(model, mistake, base):
    for block in model.blocks:
        if mistake == "base 10,000":
            block.attention.base = base
        if MISTAKES[mistake]:  # made twice, it is mended
            one, other = map(block.get_submodule, MISTAKES[mistake])
            one.weight, other.weight = other.weight, one.weight


def on_rows(model, repeated=True):
    """Return the losses on three rows of random tokens, a list; each is read after itself, or after another row."""
    row, other = random_rows(3, model.embedding.num_embeddings).unbind(dim=1)
    return mean_losses(model, torch.cat([row if repeated else other, row], dim=1).tolist(), row.shape[1])


def on_plain(model, encode):
    """Return the mean loss on plain sentences."""
    return sum(mean_losses(model, [encode(sentence) for sentence in PLAIN])) / len(PLAIN)


def second_time(model, watched):
    """Return the mean loss on rows when they come the second time, and how much the watched heads look one past there.

    watched: a list of (layer, head).
    """
    lost = on_rows(model)
    maps = torch.stack([model.blocks[layer].attention.weights[:, head] for layer, head in watched])
    return sum(lost) / len(lost), looks_one_past(maps, maps.shape[-1] // 2).mean().item()


def again_and_rest(model, encode):
    """Return the loss on what comes again in a text, and that on its rest, each as the mean of two texts.

    A token comes again if it and the one before it were neighbors before.
    """
    texts, means = [encode(text) for text in AGAIN], []
    for ids, lost in zip(texts, _each_loss(model, texts)):
        pairs = list(zip(ids, ids[1:]))
        again = torch.tensor([pair in pairs[:number] for number, pair in enumerate(pairs)])
        means.append([lost[again].mean(), lost[~again].mean()])
    return torch.tensor(means).mean(dim=0).tolist()


def draw_other_heads(heads, strong, seed):
    """Draw as many heads as are given, (layer, head), from the same layers, and none of the strong ones."""
    weak = {(layer, head) for layer, _ in heads for head in range(9)} - {*strong}
    return random.Random(seed).sample(sorted(weak), len(heads))


def mean_losses(model, rows, start=0):
    """Return the mean loss of each row of ids on what comes after each token from `start` on."""
    return [losses.mean().item() for losses in _each_loss(model, rows, start)]


def _each_loss(model, rows, start=0):
    with logits_only_at(model, lambda stream: stream[:, start:-1]):
        logits = model(filled_up(rows))
    aims = [torch.tensor(row[start + 1 :]) for row in rows]
    return [F.cross_entropy(row_logits[: len(aim)], aim, reduction="none") for row_logits, aim in zip(logits, aims)]


def filled_up(rows):
    """Return rows of ids as one tensor, filled up at their end, which no token before it can read."""
    longest = max(map(len, rows))
    return torch.tensor([row + [0] * (longest - len(row)) for row in rows])


def prompts(task, kind):
    """Yield a prompt and the right answer for each question of a task, with three examples drawn for it, or none."""
    for number, (question, answer) in enumerate(islice(TASKS[task].items(), QUESTIONS)):
        drawn = random.Random(number).sample([word for word in TASKS[task] if word != question], 6)
        examples, answers = drawn[:3], [TASKS[task][word] for word in drawn]
        answers = {
            "each other's": [*answers[1:3], answers[0]],
            "from outside": answers[3:],  # right for words that the prompt does not have
            "other words": ["table", "green", "seven"],
        }.get(kind, answers)
        lines = [f"{one}: {other}\n" for one, other in zip(examples, answers)] if kind != "none" else []
        yield "".join(lines) + f"{question}:", f" {answer}"


def logits_after(model, encode, texts, size=4):
    """Return the logits of what comes after each text, (texts, vocabulary), by reading `size` of them at once."""
    logits = []
    for start in range(0, len(texts), size):
        rows = [encode(text) for text in texts[start : start + size]]
        last = torch.arange(len(rows)), torch.tensor([len(row) - 1 for row in rows])
        with logits_only_at(model, lambda stream, last=last: stream[last][:, None]):
            logits.append(model(filled_up(rows))[:, 0])
    return torch.cat(logits)


def count_right(model, encode, task, kind):
    """Return how many of a task's questions are answered rightly after the examples in their prompts."""
    texts, answers = zip(*prompts(task, kind))
    likeliest = logits_after(model, encode, texts).argmax(dim=-1).tolist()
    return sum(one == encode(other)[0] for one, other in zip(likeliest, answers))


def leans_to_small(model, encode, word):
    """Return by how much “small” is ahead of “short” after each clue and a word: of times, of tiny, (2, 8)."""
    texts = [f"The {clue} was {word}, which means that it was very" for kind in CLUES[:2] for clue in kind]
    logits = logits_after(model, encode, texts)
    return (logits[:, encode(" small")[0]] - logits[:, encode(" short")[0]]).view(2, -1)


@torch.no_grad()
def next_token(model, pairs, text, place):
    """Show live what a text's tokens read in each head, and the likeliest next tokens, in double precision.

    place: of a token; the head that is open is the one in which the last token looks most at it.
    """
    ids, maps = pairs.encode(text), []
    stream = model.embedding(torch.tensor([ids])).double()
    for block in model.blocks:  # one after the other: all of them in double precision would need a gigabyte
        stream, weights = copy.deepcopy(block).double()(stream, causal=True, need_weights=True)
        maps += weights[0]
    stream = copy.deepcopy(model.norm).double()(stream[0])
    logits = torch.cat([stream @ rows.double().T for rows in model.embedding.weight.split(4096)], dim=-1)
    best = logits.softmax(dim=-1).topk(5)
    data = {"tokens": [_plain(pairs, token) for token in ids], "ids": ids, "heads": len(maps) // len(model.blocks)}
    data |= {"head": torch.stack(maps)[:, -1, place].argmax().item(), "asks": len(ids) - 1}
    data |= {"letters": LETTERS, "weights": [*map(past, maps)], "stages": [], "says": [[]] * len(ids), "vectors": ""}
    data["next"] = [
        [[_plain(pairs, token), round(share, 2)] for token, share in zip(*row)]
        for row in zip(best.indices.tolist(), best.values.tolist())
    ]
    return on_its_way(data, "It reads, and says what comes next")


def _plain(pairs, token):
    return pairs.decode([token]).strip(" ").replace("\n", "\\n") or pairs.vocabulary[token]
