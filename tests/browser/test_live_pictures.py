"""What every live picture keeps: it lives in JupyterLab and on a bare page, is accessible, fits, and has a twin."""

import json
import re
from typing import NamedTuple

import pytest
from hostile import HOSTILE, SHOWN
from lab import CURRENT, close, code_cells, execute, faults
from live_pictures import EXAMPLES, example
from nbformat.v4 import new_code_cell, new_output
from playwright.sync_api import expect

BYTES = 25_000
LIVE = ".attention-live"
CONTROLS = "button, select, input:not([type=radio], [type=checkbox]), label:has(input), [tabindex='0']"
THEME = """async theme => {
  await window.jupyterapp.commands.execute("apputils:change-theme", {theme});
  while (document.body.dataset.jpThemeName !== theme) await new Promise(again => setTimeout(again, 20));
}"""
# What is cut off, or scrolls without a cue: at the edge behind which there is more, a shade, or what fades.
CUT = """root => {
  const found = [], fits = (part, frame) => part.left >= frame.left - 1 && part.right <= frame.right + 1;
  const written = one => [...one.childNodes].some(child => child.nodeType === 3 && child.data.trim());
  for (const one of root.querySelectorAll("*")) {
    if (!one.getClientRects().length || !(written(one) || one.matches("input"))) continue;
    const part = one.getBoundingClientRect();
    for (let frame = one.parentElement; !fits(part, root.getBoundingClientRect()); frame = frame.parentElement) {
      const {overflowX, backgroundAttachment, maskImage} = getComputedStyle(frame);
      const scrolls = frame.scrollWidth > frame.clientWidth && ["auto", "scroll"].includes(overflowX);
      if (scrolls && (backgroundAttachment.includes("local") || maskImage !== "none")) break;
      if (scrolls || frame === root) { found.push(one.outerHTML.slice(0, 80)); break; }
    }
  }
  return found;
}"""
LOW = f"""root => [...root.querySelectorAll("{CONTROLS}")].filter(one => one.getClientRects().length)
  .filter(one => one.getBoundingClientRect().height < 24).map(one => one.outerHTML.slice(0, 80))"""
# Keys that a handle answers and that would scroll the page besides, or that it answers although a modifier is held.
KEYS = """root => [...root.querySelectorAll("[tabindex], button")].filter(one => one.onkeydown).flatMap(one => {
  function press(key, modifiers) {
    one.focus();
    const before = root.innerHTML;
    const event = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...modifiers});
    one.dispatchEvent(event);
    return [event.defaultPrevented, document.activeElement !== one || root.innerHTML !== before];
  }
  const held = ["altKey", "ctrlKey", "metaKey"].map(name => ({[name]: true}));
  return ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].filter(key => {
    const [alone, answered] = press(key);
    return answered && !alone || held.some(modifiers => press(key, modifiers).some(Boolean));
  }).map(key => `${key}: ${one.outerHTML.slice(0, 80)}`);
})"""
# What makes a screen reader talk although a pointer only comes by.
SPEAKING = """root => [...root.querySelectorAll(".attn-body *")].filter(one => {
  const sentence = root.querySelector(".attn-sentence"), before = sentence.textContent;
  one.dispatchEvent(new PointerEvent("pointerenter"));
  one.dispatchEvent(new MouseEvent("mouseenter"));
  return sentence.textContent !== before && sentence.ariaLive !== "off";
}).map(one => one.outerHTML.slice(0, 80))"""
MOVING = """root => [root, ...root.querySelectorAll("*")].filter(one => {
  const {transitionDuration, animationDuration} = getComputedStyle(one);
  return [transitionDuration, animationDuration].some(each => each.split(",").some(time => parseFloat(time) > 0));
}).map(one => one.outerHTML.slice(0, 80))"""


PARTS = """() => {
  const root = document.querySelector(".attention-live"), all = [...root.querySelectorAll("*")];
  const text = name => root.querySelector(name).textContent;
  return [all.map(one => one.tagName), text(".attn-body") + text(".attn-sentence")];
}"""


class Shown(NamedTuple):
    """A picture as its cell stores it, and what it then said in JupyterLab."""

    data: dict
    numbers: set
    sentence: str


TEXTS = """root => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  return texts.join(" ");
}"""


def numbers(picture):
    """Return the numbers that a picture shows; those of neighbouring cells are not one."""
    return set(re.findall(r"−?\d+\.\d+", picture.locator(".attn-body").evaluate(TEXTS)))


@pytest.fixture(scope="module")
def live(lab, desk):
    """JupyterLab with a notebook that has run every example."""
    name = lab.write("live.ipynb", *(new_code_cell(example(each)) for each in EXAMPLES))
    lab.open(desk, name)
    execute(desk, "notebook:run-all-cells")
    yield desk
    lab.open(desk, name)
    close(desk)


@pytest.fixture(scope="module")
def shown(live):
    pictures = live.locator(f"{CURRENT} {LIVE}")
    expect(pictures).to_have_count(len(EXAMPLES))
    stored = [cell["outputs"][0]["data"] for cell in code_cells(live)]
    return {
        name: Shown(data, numbers(picture), picture.locator(".attn-sentence").inner_text())
        for name, data, picture in zip(EXAMPLES, stored, pictures.all())
    }


@pytest.fixture(scope="module")
def bare(shown, pages, tmp_path_factory):
    """A page from a file, without JupyterLab's style, that holds every example twice."""
    body = "".join("".join(each.data["text/html"]) for each in shown.values())
    path = tmp_path_factory.mktemp("bare") / "page.html"
    path.write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Live pictures</title><body>{body}{body}</body></html>",
        encoding="utf-8",
    )
    page = pages()
    page.goto(path.as_uri())
    yield page
    page.set_viewport_size({"width": 1300, "height": 1000})
    page.emulate_media(reduced_motion="no-preference")
    page.watch.check()


def drawn(name, tokens):
    """Return the HTML of an example with these tokens."""
    *prepared, last = example(name, size=len(tokens)).splitlines()
    names = {}
    exec("\n".join(prepared).replace('["Life"', f'[*{tokens!r}, "Life"'), names)
    return eval(last, names)._repr_mimebundle_()["text/html"]


def found(page, script):
    """Return what a script finds wrong in the pictures of a page, by their names."""
    pictures = page.locator(LIVE).all()
    wrong = [(picture.get_attribute("aria-label"), picture.evaluate(script)) for picture in pictures]
    return {name: places for name, places in wrong if places}


def check_alive(picture):
    expect(picture.locator("input, button, [tabindex='0']").first).to_be_visible()
    expect(picture.locator(".attn-hint")).not_to_contain_text("Run the cell")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_is_small_alive_and_named_after_its_element(name, live, shown):
    picture = live.locator(f"{CURRENT} {LIVE}:has(attn-{name})")
    check_alive(picture)
    assert "".join(shown[name].data["text/plain"]).startswith(f"{name}: ")
    assert len(json.dumps(shown[name].data, ensure_ascii=False, indent=1).encode()) < BYTES
    live.watch.check()


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_pictures_are_accessible_and_dark_in_a_dark_theme(theme, live, shown):
    live.evaluate(THEME, theme)
    turned = live.locator(LIVE).evaluate_all("all => all.map(one => getComputedStyle(one).filter !== 'none')")
    assert set(turned) == {theme == "JupyterLab Dark"}
    # On a shade, axe would not judge the contrast of words.
    live.add_style_tag(content=f"{LIVE}, {LIVE} * {{ background-image: none !important }}")
    assert faults(live, f"{CURRENT} {LIVE}") == []


def test_where_scripts_are_stripped_the_twin_says_the_same_as_the_picture(lab, desk, shown):
    cells = [new_code_cell("stored", outputs=[new_output("display_data", each.data)]) for each in shown.values()]
    lab.open(desk, lab.write("strange_live.ipynb", *cells))
    assert not any(cell["trusted"] for cell in code_cells(desk))
    twins = desk.locator(f"{CURRENT} .jp-RenderedHTMLCommon:has({LIVE})")
    expect(twins).to_have_count(len(EXAMPLES))
    for (name, picture), twin in zip(shown.items(), twins.all()):
        assert twin.locator("script, style, input, svg").count() == 0
        told, seen = numbers(twin), picture.numbers
        if name == "clocks":  # the picture has an axis, too
            assert told and told < seen
        elif name != "one-pass":  # whose picture shows one step, its twin all
            assert seen <= told and bool(seen) == bool(told), name
        assert twin.locator(".attn-sentence").inner_text() == picture.sentence
        assert twin.locator(".attn-hint").inner_text() == "Run the cell to make this picture react."
    close(desk)
    desk.watch.check()


@pytest.mark.parametrize("name", [name for name, source in EXAMPLES.items() if "tokens" in source])
@pytest.mark.parametrize(
    "tokens, words", [(HOSTILE, SHOWN), (HOSTILE[::-1], SHOWN[::-1])], ids=["one way", "other way"]
)
def test_tokens_are_text_and_not_markup_in_the_twin_and_in_the_picture(name, tokens, words, pages):
    page = pages()
    for whole in (False, True):  # the twin where scripts are stripped, and the picture
        found = []
        for each in ([f"token{place}." for place in range(9)], tokens):
            source = drawn(name, each)
            page.goto("about:blank")
            page.set_content(source if whole else source[: source.index("<style>")])
            found.append(page.evaluate(PARTS))
        (tags, text), (hostile_tags, hostile_text) = found
        assert hostile_tags == tags
        assert all(words[int(place)] in hostile_text for place in re.findall(r"token(\d)\.", text))
        assert page.evaluate("window.hacked === undefined")


def test_two_of_a_picture_live_on_a_bare_page_and_leave_each_other_alone(bare):
    for name in EXAMPLES:
        first, second = bare.locator(f"{LIVE}:has(attn-{name})").all()
        for picture in (first, second):
            check_alive(picture)
        other, before = first.inner_html(), second.inner_html()
        for control in second.locator(".attn-body :is(input, button, [tabindex='0'])").all():
            for key in ("ArrowRight", "ArrowLeft", "Enter"):
                if second.inner_html() == before:
                    control.press(key)
        assert second.inner_html() != before, name
        assert first.inner_html() == other, name
    assert bare.evaluate("performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("width", [390, 800])
def test_at_a_width_nothing_is_cut_off_without_a_cue_and_controls_are_high_enough(width, bare):
    bare.set_viewport_size({"width": width, "height": 1000})
    assert bare.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert found(bare, CUT) == {}
    assert found(bare, LOW) == {}


def test_where_less_motion_is_wanted_nothing_moves(bare):
    bare.emulate_media(reduced_motion="reduce")
    assert found(bare, MOVING) == {}


def test_a_key_that_a_picture_answers_scrolls_nothing_and_is_the_browsers_with_a_modifier(bare):
    assert found(bare, KEYS) == {}


def test_a_pointer_that_comes_by_makes_no_screen_reader_talk(bare):
    assert found(bare, SPEAKING) == {}
