"""`view` on plain pages, from a file: its numbers are torch's, and it is readable in every state, theme and width."""

import json
import math
import re

import pytest
import torch
from lab import faults, rows

from companion.pictures.live.explore import explore
from companion.pictures.live.view import view
from companion.pictures.palette import contrast

TOKENS = ["Life", "is", "short", "eat", "dessert", "first"]
# Pages that would colour what does not colour itself.
THEMES = {
    "light": ("", {}),
    "dark": ("body { background: #111; color: white } td, th { color: white }", {"color_scheme": "dark"}),
}
PICTURES = ".attention-live, .attention-sheet, .attn-hint"
# Of every text: how opaque it is, its colour, and the colours behind it, stripes included.
COLOURS = """root => [...root.querySelectorAll("*")].filter(one => one.getClientRects().length && !one.closest("option")
    && [...one.childNodes].some(child => child.nodeType === 3 && child.data.trim())).map(one => {
  const {fill, color} = getComputedStyle(one), behind = [];
  let opacity = 1;
  for (let box = one; box; box = box.parentElement) {
    const style = getComputedStyle(box);
    opacity *= style.opacity;
    if (behind.length || style.backgroundColor === "rgba(0, 0, 0, 0)") continue;
    behind.push(style.backgroundColor, ...(style.backgroundImage.match(/rgb\\([^)]*\\)/g) ?? []));
  }
  return [one.textContent, opacity, one.matches("text") ? fill : color, behind];
})"""


def follow(page, query):
    page.locator("table:not(.attn-steps) tbody tr").nth(query).dispatch_event("mouseenter")


# ---- the numbers ----


def randoms(*shape, dtype=torch.float32):
    return 3 * torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(0))


def hidden_keys():
    scores = randoms(6, 6)
    scores[1:4, 2], scores[5] = -torch.inf, -torch.inf  # a key that some may not see, a query that sees nothing
    return scores


# 0.005, 0.015 and so on: no double is exactly such a number, so that only its own last bits say which way it rounds.
HALVES = torch.arange(-63, 65, 2).double().reshape(8, 8) / 200
CASES = {
    "one token": (randoms(1, 1), {"head_dim": 4}),
    "float32 and causal": (randoms(2, 6, 6), {"head_dim": 4, "causal": True}),
    "float64": (randoms(16, 16, dtype=torch.float64), {"head_dim": 64, "causal": False}),
    "cross-attention": (randoms(3, 2, 5), {"head_dim": 3}),
    "twelve heads": (randoms(12, 16, 16), {}),
    "forty tokens": (randoms(40, 40), {"head_dim": 1, "causal": False}),
    "hidden keys": (hidden_keys(), {"head_dim": 2, "causal": False}),
    "ties": (torch.zeros(8, 8), {"head_dim": 1, "causal": True}),
    "binary ties": (torch.arange(-4, 4, 0.125).reshape(8, 8), {"head_dim": 1}),
    "decimal ties": (HALVES, {"head_dim": 1}),
    "far apart": (10_000 * randoms(4, 4), {"head_dim": 4}),
}


def text(number):
    return f"{number:z.2f}".replace("-", "−") if math.isfinite(number) else "−∞"


def check_numbers(page, scores, head_dim, causal, temperature, queries):
    """Assert that table and steps show what torch computes from these scores (queries, keys)."""
    scaled = scores.double() / math.sqrt(head_dim or 1) / temperature
    mask = scores.isfinite() & (torch.ones_like(scaled).tril() > 0 if causal else True)
    masked = scaled.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(masked, -1).nan_to_num(0)  # a query that sees nothing has no softmax, and weighs nothing
    numbers = [[text(w) if m else "–" for w, m in zip(*pair)] for pair in zip(weights.tolist(), mask.tolist())]
    shown = rows(page.locator("table").first)[1:]
    assert [row[1:-1] for row in shown] == numbers
    assert [row[-1] for row in shown] == [text(sum(row)) for row in weights.tolist()]
    for query in queries if head_dim else []:
        follow(page, query)
        steps = [[text(number) for number in each[query].tolist()] for each in (scores, scaled, masked)]
        assert [row[1:] for row in rows(page.locator(".attn-steps"))[1:]] == [*steps, numbers[query]]


def named(scores):
    return ([f"{side}{place}" for place in range(size)] for side, size in zip("qk", scores.shape[-2:]))


@pytest.mark.parametrize("scores, options", CASES.values(), ids=CASES)
def test_the_numbers_are_torchs_to_the_digit_at_every_temperature_head_and_mask(scores, options, on_page):
    queries, keys = named(scores)
    page = on_page(view(scores, queries, keys, **options))
    stored = json.loads(page.locator("attn-view").get_attribute("data-picture"))["scores"]
    heads = torch.tensor(
        [[[-math.inf if x is None else x for x in row] for row in head] for head in stored], dtype=torch.float64
    )
    for head in {0, len(heads) - 1}:
        if len(heads) > 1:
            page.locator("[type=radio]").nth(head).check()
        for causal in (False,) if options.get("causal") is None else (False, True):
            if options.get("causal") is not None:
                page.locator("[type=checkbox]").set_checked(causal)
            for steps in (-12, 0, 3, 20):
                page.locator("[type=range]").fill(str(steps))
                some = {len(queries) // 2, len(queries) - 1}
                check_numbers(page, heads[head], options.get("head_dim"), causal, 2 ** (steps / 4), some)


def test_the_script_starts_with_the_numbers_and_the_sentence_that_python_wrote(on_page):
    pictures, texts = [], []
    for scores, options in CASES.values():
        for query in (None, 0, scores.shape[-2] - 1):
            pictures.append(view(scores, *named(scores), follow=query, **options))
    for script in (False, True):
        page = on_page(*pictures, java_script_enabled=script)
        assert page.locator(".attn-controls").count() == len(pictures) * script
        texts.append(page.locator("td, th, .attn-sentence").all_text_contents())
    assert texts[0] == texts[1]
    said = [picture._repr_mimebundle_()["text/plain"].removeprefix("view: ") for picture in pictures]
    assert page.locator(".attn-sentence").all_text_contents() == said


# ---- the look ----


def check_readable(page):
    """Assert a contrast of 4.5 or more, by the colours of every text as the browser computes them."""
    texts = page.locator("main").evaluate(COLOURS)
    assert texts
    for words, opacity, ink, behind in texts:
        assert opacity == 1, words
        for colour in behind:
            assert contrast(channels(ink), channels(colour)) >= 4.5, (words, ink, colour)


def channels(colour):
    red, green, blue = (int(channel) / 255 for channel in re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour).groups())
    return red, green, blue


@pytest.mark.parametrize("style, options", THEMES.values(), ids=THEMES)
def test_every_state_is_readable_in_a_light_and_a_dark_page(style, options, on_page):
    signed = explore(lambda size: randoms(6, 6), TOKENS, size=(0, 1, 1, 0), signed=True)
    pictures = [view(randoms(3, 6, 6), TOKENS, causal=True, head_dim=4), signed]
    page = on_page(*pictures, style=style, stripped=True, **options)
    check_readable(page)
    assert faults(page, PICTURES) == []
    check_readable(on_page(view(randoms(6, 6), TOKENS), style=style, **options))  # no query is followed
    page = on_page(*pictures, style=style, **options)
    check_readable(page)
    follow(page, 3)
    check_readable(page)
    page.locator("tbody button").nth(2).click()
    page.mouse.move(0, 0)
    page.locator("[type=checkbox]").uncheck()
    page.locator("[type=radio]").last.check()
    check_readable(page)
    assert faults(page, PICTURES) == []


@pytest.mark.parametrize("style, options", THEMES.values(), ids=THEMES)
def test_every_weight_and_score_is_readable_with_and_without_the_script(style, options, on_page):
    weights = torch.arange(1, 128).double() / 256
    rows_of_two = torch.stack([weights, 1 - weights], dim=-1).log()  # all 8-bit steps but 0 and 1
    names = [f"q{place}" for place in range(63)]
    pictures = [view(rows_of_two[start : start + 63], names, ["k0", "k1"]) for start in (0, 64)]
    pictures += [explore(lambda x: torch.linspace(-1, 1, 64).reshape(8, 8), names[:8], x=(0, 1, 1, 0), signed=True)]
    for stripped in (False, True):
        check_readable(on_page(*pictures, style=style, stripped=stripped, **options))


def test_a_large_picture_scrolls_is_reached_by_tab_and_accessible_and_its_page_does_not_scroll(on_page):
    tokens = [f"a token {place}" for place in range(40)]
    page = on_page(view(randoms(12, 40, 40), tokens, causal=True, head_dim=4), viewport={"width": 280, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = page.locator(".attn-scroll").evaluate_all("""boxes => boxes.map(box =>
      [box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight, box.tabIndex === 0])""")
    assert len(boxes) == 3 and all(scrolls == reached for scrolls, reached in boxes)  # the table, the lines, the steps
    assert boxes[0][0] and boxes[2][0]
    assert page.locator(".attention-live").evaluate("paper => paper.scrollWidth <= paper.clientWidth")
    assert page.locator("td.attn-hidden").count() >= 40 * 39 / 2
    assert faults(page, ".attention-live") == []


def test_the_edge_fades_where_more_follows_and_no_longer_at_the_end_or_in_a_wider_window(on_page):
    page = on_page(view(randoms(12, 12), range(12)), viewport={"width": 390, "height": 700})
    table = page.locator(".attn-scroll").first
    for left, mask in ((0, "linear-gradient"), (9999, "none"), (0, "linear-gradient")):
        table.evaluate("(box, left) => { box.scrollLeft = left; }", left)
        page.wait_for_function(
            "([box, mask]) => getComputedStyle(box).maskImage.startsWith(mask)", arg=[table.element_handle(), mask]
        )
    page.set_viewport_size({"width": 1300, "height": 1000})
    page.wait_for_function("box => getComputedStyle(box).maskImage === 'none'", arg=table.element_handle())
    page.set_viewport_size({"width": 390, "height": 700})


def test_the_paper_is_no_wider_than_its_picture_and_stays_so_whatever_the_sentence(on_page):
    page = on_page(
        view(randoms(2, 2), ["Life", "is"]), explore(lambda x: randoms(2, 2), ["a", "b"], x=(0, 1, 1, 0), signed=True)
    )
    widths = [paper.bounding_box()["width"] for paper in page.locator(".attention-live, .attention-sheet").all()]
    assert max(widths) < 600
    page.locator(".attn-sentence").evaluate("sentence => { sentence.textContent = 'long '.repeat(200); }")
    assert page.locator(".attention-live").bounding_box()["width"] == widths[0]


# ---- what the script leaves alone ----


@pytest.mark.parametrize("place", ["root", "document.body"])
def test_a_script_that_runs_again_changes_nothing(place, on_page):
    page = on_page(view(randoms(2, 6, 6), TOKENS, head_dim=4, causal=False))
    root = page.locator(".attention-live")
    before = root.inner_html()
    root.evaluate(f"""root => {{
      const again = document.createElement("script");
      again.text = root.querySelector("script").text;
      {place}.append(again);
      again.remove();
    }}""")
    page.watch.check()
    assert root.inner_html() == before
    page.locator("tbody button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("tbody button[aria-pressed=true]").all_text_contents() == ["is"]
