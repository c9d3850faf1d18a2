"""A live picture as it opens, photographed when its notebook is stored: what shows where no script runs.

The photograph stands in the stored output alone, above the picture's table; a run gives none, and comparing leaves it
out. It bears the digest of the page that it was taken of, so that a test sees one that is out of date.
"""

import base64
import hashlib
import html
import io
import re
from pathlib import Path

from PIL import Image, ImageChops

from browsing import chromium, running_browser
from companion.pictures import picture
from companion.pictures.palette import PAPER
from compare_outputs import without_photograph

LIVE, BODY = '<div class="attention-live"', '<div class="attn-body">'
TITLE = re.compile(r'aria-label="([^"]*)"')
PAGE = {"viewport": {"width": 800, "height": 1000}, "device_scale_factor": picture.SCALE}
LETTERS = "".join(
    f"@font-face {{ font-family: Inter; font-weight: {weight}; src: url(data:font/otf;base64,{code}) }}"
    for name, weight in (("Regular", 400), ("Bold", 700))
    for code in [base64.b64encode((Path(picture.__file__).parent / f"font/Inter-{name}.otf").read_bytes()).decode()]
)
# Nothing scrolls, and what only moves something is left out.
LOOK = (
    ".attention-live, .attention-live * { font-family: Inter, sans-serif !important }"
    ".attention-live .attn-scroll { max-height: none }"
    ".attention-live .attn-controls :is(button, span:has(button), .attn-follow), .attention-live [type=range],"
    ".attention-live fieldset:has([type=radio]) { display: none !important }"
)
SHOW = """async page => {
  await Promise.all([...document.fonts].map(letters => letters.load()));
  document.body.append(document.createRange().createContextualFragment(page));
  for (const frame of [1, 2]) await new Promise(requestAnimationFrame); // until what is measured is drawn
}"""


def add_photographs(outputs):
    """Put a photograph into each live picture of a cell's outputs."""
    for output in outputs:
        page = output.get("data", {}).get("text/html", "")
        if page.startswith(LIVE):
            title, text = TITLE.search(page)[1], html.escape(output.data["text/plain"].partition(": ")[2])
            image = photograph(page)
            wide, code = Image.open(io.BytesIO(image)).width // picture.SCALE, base64.b64encode(image).decode()
            about = f'data-of="{digest(page)}" alt="{title}: {text}" width="{wide}"'
            look = "display:block;max-width:100%;height:auto;margin-bottom:0.5em"
            element = f'<img class="attn-photograph" {about} style="{look}" src="data:image/png;base64,{code}"/>'
            output.data["text/html"] = page.replace(BODY, BODY + element, 1)


def digest(page):
    """Return what stands for a live picture's page, without its photograph."""
    return hashlib.sha256(without_photograph(page).encode()).hexdigest()[:12]


def photograph(page):
    """Return a live picture's page as its script opens it, as PNG bytes.

    Raises FileNotFoundError where there is no browser.
    """
    if (path := chromium()) is None:
        raise FileNotFoundError("to store a live picture that has changed, a Chromium photographs it: install one")
    with running_browser(path) as browser, browser.new_page(**PAGE) as paper:
        paper.set_content(f"<!DOCTYPE html><style>{LETTERS}{LOOK}</style>")
        paper.evaluate(SHOW, page)
        raw = paper.locator(".attn-body").screenshot()
    image = Image.open(io.BytesIO(raw)).convert("RGB")
    *_, right, low = ImageChops.difference(image, Image.new("RGB", image.size, PAPER)).getbbox()
    image = image.crop((0, 0, right + right % 2, low))  # an even width, which a whole number of points shows
    picture.in_few_colors(image).save(small := io.BytesIO(), format="png", optimize=True)
    return small.getvalue()
