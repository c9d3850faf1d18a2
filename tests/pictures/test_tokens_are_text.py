"""In every picture of HTML, a token is text and never markup."""

import xml.etree.ElementTree as ElementTree

import pytest
import torch
from hostile import SHOWN

from companion.pictures.notebook_01_boxes import boxes
from companion.pictures.notebook_02_vectors import vectors
from companion.pictures.notebook_09_cuts import cuts
from companion.pictures.table import html_sheet, label, table

TOKENS = [*(token.replace(" ", "_") for token in SHOWN), "<bdi>"]
EYE = torch.eye(len(TOKENS))
FEATURES = torch.arange(2 * len(TOKENS)).view(-1, 2)
DRAWN = {
    "boxes": lambda tokens: boxes({tokens[0]: tokens}, title=tokens[1])._repr_mimebundle_()["text/html"],
    "cuts": lambda tokens: cuts(FEATURES, {tokens[0]: FEATURES[None]}, tokens)._repr_mimebundle_()["text/html"],
    "vectors": lambda tokens: vectors({tokens[0]: (tokens, EYE)})._repr_mimebundle_()["text/html"],
    "table": lambda tokens: table(EYE, tokens, tokens, [len(tokens)] * len(tokens), tokens[1]),
    "sheet": lambda tokens: html_sheet("".join(map(label, tokens)), tokens[0]),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("turn", range(2))  # what is a title, and what is a label
def test_a_token_is_text_and_never_markup(name, turn):
    tokens = TOKENS[turn:] + TOKENS[:turn]
    plain, hostile = (
        ElementTree.fromstring(f"<div>{DRAWN[name](each)}</div>".replace("&#160;", " "))
        for each in (["a", "b", "c", *map(str, range(len(tokens) - 3))], tokens)
    )
    assert {element.tag for element in hostile.iter()} == {element.tag for element in plain.iter()}
    texts = {element.text for element in hostile.iter("bdi")}
    assert texts <= set(tokens) and len(texts) >= min(2, len({element.text for element in plain.iter("bdi")}))
