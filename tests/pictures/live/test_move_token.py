import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest
import torch
from hostile import HOSTILE

from companion.pictures.live.move_token import move_token
from companion.pictures.words import shown
from utils.attention import scores
from utils.positions import alibi, rotate, sinusoidal

TOKENS = ["the", "dog", "bites", "a", "man"]
torch.manual_seed(0)
INPUTS, (W_QUERY, W_KEY) = torch.randn(5, 16), torch.randn(2, 16, 8) / 3


def page(*given, **options):
    return move_token(*(given or (INPUTS, W_QUERY, W_KEY, TOKENS)), **options)._repr_mimebundle_()["text/html"]


def four():
    inputs, W_query, W_key = (each.double() for each in (INPUTS, W_QUERY, W_KEY))
    added = inputs + sinusoidal(5, 16)
    query, key = inputs @ W_query, inputs @ W_key
    return {
        "no positions": scores(query, key),
        "sinusoidal": scores(added @ W_query, added @ W_key),
        "rotary": scores(rotate(query), rotate(key)),
        "ALiBi": scores(query, key) + alibi(8, 5)[0],
    }


def test_the_twin_has_a_table_of_torchs_scores_for_each_kind_of_position():
    tables = [ElementTree.fromstring(found) for found in re.findall(r"<table.*?</table>", page())]
    for table, (name, wanted) in zip(tables, four().items(), strict=True):
        head, *rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
        assert table.find("caption").text == f"{name}: 0 changed" and head == ["", *TOKENS]
        assert rows == [[token, *map(shown, row)] for token, row in zip(TOKENS, wanted.tolist())]


def test_the_data_holds_what_the_four_scores_are_computed_from():
    data = json.loads(unescape(re.search(r'data-picture="([^"]*)"', page(follow=3))[1]))
    query, wave_query = (each @ W_QUERY for each in (INPUTS, sinusoidal(5, 16)))
    torch.testing.assert_close(torch.tensor(data["query"]), query, atol=1e-5, rtol=0)
    torch.testing.assert_close(torch.tensor(data["waveQuery"]), wave_query, atol=1e-5, rtol=0)
    assert [data[name] for name in ("follow", "slope", "base")] == [3, 0.5, 10000]


def test_its_words_say_that_nothing_has_changed_yet():
    text = move_token(INPUTS, W_QUERY, W_KEY, TOKENS)._repr_mimebundle_()["text/plain"]
    counts = "no positions 0, sinusoidal 0, rotary 0, ALiBi 0"
    assert text == f"move-token: “the dog bites a man”. Scores that have changed, of 25: {counts}."


def test_a_word_may_have_moved_at_first():
    picture = move_token(INPUTS, W_QUERY, W_KEY, TOKENS, follow=1, to=3)
    text = picture._repr_mimebundle_()["text/plain"]
    assert text.startswith("move-token: “the bites a dog man”") and "no positions 0, sinusoidal 2" in text
    assert json.loads(unescape(re.search(r'data-picture="([^"]*)"', picture._page())[1]))["order"] == [0, 2, 3, 1, 4]


def test_a_token_is_text_and_never_markup():
    assert "<script>window.hacked" not in page(INPUTS, W_QUERY, W_KEY, HOSTILE[:5])


def test_a_picture_is_small():
    assert len(page().encode()) < 25_000


@pytest.mark.parametrize(
    "given, options, message",
    [
        ((INPUTS, W_QUERY, W_KEY, TOKENS[:4]), {}, "inputs has shape (5, 16) and there are 4 tokens; give one row for"),
        ((INPUTS[:1], W_QUERY, W_KEY, TOKENS[:1]), {}, "there are 1 tokens; give one row for each token, from 2 to 6"),
        ((INPUTS, W_QUERY, W_KEY, TOKENS), {"follow": 5}, "follow is 5, but the tokens have the numbers 0 to 4"),
        ((INPUTS, W_QUERY, W_KEY, TOKENS), {"to": -1}, "to is -1, but the tokens have the numbers 0 to 4"),
        ((INPUTS, W_QUERY[:9], W_KEY, TOKENS), {}, "W_query has shape (9, 8) but the inputs have 16 features"),
        ((INPUTS, W_QUERY[:, :3], W_KEY[:, :3], TOKENS), {}, "3 features cannot be paired; choose an even number"),
        ((INPUTS * torch.nan, W_QUERY, W_KEY, TOKENS), {}, "a number is nan"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(given, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        move_token(*given, **options)
