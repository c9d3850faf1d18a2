"""All heads as small maps: what opens is that head's row of the token that asks, by mouse and by keyboard."""

import torch
from lab import sentence
from live_pictures import twin_rows

from companion.pictures.live.notebook_15_all_heads import all_heads

TOKENS = ["Life", "is", "short", "eat"]
torch.manual_seed(0)
WEIGHTS = torch.softmax(3 * torch.randn(2, 3, 4, 4), dim=-1)


def test_a_press_or_a_key_opens_a_head_and_lets_another_token_ask(on_page):
    page = on_page(all_heads(TOKENS, WEIGHTS))
    heads, words = page.locator(".attn-map"), page.get_by_role("button", name="is", exact=True)

    def check(block, head, asks):
        picture, row = all_heads(TOKENS, WEIGHTS, block, head, asks), WEIGHTS[block, head, asks]
        shown = [[token, f"{weight:.2f}"] for token, weight in zip(TOKENS, row.tolist()) if weight >= 0.005]
        assert sentence(page) == picture.text and twin_rows(picture) == shown
        assert page.locator(".attn-opened b").inner_text() == f"head {head} of block {block}"
        read = [each.split("\n") for each in page.locator(".attn-column").nth(1).locator("div").all_inner_texts()]
        assert [each for each in read if len(each) == 2] == shown
        assert heads.nth(3 * block + head).get_attribute("aria-pressed") == "true"

    check(0, 0, 0)
    heads.nth(4).click()
    check(1, 1, 0)
    heads.nth(4).press("ArrowUp")
    heads.nth(1).press("ArrowRight")
    check(0, 2, 0)
    words.click()
    check(0, 2, 1)
    words.press("End")
    check(0, 2, 3)
    shades = "canvas => [...canvas.getContext('2d').getImageData(0, 0, 4, 4).data].filter((_, at) => at % 4 === 3)"
    drawn = torch.tensor(heads.nth(2).locator("canvas").evaluate(shades)).view(4, 4) / 255
    torch.testing.assert_close(drawn, WEIGHTS[0, 2], atol=0.01, rtol=0)
