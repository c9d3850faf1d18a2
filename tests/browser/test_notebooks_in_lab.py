"""The course in a real JupyterLab: it runs, asks nobody outside, and its pictures live, are accessible, and stay."""

import pytest
from lab import CURRENT, close, code_cells, execute, faults, run_cell, spoken, watched
from live_pictures import example
from nbformat.v4 import new_code_cell, new_output
from playwright.sync_api import Error, expect

from companion.worlds.which_minute.two_sentences import two_sentences
from folding import folded
from reading import NOTEBOOKS

SAMPLE = NOTEBOOKS[6:7]  # a quick one, with most kinds of live picture; each kind has tests of its own besides
CASES = [pytest.param(path, marks=[pytest.mark.only_with_all] * (path not in SAMPLE)) for path in NOTEBOOKS]
# ipywidgets names no slider's handle, and has no trait to do it with; the name stands beside it as a label.
UNNAMED_HANDLE = ("aria-input-field-name", "noUi-handle")


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_and_its_pictures_are_alive_and_accessible(path, lab, desk):
    lab.open(desk, path.name)
    execute(desk, "notebook:run-all-cells")
    cells = code_cells(desk)
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [each for each in outputs if each["output_type"] == "error" or each.get("name") == "stderr"]
    live, explores = (desk.locator(f"{CURRENT} {kind}") for kind in (".attention-live", ".attention-explore"))
    html = "".join("".join(output.get("data", {}).get("text/html", "")) for output in outputs)
    expect(live).to_have_count(html.count('class="attention-live"'))
    expect(explores).to_have_count(html.count("to move this picture's controls"))
    assert not any("Run the cell" in words for words in live.locator(".attn-hint").all_inner_texts())
    for box in explores.all():
        expect(box.locator(".noUi-handle, input, select").first).to_be_visible()
        expect(box.locator("table")).to_be_visible()
    assert not live.count() or faults(desk, f"{CURRENT} .attention-live") == []
    assert not explores.count() or faults(desk, f"{CURRENT} .attention-explore", known=[UNNAMED_HANDLE]) == []
    close(desk)
    desk.watch.check()


def test_two_keys_bring_the_courses_first_picture_to_life(lab, desk):
    lab.open(desk, NOTEBOOKS[0].name)
    desk.keyboard.press("Shift+Enter")
    desk.keyboard.press("Shift+Enter")
    picture = desk.locator(f"{CURRENT} attn-two-sentences")
    expect(picture.locator(".attn-sentence")).to_have_text(two_sentences().text)
    desk.keyboard.press("Shift+Tab")
    desk.keyboard.press("ArrowDown")
    expect(picture.get_by_label("clue of sentence 2")).to_have_value("hole")
    assert spoken(picture) == "polite"
    close(desk)
    desk.watch.check()


def test_a_saved_picture_lives_again_without_a_run(lab, bench):
    run_cell(bench, example("linked-heads"))
    execute(bench, "docmanager:save")
    close(bench, ending=False)
    lab.open(bench, "bench.ipynb")
    picture = bench.locator(f"{CURRENT} .attention-live")
    assert code_cells(bench)[0]["trusted"]
    expect(picture.locator(".attn-hint")).to_contain_text("Point at a word")
    picture.locator("tbody button").first.press("End")
    expect(picture.locator(".attn-sentence")).to_contain_text("“first” looks most at")


def test_an_answer_stays_folded_without_scripts_until_a_run(lab, desk):
    answer = folded([new_output("stream", text="the answer is 42\n")])
    lab.open(desk, lab.write("guess.ipynb", new_code_cell("print('the answer is', 6 * 7)", outputs=answer)))
    assert [cell["trusted"] for cell in code_cells(desk)] == [False]
    front = desk.locator(CURRENT)
    text = front.locator("pre", has_text="the answer is 42")
    expect(front.locator("summary")).to_be_visible()
    expect(text).to_be_hidden()
    front.locator("summary").click()
    expect(text).to_be_visible()
    execute(desk, "notebook:run-cell")
    expect(front.locator("summary")).to_have_count(0)
    expect(text).to_be_visible()
    close(desk)
    desk.watch.check()


def test_a_page_that_stops_or_asks_another_machine_is_told(browser):
    with (
        pytest.raises(AssertionError, match="error: stopped\nasked for http://localhost:8000/"),
        watched(browser) as page,
    ):
        page.set_content("<script>throw Error('stopped')</script>")
        with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):  # though it is this one's name
            page.goto("http://localhost:8000/")
