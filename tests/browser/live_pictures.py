"""One example of each live picture, which is held to what all of them must keep, and how a test reads a twin."""

from xml.etree import ElementTree

import pytest

from companion.pictures.live.base import FOLDER

PREPARED = """import torch
from companion.{home} import {function}

torch.manual_seed(0)
tokens = ["Life", "is", "short", "eat", "dessert", "first", *map(str, range(6, 99))][:{size}]
scores = 2 * torch.randn({size}, {size})
weights = torch.softmax(scores, dim=-1)
value = torch.randn({size}, 4)
times = torch.stack([weights[3:6], weights[:3]]), torch.stack([value[3:6, :2], value[:3, :2]])
told = ["N", "AY", "T", "end"], weights[:4, :5] / weights[:4, :5].sum(dim=1, keepdim=True)
"""
HOMES = {name: f"worlds.stories.{name}" for name in ("trace", "becoming")}
OF_THE_MINUTE = "two_sentences", "one_query", "learning", "stages", "gathering", "heads_out"
HOMES |= {name: f"worlds.which_minute.{name}" for name in OF_THE_MINUTE}
HOMES |= {path.stem[12:]: f"pictures.live.{path.stem}" for path in FOLDER.glob("notebook_??_*.py")}
EXAMPLES = {  # by the name of their element
    "turn-query": "turn_query([2, 1], [[1.2, 0.3], [0.5, 2.5], [-1, 1]], tokens[:3])",
    "softmax-machine": "softmax_machine(scores[0], tokens, temperature=2)",
    "linked-heads": "linked_heads(weights[None], tokens)",
    "all-heads": "all_heads(tokens, weights.expand(2, 3, -1, -1), 1, 2, 3)",
    "two-heads": "two_heads(tokens, weights, weights.flip(1), tokens[::-1])",
    "typed": "typed(['eat dessert first', 'eat'], ['eat', 'first'])",
    "mixture": "mixture(weights[0], value[:, :2], tokens)",
    "parting": "parting(weights[:2], value[None, :, :2].expand(2, -1, -1), [tokens, tokens], 1)",
    "letter-bars": "from companion.worlds.words import trained_speller\nletter_bars(trained_speller(), 'wh', 0.5)",
    "kept": "kept(tokens, 4, 8, num_kv_heads=2, d_latent=6, window=3)",
    "online-softmax": "online_softmax(scores[0], value[:, 0].abs())",
    "clocks": "clocks(value[0], value[1])",
    "ten-tests": "def of(by):\n    return lambda inputs, lengths: by * inputs\n"
    "batch = torch.ones(3, 4, 2), torch.tensor([4, 3, 2])\n"
    "ten_tests({each: (of(1), of(by)) for by, each in enumerate(tokens)}, *batch)",
    "gathering": "gathering('seed', 'wait')",
    "learning": "learning([0, 20], [1.1, 0.2], *times, [tokens] * 3, [0, 1, 2])",
    "teacher-forcing": "teacher_forcing({'nite': (told[0][:3], told, told)}, {'N': 'knee'})",
    "two-sentences": "two_sentences()",
    "heads-out": "heads_out()",
    "one-query": "one_query()",
    "stages": "stages(['she', 'noticed', 'one', 'minute'])",
    "trace": "from companion.worlds.stories.writer import Writer\ntrace('One day Ida', Writer())",
    "becoming": "becoming([0, 100], [4.9, 0.2], [f'*{tokens[1]}* the map .', tokens[2]], ['sentences', ''], [0, 7])",
}
WITH_TOKENS = [name for name, call in EXAMPLES.items() if "tokens" in call]
# Handles, a map, a field, sliders, menus, steps.
SAMPLE = ["turn-query", "linked-heads", "typed", "mixture", "two-sentences", "trace"]


def sampled(names):
    """Return the names as cases of a test, of which those in SAMPLE always run."""
    return [pytest.param(name, marks=[pytest.mark.only_with_all] * (name not in SAMPLE)) for name in names]


def example(name, size=6):
    """Return the source of a picture, with as many tokens where the number is not its own."""
    function = EXAMPLES[name].splitlines()[-1].partition("(")[0]
    return PREPARED.format(home=HOMES[function], function=function, size=size) + EXAMPLES[name]


def made(name, tokens=()):
    """Return the picture of an example, with these tokens if there are any."""
    *prepared, call = example(name, size=len(tokens) or 6).splitlines()
    names = {}
    exec("\n".join(prepared), names)
    return eval(call, names | ({"tokens": tokens} if tokens else {}))


def twin_rows(picture):
    """Return the texts of the tables in a picture's twin, row by row. The parser also refuses broken markup."""
    tables = ElementTree.fromstring(f"<div>{picture.table}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in tables.iter("tr")]
