"""Which words of a story are marked, because they do not fit."""

import pytest

from companion.worlds.stories.becoming import marked


@pytest.mark.parametrize(
    "tokens, wanted",
    [
        ("Max saw the map , too . Ida kept the map . Then Ben came along .", ["*Ben*"]),
        ("Then Ida came along . Today Ida has a red map . Today Ida has a *blue* map .".replace("*", ""), ["*blue*"]),
        ("Then Ida came along . Ida the map kept .", ["*Ida*", "*the*", "*map*", "*kept*"]),
        ("“ Please give it to me , Max , ” said Ida .", []),
    ],
)
def test_words_are_marked_that_name_something_new_or_make_no_sentence(tokens, wanted):
    assert [token for token in marked(tokens.split()) if "*" in token] == wanted
