"""The course as a website, built by the README's command and opened from files."""

import html
import json
import os
import re
import runpy
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import unquote, urljoin, urlsplit

import nbformat
import pytest
from lab import DESKTOP, PHONE, faults
from playwright.sync_api import expect

from companion.pictures.live.base import FOLDER, stripped_source
from compare_outputs import without_photograph
from handbook import PAGES
from reading import COURSE, HANDBOOK, NOTEBOOKS, outputs, printed, prose_cells, read

README = (COURSE / "README.md").read_text(encoding="utf-8")
OPTIONS = re.search(r"bin/sphinx-build (.*) notebooks pages\n", README)[1].split()
# Sphinx's own command, in a Python that refuses every connection.
OFFLINE = """import sys
from sphinx.cmd.build import main

def refuse(event, details):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise RuntimeError(f"the build asked a network: {event} {details}")

sys.addaudithook(refuse)
sys.exit(main(sys.argv[1:]))"""
pages_module = SimpleNamespace(**runpy.run_path(str(COURSE / "website/pages.py")))
NAMES = [path.stem for path in NOTEBOOKS]
HANDBOOK_NAMES = ["handbook/README", *(f"handbook/{path.stem}" for path in PAGES)]
WIDTH = "document.documentElement.scrollWidth"
LIVE_BYTES, EXPLORE_BYTES = 39_000, 10_000  # with the scripts that all share, where they come first

SAMPLE = [*NOTEBOOKS[::10], *HANDBOOK[:1]]
OTHERS = [pytest.param(path, marks=pytest.mark.only_with_all) for path in NOTEBOOKS + HANDBOOK if path not in SAMPLE]


@pytest.fixture(scope="session")
def website(browser, tmp_path_factory):  # first the browser: without it, no website either
    """Return the folder of the website, written as the README says, without a network and without a warning."""
    folder = tmp_path_factory.mktemp("website") / "pages"
    command = [sys.executable, "-c", OFFLINE, *OPTIONS, "notebooks", str(folder)]
    published = os.environ | {"WEBSITE": "https://example.org/course/", "GITHUB_REPOSITORY": "ann/course"}
    run = subprocess.run(command, cwd=COURSE, env=published, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert [path.name for path in folder.parent.iterdir()] == ["pages"]  # and nothing beside it
    return folder


@pytest.fixture
def opened(website, visit):
    """Return a function that opens a page of the website."""
    return lambda name, **options: visit((website / f"{name}.html").as_uri(), **options)


# ---- every page ----


ALIVE = """[...document.querySelectorAll("article *")]
  .filter((found) => found.localName.startsWith("attn-")).map((found) => found.matches(":defined"))"""


@pytest.mark.parametrize("path", SAMPLE + OTHERS, ids=lambda path: path.stem)
def test_a_page_is_alive_offline_reads_without_scripts_and_fits_a_phone(path, opened):
    name = path.relative_to(COURSE / "notebooks").with_suffix("").as_posix()
    plain, page, stored = opened(name, java_script_enabled=False), opened(name), outputs(read(path))
    assert plain.locator(".attn-controls").count() == 0
    tables, live_tables = (view.locator(".attention-sheet :is(td, th)").all_text_contents() for view in (plain, page))
    assert tables == live_tables
    live = "".join(output.get("data", {}).get("text/html", "") for output in stored).count("<attn-")
    assert page.evaluate(ALIVE) == [True] * live
    check_words(plain, stored)
    # A key reaches each block that is wider than the column, and no other.
    missed = "all => all.filter(one => one.scrollWidth > one.clientWidth !== one.tabIndex >= 0).length"
    blocks = page.locator("article :is(pre, .table-wrapper)")
    page.set_viewport_size(PHONE["viewport"])
    page.locator("article details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    assert page.evaluate(CRAMPED) == [390, []] and blocks.evaluate_all(missed) == 0
    page.set_viewport_size(DESKTOP)
    page.evaluate(CRAMPED)
    assert blocks.evaluate_all(missed) == 0


def test_each_sentence_that_a_page_says_in_other_words_is_in_the_course_and_not_on_the_page():
    course, left, words = "", set(), pages_module.WORDS
    only_stored = {*words, ": run the cell)", "The thread takes", "the course's own, until", "pieces are your"}
    for path in [*NOTEBOOKS, *HANDBOOK, PAGES[0].with_name("README.md")]:
        page = [path.read_text(encoding="utf-8")]
        course += page[0]
        pages_module.fit_notebook(None, path.stem, page)
        if path.suffix == ".ipynb":
            notebook = nbformat.v4.reads(page[0])
            assert not any("image/png" in output.get("data", {}) for output in outputs(notebook))  # which has no words
            page = [printed(notebook), *(cell.source for cell in prose_cells(notebook))]
        left |= {sentence for sentence in only_stored if sentence in "\n".join(page)}
        assert "\n".join(page).count(pages_module.FROM_ANOTHER_MACHINE) == len(
            pages_module.MACHINE_TEXTS.get(path.stem, [])
        )
    assert all(json.dumps(sentence, ensure_ascii=False)[1:-1] in course for sentence in words) and left == set()
    with pytest.raises(LookupError, match="python website/machine_texts.py"):
        pages_module.next_machine_text(iter([]))


def test_quotes_and_marks_in_a_pictures_words_stay_words():
    about = {"image/png": {"alt": 'the row of "a" < b', "width": 1}}
    page = pages_module.fit_output({"image/png": ""}, about, ())["text/html"]
    assert 'alt="the row of &quot;a&quot; &lt; b"' in page
    assert pages_module.fit_output({"text/plain": "\n"}, {}, ()) == {}
    assert pages_module.fit_text("When the picture is live, move it.") == "Move it."
    code, symbols = "<pre>\nd_k\n</pre> ", "d<sub>k</sub> S<sub>t−1</sub>"
    assert pages_module.SYMBOLS.sub(pages_module.as_subscript, f"{code}d_k S_t−1") == code + symbols


@pytest.mark.parametrize(
    "width, about, kind", [(86, "", "line"), (100, "", "line wide"), (101, ' class="prose"', "line wide")]
)
def test_a_block_that_is_wider_than_any_table_goes_on_below(width, about, kind):
    block = re.sub(".+", pages_module.let_prose_wrap, f"<pre>{width * 'm'}</pre>")
    assert block == f"<pre{about}>{width * 'm'}</pre>"
    code = f"  <b>x</b> {(width - 5) * 'm'}&lt;"
    line = re.sub(".+", pages_module.hang_long_line, code)
    assert line == f'<span class="{kind}" style="--hang: 6ch">{code}</span>'


def test_a_long_line_of_code_goes_on_right_of_where_it_begins_and_imports_are_folded(opened):
    page = opened("12_transformer_block", **PHONE)
    line = page.locator(".cell_input .line", has_text="        size = length_of(")
    parts = "words => words.filter(word => word.textContent.trim()).map(word => word.getBoundingClientRect())"
    first, *others = line.locator("span").evaluate_all(parts)
    assert line.bounding_box()["height"] > 2 * first["height"]  # it does not fit, and
    assert min(word["left"] for word in others) > first["left"]
    folded = page.get_by_text("What the code of this page imports")
    assert not page.get_by_text("import torch").first.is_visible() and folded.count() == 1


def check_words(page, stored):
    """Assert that a page has every picture, each in words, too, nothing empty, and asks nobody to run a cell."""
    alts = []
    for output in stored:
        alts += filter(None, [output.get("metadata", {}).get("image/png", {}).get("alt")])
        alts += map(html.unescape, re.findall('<img [^>]*?alt="(.*?)"', output.get("data", {}).get("text/html", "")))
    assert page.locator("article img:not(.once + *)").evaluate_all("all => all.map(one => one.alt)") == alts
    assert all(len(alt.split()) >= 8 for alt in alts)
    printed = page.locator(".cell_output > *").evaluate_all("all => all.map(one => one.innerHTML)")
    assert not [text for text in printed if ": run the cell)" in text or not re.search(r"<img|>\s*[^<\s]", text)]
    driven = [output for output in stored if output.get("data", {}).get("text/plain", "").startswith("explore(")]
    hints = page.locator(".attention-sheet .attn-hint").all_text_contents()
    assert len(hints) == len(driven)
    assert all("driven by Python" in hint and "JupyterLab, or on Binder" in hint for hint in hints)
    assert "run the cell" not in " ".join(page.locator(".attn-hint, summary").all_text_contents()).lower()


# What is cut off at the right and not in a box of its own that scrolls; boxes that scroll, and neither fade at the edge
# nor have a shade there; and pictures too small to be read.
CRAMPED = """async () => {
  const article = document.querySelector("article"), all = selector => [...article.querySelectorAll(selector)];
  const moves = box => ["auto", "scroll"].includes(getComputedStyle(box).overflowX);
  const scrolls = box => box !== article && (moves(box) || scrolls(box.parentElement));
  const cut = all("*").filter(one => one.getBoundingClientRect().right > innerWidth && !scrolls(one.parentElement));
  for (const frame of [1, 2]) await new Promise(requestAnimationFrame); // until the edges fade
  const cue = (box, {maskImage, backgroundImage} = getComputedStyle(box)) => maskImage + backgroundImage !== "nonenone";
  const silent = all("*").filter(box => moves(box) && box.scrollWidth > box.clientWidth && !cue(box));
  const small = all("img").filter(one => one.clientWidth < Math.min(one.getAttribute("width"), 330));
  return [document.documentElement.scrollWidth, [...cut, ...silent, ...small].map(one => one.outerHTML.slice(0, 200))];
}"""


@pytest.mark.parametrize("path", NOTEBOOKS + HANDBOOK, ids=lambda path: path.stem)
def test_a_live_picture_adds_few_bytes_to_its_notebook(path):
    scripts, there = [stripped_source(path) for path in FOLDER.iterdir() if path.suffix in (".js", ".css")], set()
    for output in outputs(nbformat.read(path, as_version=4)):
        page = output.get("data", {}).get("text/html", "")
        if 'class="attention-live"' in page:
            page = without_photograph(page)
            used = {script for script in scripts if script in page}
            assert used and len(page.encode()) - len("".join(used & there).encode()) < LIVE_BYTES
            there |= used
        elif output.get("data", {}).get("text/plain", "").startswith("explore("):
            assert len(page.encode()) < EXPLORE_BYTES


# ---- from page to page ----


def linked(website, name):
    """Return of a page where its links lead, [(file, anchor)], the anchors that it has, and its lists of pages."""
    page = re.sub("(<script.*?>).*?</script>", r"\1", (website / name).read_text(encoding="utf-8"), flags=re.DOTALL)

    def addresses(part, pattern=r' (?:href|src)="(?!data:)([^"]+)"'):
        places = [urlsplit(urljoin(f"file:///{name}", html.unescape(link))) for link in re.findall(pattern, part)]
        return [(unquote(at.path[1:]), unquote(at.fragment)) for at in places if at.scheme == "file"]

    def listed(inside):
        return [file or name for part in re.findall(inside, page, re.DOTALL) for file, _ in addresses(part)]

    lists = ['<div class="sidebar-tree">(.*?)</div>', '<li class="[^"]* current current-page".*?</li>']
    lists += ['<nav class="course-map".*?</nav>', '<li class="[a-z ]*row".*?</li>', "<li [^>]*aria-current.*?</li>"]
    return addresses(page), {*re.findall(r' id="([^"]+)"', page)}, *map(listed, [*lists, '<li class="ahead.*?</nav>'])


def test_every_page_lists_all_in_order_and_no_link_or_anchor_is_dead(website):
    pages = [f"{name}.html" for name in (*NAMES, *HANDBOOK_NAMES, "search", "index")]
    links_of = {page: linked(website, page) for page in pages}
    lessons, others = ([f"{name}.html" for name in some] for some in (NAMES, HANDBOOK_NAMES))
    held = re.findall(r'url\("([\w.-]+)"', (website / "_static/custom.css").read_text("utf-8"))
    assert len(held) == 3 and all((website / "_static" / name).is_file() for name in held)
    style = re.sub(r'/\*.*?\*/|"[^"]*"', "", (website / "_static/custom.css").read_text("utf-8"))
    texts = [path.read_text("utf-8") for path in [*website.rglob("*.html"), website / "_static/scripts/furo.js"]]
    there = re.findall(r'class="[^"]*"|<script(?s:.*?)</script>|"[\w-]+"', "".join(texts))  # or made by a script
    assert {*re.findall(r"\.([a-z][\w-]+)", style)} <= {*re.findall(r"[\w-]+", " ".join(there))}
    starts = [f"{lessons[0]['name']}.html" for _, lessons in pages_module.course(COURSE / "notebooks")["parts"][::2]]
    for page, (links, _, menu, shown, path, rows, here, ahead) in links_of.items():
        assert menu == ([] if page == "index.html" else [*lessons, *others])
        assert path == ([] if page == "search.html" else lessons)
        assert (shown, rows) == ([page] * (page in menu), starts if path else [])
        assert here == [page] * (page in lessons) and ahead == path[lessons.index(page) + 1 if here else 0 :]
        binder = f"ann/course/HEAD?labpath=notebooks/{'00_start_here' if page == 'index.html' else page[:-5]}.ipynb"
        text = (website / page).read_text(encoding="utf-8")
        assert page[:-5] in ("search", "handbook/README") or binder in text
        assert text.count("The code of this picture") == (page in lessons)
        marks = 'aria-label="All pages">', 'rel="apple-touch-icon"', 'index.html"><div', "Copyright", "<p></p></th>"
        assert [mark in text for mark in marks] == [True, True, page != "index.html", False, False]
        for target, anchor in links:
            assert target and (website / target).is_file(), (page, target)
            assert not target.endswith(".ipynb"), (page, target)
            assert not anchor or anchor in links_of[target][1], (page, target, anchor)


def test_the_cover_asks_which_minute_and_says_what_a_link_to_it_shows(opened):
    assert faults(opened("index", color_scheme="dark"), "article") == []
    assert [opened("index", color_scheme=theme, **PHONE).evaluate(WIDTH) for theme in ("light", "dark")] == [390, 390]
    page = opened("index")
    assert page.evaluate(WIDTH) == page.viewport_size["width"]
    assert page.evaluate(ALIVE) == [True] and faults(page, "article") == []
    start, *doors = (f"{NAMES[number]}.html" for number in (0, 0, 19, 20))
    doors = [start, f"{start}#three-ways-in", *doors, "handbook/README.html"]
    leads = page.locator(".cover > a, .doors a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert leads == doors
    assert page.locator(".ways a").last.get_attribute("href") == "https://github.com/ann/course"
    assert page.get_by_text(f"a free course of {len(NOTEBOOKS)} notebooks").count() == 1
    hidden = page.locator(".cover :is(.attn-hint, .attn-lead)")
    assert hidden.evaluate_all("all => all.map(one => one.checkVisibility())") == [False, False]
    before = page.locator("attn-two-sentences .attn-sentence").text_content()
    menu, cover = page.locator("attn-two-sentences select").first, page.locator(".cover")
    menu.select_option("crack")
    assert page.locator("attn-two-sentences .attn-sentence").text_content() != before
    expect(cover).to_have_attribute("data-next", "network")
    page.get_by_text("untrained", exact=True).click()
    menu.select_option("film")  # and what is pressed already is not asked for
    expect(cover).to_have_attribute("data-next", "")
    shown = "meta:is([name=description], [property^='og:'], [name='twitter:card']):not([content=''])"
    assert page.locator("meta[content='https://example.org/course/_static/preview.png']").count() == 1
    assert page.locator(shown).count() == 7 and page.locator("link[rel='icon'], link[rel='shortcut icon']").count() == 1


def test_a_page_says_its_minutes_and_leads_to_the_next_if_there_is_one(opened):
    page = opened(NAMES[3])
    minutes = page.get_by_text("minutes to read, ").text_content()
    assert re.search(r"\d+ minutes to read, \d+ more for exercises\.", minutes)
    assert page.title() == "03 · Queries, keys, values · Attention from scratch"
    about = page.locator("meta[name=description]").get_attribute("content")
    assert about.startswith("Why three versions of each token? A notebook of a course")
    said = page.locator("meta[property]").evaluate_all("all => all.map(one => one.content)")
    assert said[:2] == ["03 · Queries, keys, values", about]
    assert page.locator(".ways span").text_content() == pages_module.lesson(NOTEBOOKS[4])["question"]
    page.get_by_role("link", name="Next: 04 Attention scores").click()
    assert page.url.endswith(f"/{NAMES[4]}.html")
    assert opened(NAMES[-1]).locator(".begin").count() == opened("search").locator(".begin").count() == 0


def test_the_list_of_pages_shows_where_one_is_and_the_index_what_holds_the_words_typed(opened):
    page = opened("handbook/README", viewport={"width": 1400, "height": 600})
    expect(page.locator(".sidebar-tree .current-page")).to_be_in_viewport()
    titles = [pages_module.opening(path).split("\n")[0][2:] for path in [*NOTEBOOKS, *PAGES]]
    titles.insert(len(NOTEBOOKS), "The handbook")
    listed = [*titles, *(pages_module.lesson(path)["question"] for path in NOTEBOOKS)]
    assert page.locator(".sidebar-tree a, .course-map small").all_text_contents() == listed
    field, shown = page.get_by_role("searchbox", name="Show the answers"), page.locator("article section li:visible")
    everything = shown.count()
    field.fill("NaN padding")
    assert 0 < shown.count() < everything / 10
    assert all("nan" in text.lower() and "padding" in text.lower() for text in shown.all_text_contents())
    field.fill("NaN zebra")
    expect(page.get_by_role("status")).to_have_text("No answer here holds all these words. Try fewer of them.")
    field.fill("")
    assert shown.count() == everything and page.get_by_role("status").text_content() == ""
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    expect(page.locator(".toc-tree .scroll-current > a").last).to_be_in_viewport()


def test_the_search_finds_a_page_from_files(opened):
    page = opened(NAMES[0])
    page.locator("input[name=q]").fill("softmax")
    page.locator("input[name=q]").press("Enter")
    assert page.locator("h1").text_content() == "Search"
    page.locator("#search-results a[href^='05_softmax.html']").first.click()
    assert page.locator("h1").text_content().startswith("05 · Softmax")


# ---- how it looks ----


@pytest.mark.parametrize("theme, name", [("light", NAMES[0]), ("dark", NAMES[3])])
def test_text_is_readable_in_light_and_in_dark_as_the_reader_prefers(theme, name, opened):
    page = opened(name, color_scheme=theme)
    page.locator("article details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    assert faults(page, "article") == []


TURNED = """colors => colors.flatMap(color => {
  const ink = document.createElement("canvas").getContext("2d");
  Object.assign(ink, { filter: "url(#dark)", fillStyle: `rgb(${color})` });
  ink.fillRect(0, 0, 9, 9);
  return [...ink.getImageData(4, 4, 1, 1).data].slice(0, 3);
})"""


@pytest.mark.parametrize("scheme, chosen", [("light", "auto"), ("dark", "auto"), ("light", "dark"), ("dark", "light")])
def test_in_the_dark_pictures_are_turned_dark(scheme, chosen, opened):
    pictures = opened("10_cross_attention", color_scheme=scheme).locator("article :is(img, .attention-live)")
    look = "(all, theme) => all.map(one => (document.body.dataset.theme = theme, getComputedStyle(one).filter))"
    assert ("none" not in pictures.evaluate_all(look, chosen)) is ("dark" in (chosen, scheme) and chosen != "light")


def test_pictures_are_turned_dark_as_those_of_the_readme(opened):
    colors = [*map(bytes.fromhex, ("000000", "404040", "808080", "bfbfbf", "0072b2", "d55e00"))]
    turned = runpy.run_path(str(COURSE / "website/door.py"))["darkened"](b"".join(colors))
    shown = opened(NAMES[0], color_scheme="dark").evaluate(TURNED, [[*color] for color in colors])
    assert max(abs(one - other) for one, other in zip(shown, turned, strict=True)) <= 2


def test_formulas_and_sizes_are_set_as_such_but_not_in_code(opened):
    page = opened("03_queries_keys_values")
    assert page.locator("math").text_content() == "softmax(QKTdk)V"
    assert page.locator("td sub").first.text_content() == "k" and page.locator("td code", has_text="d_k**0.5").count()
    assert opened("05_softmax").locator("h2 sub, .toc-tree sub").all_text_contents() == ["k", "k"]
