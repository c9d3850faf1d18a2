"""Two heads, one after the other: another token that asks is followed through both, by mouse and by keyboard."""

import torch
from lab import sentence
from live_pictures import twin_rows

from companion.pictures.live.notebook_13_two_heads import two_heads

TOKENS = ["a", "b", "a", "b"]
FIRST = torch.tensor([[1, 0, 0, 0], [0.8, 0.2, 0, 0], [0.3, 0.6, 0.1, 0], [0.1, 0.2, 0.7, 0]])
SECOND = torch.tensor([[1, 0, 0, 0], [0.6, 0.4, 0, 0], [0, 1, 0, 0], [0.1, 0.1, 0.1, 0.7]])
SAYS = [
    "“a” has not come before. The second head reads “a” (1.00), which in the first head had read “a” (1.00).",
    "“b” has not come before. The second head reads “a” (0.60), which in the first head had read “a” (1.00).",
    "“a” came before, and “b” followed it. The second head reads that “b” (1.00), "
    "which in the first head had read “a” (0.80).",
    "“b” came before, and “a” followed it. The second head reads “b” (0.70), "
    "which in the first head had read “a” (0.70).",
]


def test_the_token_that_asks_is_followed_through_both_heads(on_page):
    page, answers = on_page(two_heads(TOKENS, FIRST, SECOND, list("cdef"))), "cdef"
    asking = page.locator(".attn-column button")

    def check(asks):
        picture = two_heads(TOKENS, FIRST, SECOND, answers, asks)
        assert sentence(page) == picture.text == f"{SAYS[asks]} The model says “{answers[asks]}”."
        most = [each.split("\n") for each in page.locator(".attn-widest").all_inner_texts()]
        assert twin_rows(picture)[asks + 1] == [TOKENS[asks], *map(" ".join, most), answers[asks]]
        assert page.locator(".attn-answer b").inner_text() == answers[asks]

    check(3)
    asking.nth(0).click()
    check(0)
    asking.nth(0).press("ArrowDown")
    check(1)
    asking.nth(1).press("ArrowDown")
    check(2)
