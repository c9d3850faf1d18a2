import pytest
import torch
from live_pictures import rows

from companion.pictures.live.walk import walk
from companion.pictures.words import shown
from companion.sentence import running_sentence
from utils.attention import attention, scores

TOKENS, QUERY, KEY, VALUE = running_sentence()
ARGUMENTS = {"query": QUERY, "key": KEY, "value": VALUE, "tokens": TOKENS}


def written(vector):
    return ", ".join(map(shown, vector[:3].tolist())) + ", …"


@pytest.mark.parametrize("follow", range(6))
def test_the_static_table_has_torchs_numbers_from_the_query_to_the_context(follow):
    context, weights = attention(QUERY, KEY, VALUE)
    _, asks, *answers, adds = rows(walk(**ARGUMENTS, follow=follow))
    assert asks == [f"“{TOKENS[follow]}” asks: query", written(QUERY[follow])]
    assert answers == [
        [token, written(key), shown(score), shown(weight), written(value)]
        for token, key, score, weight, value in zip(
            TOKENS, KEY, scores(QUERY, KEY)[follow].tolist(), weights[follow].tolist(), VALUE
        )
    ]
    assert [adds[0], adds[-1]] == [f"add: the context of “{TOKENS[follow]}”", written(context[follow])]


def test_short_vectors_are_shown_whole_and_without_an_ellipsis():
    _, asks, first, *_ = rows(walk(torch.eye(2), torch.eye(2), torch.eye(2)[:, :1], ["a", "b"]))
    assert asks[1] == "0.00, 1.00" and first[-1] == "1.00"
