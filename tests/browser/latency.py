"""Measure how soon a picture answers a key: python tests/browser/latency.py

Prints milliseconds, median and 95th percentile of 30 presses, in a real JupyterLab without a screen. The page itself
measures: from the keydown event to the first animation frame after the picture has changed.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

sys.path.append(str(Path(__file__).parents[1]))  # as pytest does, for what `lab` imports

from lab import chromium, run_cell, running_browser, running_lab, watched
from live_pictures import EXAMPLES, example
from nbformat.v4 import new_code_cell

PRESSES, SIZES = 30, (3, 6, 16, 40)
LIVE_SIZES = (3, 12)  # the softmax machine takes twelve keys
PREPARED = """import torch
from utils.pictures.live.explore import explore
from utils.pictures.live.view import view

torch.manual_seed(0)
scores = 3 * torch.randn({size}, {size})
tokens = ["token" + str(place) for place in range({size})]

def softened(temperature):
    return torch.softmax(scores / temperature, -1)

"""
PICTURES = {
    "view": ("view(scores, tokens, head_dim=4, causal=False)", ".attention-live", "[type=range]"),
    "explore": ("explore(softened, tokens, temperature=(0.1, 10, 0.1, 1))", ".attention-explore", ".noUi-handle"),
}
LIVE = (".attention-live", ":is([type=range], [type=radio]:checked, [tabindex='0'])")
MEASURE = """picture => {
  window.answers = [];
  let pressed = null;
  picture.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed === null) return;
    const start = pressed;
    pressed = null;
    requestAnimationFrame(() => window.answers.push(performance.now() - start));
  }).observe(picture.querySelector(".attn-body") ?? picture.querySelector(".attention-sheet").parentElement,
    { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def answers(page, source, picture, control):
    """Return the milliseconds that each key press took to show."""
    run_cell(page, source)
    place = page.locator(picture)
    place.locator(control).first.wait_for()
    place.evaluate(MEASURE)
    place.locator(control).first.focus()
    for press in range(PRESSES):
        page.keyboard.press("ArrowUp" if press % 2 else "ArrowDown")
        page.wait_for_function("count => window.answers.length === count", arg=press + 1)
    return page.evaluate("window.answers")


def tell(name, times):
    print(f"{name:14}" + "".join(f"{median(each):12.0f}{quantiles(each, n=20)[-1]:6.0f}" for each in times))


def main():
    path = chromium()
    if path is None:
        sys.exit("no Chromium here: install it (Debian: apt-get install chromium), or set CHROMIUM to its path")
    with (
        tempfile.TemporaryDirectory() as home,
        running_browser(path) as browser,
        running_lab(Path(home)) as lab,
        watched(browser) as page,
    ):
        lab.open(page, lab.write("latency.ipynb", new_code_cell()))
        print(f"{'milliseconds':14}" + "".join(f"{size:>5} tokens, 95 %" for size in SIZES))
        for name, (call, *places) in PICTURES.items():
            tell(name, [answers(page, PREPARED.format(size=size) + call, *places) for size in SIZES])
        print(f"{'':14}" + "".join(f"{size:>5} tokens, 95 %" for size in LIVE_SIZES))
        for name in EXAMPLES:
            tell(name, [answers(page, example(name, size), *LIVE) for size in LIVE_SIZES])


if __name__ == "__main__":
    main()
