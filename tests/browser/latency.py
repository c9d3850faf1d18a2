"""Measure how soon a picture answers a key: python tests/browser/latency.py

Prints milliseconds, median and 95th percentile of 30 presses, and how many processes the machine has to do at once, in
a real JupyterLab without a screen. The page itself measures: from the keydown event to the first animation frame after
the picture has changed.
"""

import os
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

sys.path.append(str(Path(__file__).parents[1]))  # as pytest does, for what `lab` imports

from lab import chromium, run_cell, running_browser, running_lab, watched
from live_pictures import EXAMPLES, example
from nbformat.v4 import new_code_cell

PRESSES, SIZES = 30, (3, 6, 16, 40)
OWN_SIZES = {"softmax-machine": (3, 12), "product": (4,), "turn-query": (3,), "move-token": (5,)}
ACROSS = {"move-token": ("ArrowRight", "ArrowLeft")}  # all others answer the arrows up and down
EXPLORE = """import torch
from companion.pictures.live.explore import explore

torch.manual_seed(0)
scores = 3 * torch.randn({size}, {size})

def softened(temperature):
    return torch.softmax(scores / temperature, -1)

explore(softened, ["token" + str(place) for place in range({size})], temperature=(0.1, 10, 0.1, 1))"""
CONTROL = ":is(button, [type=radio], [type=range], [tabindex='0']):not(.attn-scroll, .attention-sheet)"
# Of radio buttons the chosen one, if there is one: to choose it again would change nothing.
FOCUS = f"""picture => {{
  (picture.querySelector("[type=radio]:checked") ?? picture.querySelector("{CONTROL}")).focus();
}}"""
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


def answers(page, source, picture, keys):
    """Return the milliseconds that each key press took to show."""
    run_cell(page, source)
    place = page.locator(picture)
    place.locator(CONTROL).first.wait_for(state="attached")  # some are drawn by other means
    place.evaluate(MEASURE)
    place.evaluate(FOCUS)
    for press in range(PRESSES):
        page.keyboard.press(keys[press % 2])
        page.wait_for_function("count => window.answers.length === count", arg=press + 1)
    return page.evaluate("window.answers")


def tell(name, times):
    found = (f"{size:5} tokens{median(each):4.0f}{quantiles(each, n=20)[-1]:5.0f}" for size, each in times.items())
    print(f"{name:16}{''.join(found)}    load {os.getloadavg()[0]:.1f}", flush=True)


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
        for name in EXAMPLES:
            keys = ACROSS.get(name, ("ArrowDown", "ArrowUp"))
            sizes = OWN_SIZES.get(name, SIZES)
            tell(name, {size: answers(page, example(name, size), ".attention-live", keys) for size in sizes})
        places = ".attention-explore", ("ArrowDown", "ArrowUp")
        tell("explore", {size: answers(page, EXPLORE.format(size=size), *places) for size in SIZES})


if __name__ == "__main__":
    main()
