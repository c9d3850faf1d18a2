"""Each stored live picture has its photograph; comparing outputs leaves it out."""

import pytest
from nbformat.v4 import new_output

import photographs
from browsing import chromium
from compare_outputs import PHOTOGRAPH, same
from photographs import LIVE, add_photographs, digest
from reading import HANDBOOK, NOTEBOOKS, outputs, read

PAGE = f'{LIVE} aria-label="A bar"><div class="attn-body"><table></table></div></div>'


@pytest.mark.parametrize("path", NOTEBOOKS + HANDBOOK, ids=lambda path: path.stem)
def test_a_stored_live_picture_has_a_photograph_of_itself(path):
    pages = [output.get("data", {}).get("text/html", "") for output in outputs(read(path))]
    for page in pages:
        if page.startswith(LIVE):
            assert PHOTOGRAPH.findall(page) == [digest(page)]
            assert f'<div class="attn-body">{PHOTOGRAPH.search(page)[0]}<details>' in page


def test_a_photograph_is_no_difference_and_the_page_around_it_is():
    image = '<img class="attn-photograph" data-of="0f" alt="A bar: 1 &gt; 0" src="data:image/png;base64,iVBOR"/>'
    stored = PAGE.replace("<table>", f"{image}<table>")
    assert same(stored, PAGE) and not same(stored, PAGE.replace("A bar", "Two bars"))
    assert digest(stored) == digest(PAGE) != digest(PAGE.replace("A bar", "Two bars"))


def test_without_a_browser_a_changed_picture_is_not_stored(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "nowhere")
    with pytest.raises(FileNotFoundError, match="CHROMIUM='nowhere', which is not a file"):
        chromium()
    monkeypatch.setattr(photographs, "chromium", lambda: None)
    add_photographs([new_output("stream", text="1"), new_output("display_data", {"text/html": "<b>1</b>"})])
    with pytest.raises(FileNotFoundError, match="a Chromium photographs it: install one"):
        add_photographs([new_output("display_data", {"text/html": PAGE, "text/plain": "bar: 1 of 1"})])
