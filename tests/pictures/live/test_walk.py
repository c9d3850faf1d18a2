import html
import json
import re

import pytest
import torch

from companion.pictures.live.walk import walk
from companion.pictures.words import shown
from companion.sentence import running_sentence
from utils.attention import attention, scores

TOKENS, QUERY, KEY, VALUE = running_sentence()


def page(*arguments, **options):
    return walk(*arguments, **options)._repr_mimebundle_()["text/html"]


def cells(stored):
    """The texts of the static table, row by row."""
    rows = re.findall(r"<tr.*?</tr>", stored, flags=re.DOTALL)
    found = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, flags=re.DOTALL) for row in rows]
    return [[html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in found]


def data(stored):
    return json.loads(html.unescape(re.search(r'data-picture="([^"]*)"', stored)[1]))


def written(vector):
    return ", ".join(map(shown, vector[:3].tolist())) + ", …"


@pytest.mark.parametrize("follow", range(6))
def test_the_static_table_has_torchs_numbers_from_the_query_to_the_context(follow):
    context, weights = attention(QUERY, KEY, VALUE)
    _, asks, *answers, adds = cells(page(QUERY, KEY, VALUE, TOKENS, follow=follow))
    assert asks == [f"“{TOKENS[follow]}” asks: query", written(QUERY[follow])]
    assert answers == [
        [token, written(key), shown(score), shown(weight), written(value)]
        for token, key, score, weight, value in zip(
            TOKENS, KEY, scores(QUERY, KEY)[follow].tolist(), weights[follow].tolist(), VALUE
        )
    ]
    assert adds == [f"add: the context of “{TOKENS[follow]}”", "", written(context[follow])]


def test_the_script_gets_all_scores_and_the_first_features():
    given = data(page(QUERY, KEY, VALUE, TOKENS))
    torch.testing.assert_close(torch.tensor(given["scores"]), scores(QUERY, KEY), rtol=1e-5, atol=1e-5)
    for name, vectors in (("query", QUERY), ("key", KEY), ("value", VALUE)):
        torch.testing.assert_close(torch.tensor(given[name]), vectors[:, :3])
    assert (given["follow"], given["head_dim"], given["d_v"]) == (1, 24, 28)


def test_it_says_which_word_is_attended_to_most():
    text = walk(QUERY, KEY, VALUE, TOKENS)._repr_mimebundle_()["text/plain"]
    assert text == "walk: “is” attends most to “dessert” (0.49), then to “Life” (0.29)."


def test_short_vectors_are_shown_whole_and_without_an_ellipsis():
    _, asks, first, *_ = cells(page(torch.eye(2), torch.eye(2), torch.eye(2)[:, :1], ["a", "b"]))
    assert asks[1] == "0.00, 1.00" and first[-1] == "1.00"


@pytest.mark.parametrize(
    "change, message",
    [
        ({"query": QUERY[:5]}, r"query has shape \(5, 24\), but 6 tokens need \(6, features\)"),
        ({"value": VALUE[None]}, r"value has shape \(1, 6, 28\), but 6 tokens need"),
        ({"key": KEY[:, :23]}, "23"),
        ({"value": VALUE / 0}, "value has a number that is nan or infinite; look for"),
        ({"follow": 6}, "follow is 6, but the tokens have the numbers 0 to 5"),
        ({"follow": -1}, "follow is -1"),
    ],
)
def test_what_cannot_be_shown_is_named(change, message):
    arguments = {"query": QUERY, "key": KEY, "value": VALUE, "tokens": TOKENS} | change
    with pytest.raises(ValueError, match=message):
        walk(**arguments)
