"""What every live picture keeps: it lives in JupyterLab and on a bare page, is accessible, fits, and has a twin."""

import re

import pytest
from hostile import HOSTILE, SHOWN
from lab import CURRENT, DESKTOP, PHONE, STATE, close, code_cells, drag_by_finger, execute, faults, place_on, spoken
from live_pictures import EXAMPLES, WITH_TOKENS, example, made, sampled
from nbformat.v4 import new_code_cell, new_output
from playwright.sync_api import expect

from companion.pictures.live.notebook_11_clocks import position_clocks

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
HEARD = """() => {
  window.heard = [];
  document.addEventListener("keydown", event => window.heard.push((event.shiftKey ? "Shift+" : "") + event.key));
}"""


@pytest.fixture(scope="module")
def live(lab, desk, names):
    """JupyterLab with a notebook that has run every example."""
    name = lab.write("live.ipynb", *(new_code_cell(example(each)) for each in names))
    lab.open(desk, name)
    execute(desk, "notebook:run-all-cells")
    yield desk
    lab.open(desk, name)
    close(desk)


@pytest.fixture(scope="module")
def stored(live, names):
    """What the cell of each example stores, by its name."""
    expect(live.locator(f"{CURRENT} {LIVE}")).to_have_count(len(names))
    return {name: cell["outputs"][0]["data"] for name, cell in zip(names, code_cells(live))}


@pytest.fixture(scope="module")
def bare(stored, pages, tmp_path_factory):
    """A page from a file, without JupyterLab's style, that holds every example twice."""
    body = "".join("".join(each["text/html"]) for each in stored.values())
    path = tmp_path_factory.mktemp("bare") / "page.html"
    path.write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Live pictures</title><body>{body}{body}</body></html>",
        encoding="utf-8",
    )
    page = pages()
    page.goto(path.as_uri())
    yield page
    page.set_viewport_size(DESKTOP)
    page.emulate_media(reduced_motion="no-preference")
    page.watch.check()


def found(page, script):
    """Return what a script finds wrong in the pictures of a page, by their names."""
    pictures = page.locator(LIVE).all()
    wrong = [(picture.get_attribute("aria-label"), picture.evaluate(script)) for picture in pictures]
    return {name: places for name, places in wrong if places}


def check_alive(picture):
    expect(picture.locator("input, button, [tabindex='0']").first).to_be_visible()
    expect(picture.locator(".attn-hint")).not_to_contain_text("Run the cell")


@pytest.mark.parametrize("name", sampled(EXAMPLES))
def test_a_picture_lives_in_jupyterlab_which_hears_none_of_its_keys(name, live, stored):
    picture = live.locator(f"{CURRENT} {LIVE}:has(attn-{name})")
    check_alive(picture)
    control = picture.locator(".attn-body :is(input, button, select, [tabindex='0'])").first
    control.focus()
    mode, _, cells = live.evaluate(STATE)
    for key in ("ArrowDown", *"ddabxm"):  # delete, insert above and below, cut, turn into Markdown
        control.press(key)
    after = live.evaluate(STATE)
    assert (mode, cells) == (after[0], after[2]) == ("command", len(stored))
    assert live.locator(".jp-Dialog").count() == 0
    live.watch.check()


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_pictures_are_accessible_and_dark_in_a_dark_theme(theme, live, stored):
    live.evaluate(THEME, theme)
    turned = live.locator(LIVE).evaluate_all("all => all.map(one => getComputedStyle(one).filter !== 'none')")
    assert set(turned) == {theme == "JupyterLab Dark"}
    # On a shade, axe would not judge the contrast of words.
    live.add_style_tag(content=f"{LIVE}, {LIVE} * {{ background-image: none !important }}")
    assert faults(live, f"{CURRENT} {LIVE}") == []


def test_where_scripts_are_stripped_the_twin_says_the_same(lab, desk, stored):
    cells = [new_code_cell("stored", outputs=[new_output("display_data", each)]) for each in stored.values()]
    lab.open(desk, lab.write("strange_live.ipynb", *cells))
    assert not any(cell["trusted"] for cell in code_cells(desk))
    twins = desk.locator(f"{CURRENT} .jp-RenderedHTMLCommon:has({LIVE})")
    expect(twins).to_have_count(len(stored))
    assert twins.locator("script, style, input, svg").count() == 0
    assert set(twins.locator(".attn-hint").all_inner_texts()) == {"Run the cell to move this picture."}
    said = [f"{name}: {text}" for name, text in zip(stored, twins.locator(".attn-sentence").all_inner_texts())]
    assert said == ["".join(each["text/plain"]) for each in stored.values()]
    assert all(twin.locator("td").count() for twin in twins.all())
    assert twins.locator("details table").first.is_hidden()
    close(desk)
    desk.watch.check()


@pytest.mark.parametrize("name", sampled(WITH_TOKENS))
@pytest.mark.parametrize(
    "tokens, words",
    [
        pytest.param(HOSTILE, SHOWN, id="one way"),
        pytest.param(HOSTILE[::-1], SHOWN[::-1], id="other way", marks=pytest.mark.only_with_all),
    ],
)
def test_tokens_are_text_and_not_markup(name, tokens, words, pages):
    page, found = pages(), []
    for each in ([f"token{place}." for place in range(9)], tokens):
        page.goto("about:blank")
        page.set_content(made(name, each)._repr_mimebundle_()["text/html"])
        page.locator(".attn-body :is(input, button, [tabindex='0'])").first.press("ArrowDown")
        found.append(page.evaluate(PARTS))
    (tags, text), (hostile_tags, hostile_text) = found
    assert set(hostile_tags) == set(tags)
    assert all(words[int(place)] in hostile_text for place in re.findall(r"token(\d)\.", text))
    assert page.evaluate("window.hacked === undefined")


def test_two_of_a_picture_live_on_a_bare_page_and_leave_each_other_alone(bare, names):
    for name in names:
        first, second = bare.locator(f"{LIVE}:has(attn-{name})").all()
        for picture in (first, second):
            check_alive(picture)
        assert spoken(second) == "off", name  # what a picture says at first, nobody asked for
        other, before = first.inner_html(), second.inner_html()
        for control in second.locator(".attn-body :is(input, button, [tabindex='0'])").all():
            for key in ("ArrowRight", "ArrowLeft", "Enter"):
                if second.inner_html() == before:
                    control.press(key)
        assert second.inner_html() != before and spoken(second) == "polite", name
        assert first.inner_html() == other, name
        assert first.locator(":checked").count() == second.locator(":checked").count(), name
    assert bare.evaluate("performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("width", [390, 800])
def test_nothing_is_cut_off_without_a_cue_and_controls_are_high_enough(width, bare):
    bare.set_viewport_size({"width": width, "height": 1000})
    assert bare.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert found(bare, CUT) == {}
    assert found(bare, LOW) == {}


def test_an_answered_key_scrolls_nothing_a_passing_pointer_is_silent_and_without_motion_nothing_moves(bare):
    assert found(bare, KEYS) == {}
    assert found(bare, SPEAKING) == {}
    bare.emulate_media(reduced_motion="reduce")
    assert found(bare, MOVING) == {}


def test_escape_and_key_combinations_reach_the_page_and_no_other_key(bare, names):
    bare.evaluate(HEARD)
    for name in names:
        control = bare.locator(f"attn-{name} .attn-body :is(input, button, select, [tabindex='0'])").first
        for key in ("Escape", "d", "ArrowDown", "Enter", "Shift+Enter", "Control+s"):
            control.press(key)
        heard = [key for key in bare.evaluate("heard.splice(0)") if key not in ("Shift+Shift", "Shift")]
        assert heard == ["Escape", "Shift+Enter", "Control", "s"], name


def test_a_finger_moves_every_slider_and_does_not_scroll(on_page, names):
    page = on_page(*map(made, names), position_clocks(16), **PHONE)
    sliders = page.locator("input[type=range]:enabled").all()
    assert sliders
    for slider in sliders:
        if slider.is_visible():
            slider.scroll_into_view_if_needed()
            before = page.evaluate("scrollY")
            drag_by_finger(page, place_on(slider, 0.5), place_on(slider, 1.1))
            assert slider.evaluate("one => one.value === one.max") and page.evaluate("scrollY") == before
