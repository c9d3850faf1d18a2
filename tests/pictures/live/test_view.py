import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import torch
from live_pictures import rows

from companion.pictures.live.view import view
from companion.pictures.words import describe_largest, describe_query, shown

SHAPES = (4, 4), (4, 6), (3, 4, 4)
TOKENS = ["Life", "is", "short", "eat"]
SQUARE, WIDE, HEADS = (3 * torch.randn(shape, generator=torch.Generator().manual_seed(5)) for shape in SHAPES)
HIDDEN = SQUARE.masked_fill(torch.tensor([[0, 1, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0]]).bool(), -math.inf)
WHOLE, LEARNED = torch.tensor([[1.0, 2], [4, -3]]), torch.zeros(2, 2, requires_grad=True)
PICTURES = {
    "scores": (SQUARE, {}),
    "the first of the heads": (HEADS, {}),
    "more keys than queries": (WIDE, {"keys": list("abcdef")}),
    "raw dot products": (SQUARE, {"head_dim": 16}),
    "causal mask on": (SQUARE, {"causal": True, "follow": 2}),
    "causal mask off": (SQUARE, {"causal": False, "follow": 3}),
    "hidden keys and a hidden query": (HIDDEN, {"follow": 1}),
    "everything": (torch.stack([HIDDEN, SQUARE]), {"causal": True, "head_dim": 5, "follow": 2, "title": "All"}),
}


def steps_of(scores, head_dim=None, causal=None, **_options):
    """The first head's scores, scaled scores, masked scores and weights, by PyTorch alone."""
    first = scores.double().reshape(-1, *scores.shape[-2:])[0]
    scaled = first / math.sqrt(head_dim or 1)
    masked = scaled.masked_fill(torch.ones_like(scaled).triu(1).bool(), -math.inf) if causal else scaled
    return first, scaled, masked, torch.softmax(masked, dim=-1).nan_to_num(0)  # over nothing it is 0/0


@pytest.mark.parametrize("scores, options", PICTURES.values(), ids=PICTURES)
def test_tables_sentence_and_data_are_torchs_softmax_of_the_scores(scores, options):
    picture = view(scores, TOKENS, **options)
    keys, head_dim = options.get("keys", TOKENS), options.get("head_dim")
    follow = options.get("follow", 0 if head_dim else None)  # steps need a query to follow: the first, if none is named
    *steps, masked, weights = steps_of(scores, **options)
    seen = masked.isfinite().tolist()
    numbers = [[shown(w) if may else "–" for w, may in zip(*pair)] for pair in zip(weights.tolist(), seen)]
    head, *body = rows(picture)
    assert head == ["query ↓ key →", *keys, "Σ"]
    sums = [shown(sum(row)) for row in weights.tolist()]
    assert body[:4] == [[token, *row, total] for token, row, total in zip(TOKENS, numbers, sums)]
    if head_dim:
        names = ["score: q·k", f"scaled: ÷ √{head_dim}", "masked"]
        written = [[name, *map(shown, step[follow].tolist())] for name, step in zip(names, [*steps, masked])]
        assert body[4:] == [["key →", *keys], *written, ["weight", *numbers[follow]]]
        caption = ElementTree.fromstring(f"<div>{picture.twin}</div>").findall("table")[1].find("caption")
        assert "".join(caption.itertext()) == f"The steps of “{TOKENS[follow]}”"
    said = describe_largest(weights.tolist(), TOKENS, keys, "weight")
    if follow is not None:
        said = describe_query(TOKENS[follow], weights[follow].tolist(), keys, seen[follow])
    assert picture.text == ("Head 0: " if scores.ndim == 3 else "") + said
    assert picture.title == options.get("title", "Attention weights")
    asked = {"head_dim": head_dim, "causal": options.get("causal"), "queries": TOKENS, "keys": keys, "follow": follow}
    assert {name: picture.data[name] for name in asked} == asked
    stored = torch.tensor([[[-math.inf if x is None else x for x in row] for row in h] for h in picture.data["scores"]])
    torch.testing.assert_close(stored, scores.reshape(-1, *scores.shape[-2:]), rtol=5e-6, atol=5e-7)


@pytest.mark.parametrize(
    "same",
    [
        [[1, 2], [4, -3]],
        WHOLE.numpy(),
        WHOLE.long(),
        WHOLE.bfloat16(),
        WHOLE + LEARNED,
        WHOLE[None],
        WHOLE * (1 + 1e-9),
    ],
    ids=["lists", "array", "integers", "half precision", "with gradient", "one head", "other last bits"],
)
def test_equal_scores_of_any_type_make_equal_pictures(same):
    assert view(same, TOKENS[:2])._repr_mimebundle_() == view(WHOLE, TOKENS[:2])._repr_mimebundle_()


@pytest.mark.parametrize(
    "scores, options, message",
    [
        (torch.softmax(SQUARE, -1), {}, "look like weights.* takes scores, before softmax .*give their logarithm"),
        (torch.eye(4).long(), {}, "look like weights"),
        (torch.tensor([[0, 0], [0.5, 0.5]]), {"queries": TOKENS[:2]}, "look like weights"),
        (torch.empty(0, 4, 4), {}, "0 heads cannot be chosen from; give 1 to 16"),
        (torch.zeros(17, 4, 4), {}, "17 heads cannot be chosen from; give 1 to 16"),
        (-HIDDEN, {}, "a score is .inf, .*only -inf, for a hidden key, is allowed"),
        (SQUARE[:3], {}, r"the scores have shape \(3, 4\), but 4 query labels and 4 key labels need \(4, 4\)"),
        (HEADS[None], {}, r"the scores have shape \(1, 3, 4, 4\)"),
        (WIDE, {"keys": [*"abcdef"], "causal": False}, "as many queries as keys, but there are 4 and 6"),
        (SQUARE, {"follow": 4}, "follow is 4, but the queries have the numbers 0 to 3"),
        (SQUARE, {"follow": 1.0}, "follow is 1.0"),
        (SQUARE, {"follow": True}, "follow is True"),
        (SQUARE, {"head_dim": 0}, "head_dim is 0; it is the number of features of a query, 1 or more"),
        (torch.zeros(2, 64, 65), {"queries": range(64), "keys": range(65)}, "64 × 65 cells are too many .* 64 × 64"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_what_to_do(scores, options, message):
    with pytest.raises(ValueError, match=message):
        view(scores, **{"queries": TOKENS} | options)


@pytest.mark.parametrize("causal", [1, "yes", torch.tensor(1)], ids=str)
def test_a_causal_that_is_not_true_or_false_is_refused(causal):
    with pytest.raises(TypeError, match="causal is .*; give True or False to offer the causal mask, or leave it out"):
        view(SQUARE, TOKENS, causal=causal)


NEGATIVE = torch.tensor([[2.0, -1.0, 0.0, 0.0]] * 4)  # each row sums to 1


@pytest.mark.parametrize("scores", [torch.softmax(SQUARE, -1).log(), torch.eye(4) * 2, torch.zeros(4, 4), NEGATIVE])
def test_scores_that_are_close_to_weights_are_shown(scores):
    assert view(scores, TOKENS).data["scores"]


def test_options_computed_by_torch_or_numpy_are_taken_like_plain_numbers():
    computed = {"follow": SQUARE.sum(1).argmax(), "head_dim": np.int64(4), "causal": torch.tensor(True)}
    plain = {"follow": int(computed["follow"]), "head_dim": 4, "causal": True}
    assert view(SQUARE, TOKENS, **computed)._repr_mimebundle_() == view(SQUARE, TOKENS, **plain)._repr_mimebundle_()


def test_a_token_of_blanks_can_be_seen():
    picture = view(SQUARE, ["", " ", "\n", 7])
    assert picture.data["queries"] == ["␣", "␣", "␣", "7"] == [row[0] for row in rows(picture)[1:]]
