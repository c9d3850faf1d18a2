"""The softmax machine as it is stored: its static twin shows torch's numbers, and what does not fit is refused."""

import html
import json
import re

import pytest
import torch

from companion.pictures.live.softmax_machine import softmax_machine

TOKENS = ["Life", "is", "short", "eat"]
ROW = torch.tensor([1.75, -1.5, 0.664, 2.2753])


def page(*arguments, **options):
    return softmax_machine(*arguments, **options)._repr_mimebundle_()["text/html"]


def numbers(scores):
    """Each key's score, exp(score − max) and share, and the sums, by torch alone, as they are shown."""
    scores = scores.double()
    exps = torch.exp(scores - scores.max())
    columns = torch.stack([scores, exps, torch.softmax(scores, dim=-1)], dim=1)
    shown = [[f"{number:z.2f}".replace("-", "−") for number in row] for row in columns.tolist()]
    return shown, ["", f"{exps.sum():.2f}", "1.00"]


def rows(page):
    """The texts of the first table, row by row."""
    table = page.partition("</table>")[0]
    texts = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in table.split("<tr")[1:]]
    return [[html.unescape(re.sub(r"<[^>]+>", "", text)) for text in row] for row in texts]


@pytest.mark.parametrize("row", [ROW, ROW - 40, torch.tensor([1000.0, 1001, 3, -2]), torch.zeros(4)])
def test_the_static_twin_shows_torchs_numbers(row):
    shown, sums = numbers(row)
    head, *body, foot = rows(page(row, TOKENS))
    assert head == ["key", "score ω", "exp(ω − max)", "weight α = exp / sum"]
    assert body == [[key, *each] for key, each in zip(TOKENS, shown)]
    assert foot == ["sum", *sums]


def test_it_opens_at_the_temperature_that_it_is_given():
    stored = page(ROW, TOKENS, temperature=5)
    head, *body, _ = rows(stored)
    assert head[2] == "exp((ω − max) / 5.00)"
    assert [row[3] for row in body] == [f"{share:.2f}" for share in torch.softmax(ROW / 5, dim=-1).tolist()]
    assert json.loads(html.unescape(re.search(r'data-picture="([^"]*)"', stored)[1]))["temperature"] == 5


def test_the_static_bar_is_divided_by_the_shares():
    bar = page(ROW, TOKENS).split("<table")[2]
    widths = [float(width) / 100 for width in re.findall(r"[;\"]width:(\d+)%;background", bar)]
    assert widths == pytest.approx(torch.softmax(ROW, dim=-1).tolist(), abs=0.005)


@pytest.mark.parametrize(
    "row, keys, query, words",
    [
        (ROW, TOKENS, "is", "For “is”: “eat” gets 0.55 of 1, “Life” 0.33."),
        (ROW, TOKENS, None, "“eat” gets 0.55 of 1, “Life” 0.33."),
        (torch.zeros(2), ["a", "b"], None, "“a” gets 0.50 of 1, “b” 0.50."),
        (torch.tensor([0.0, 9]), ["a", "b"], None, "“b” gets 1.00 of 1."),
        (torch.tensor([-3.0]), ["a"], None, "“a” gets 1.00 of 1."),
    ],
)
def test_the_sentence_names_the_two_largest_shares(row, keys, query, words):
    stored = softmax_machine(row, keys, query)._repr_mimebundle_()
    assert stored["text/plain"] == f"softmax-machine: {words}"
    sentence = re.search(r'class="attn-sentence"[^>]*>(.*?)</p>', stored["text/html"])[1]
    assert re.sub(r"</?bdi>", "", sentence) == words


def test_the_scale_has_room_around_the_scores_and_holds_zero():
    for row, scale in ((ROW, [-4, 5]), (ROW + 40, [0 - 2, 45]), (ROW - 40, [-44, 2])):
        data = json.loads(html.unescape(re.search(r'data-picture="([^"]*)"', page(row, TOKENS))[1]))
        assert data["scale"] == scale


@pytest.mark.parametrize(
    "scores, keys, message",
    [
        (torch.zeros(2, 4), TOKENS, r"shape \(2, 4\), but 4 keys need \(4,\): give the row of one query"),
        (ROW[:3], TOKENS, r"shape \(3,\), but 4 keys need \(4,\)"),
        (torch.tensor([0, -torch.inf, 0, 0]), TOKENS, "a score is inf or -inf; give the scores before the mask"),
        (torch.tensor([0, torch.nan, 0, 0]), TOKENS, "a number is nan"),
        (torch.zeros(13), range(13), "13 keys are too many to share one bar; give at most 12"),
        (torch.zeros(0), [], "nothing to show"),
    ],
)
def test_what_does_not_fit_is_refused(scores, keys, message):
    with pytest.raises(ValueError, match=message):
        softmax_machine(scores, keys)


def test_it_stays_small():
    assert len(page(torch.randn(12), range(12), "query").encode()) < 25_000
