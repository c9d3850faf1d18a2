"""One token through the writer: another token and another head show that model's own vectors, weights and words."""

import pytest
import torch
from lab import sentence

from companion.worlds.stories.pictures import trace
from companion.worlds.stories.writer import VOCABULARY, Writer

TEXT = "One day Ida went"
VIOLET = [127, 98, 196]
PIXELS = "canvas => [...canvas.getContext('2d').getImageData(0, 0, canvas.width, 1).data]"


def test_another_token_and_another_head_are_traced_as_the_model_has_them(on_page):
    torch.manual_seed(0)
    model, ids = Writer().double(), torch.tensor([VOCABULARY.encode(["<end>", *TEXT.split()])])
    with torch.no_grad():
        logits, maps = model(ids, need_weights=True)
    page, shares = on_page(trace(TEXT, model, head=1)), torch.softmax(logits[0], dim=-1)
    for asks, block, head in ((4, 0, 1), (4, 1, 1), (2, 1, 3)):
        page.get_by_role("group", name="block").get_by_role("radio").nth(block).check()
        page.get_by_role("group", name="head").get_by_role("radio").nth(head).check()
        page.locator(".attn-column button").nth(asks).click()
        assert sentence(page) == trace(TEXT, model, 4 * block + head, asks).text
        read = [each for each in page.locator(".attn-column span").all_inner_texts() if each]
        assert read == [f"{weight:.2f}" for weight in maps[block][0, head, asks, : asks + 1].tolist()]
        best = shares[asks].topk(4)
        assert page.locator("div.attn-final bdi").all_inner_texts() == [VOCABULARY.tokens[i] for i in best.indices]
        vector = model.embedding.weight[ids[0, asks]].detach()
        pixels = torch.tensor(page.locator("canvas").first.evaluate(PIXELS)).view(-1, 4)
        assert pixels[:, 3].tolist() == pytest.approx((255 * vector.abs() / vector.abs().max()).tolist(), abs=4)
        assert pixels[vector.argmin(), :3].tolist() == VIOLET or vector.min() > -vector.max()
