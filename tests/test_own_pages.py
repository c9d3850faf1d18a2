"""What a reader's own model says and looks like is shown in a page that no stored notebook keeps."""

import ipywidgets
import pytest

from companion import own_pages
from companion.pictures.picture import Picture, canvas
from companion.pictures.table import Page
from store import WIDGET_VIEW


@pytest.fixture
def pages(monkeypatch):
    """The pages that are displayed; a stored notebook keeps one sentence of each."""
    bundles, texts, make = [], [], ipywidgets.HTML
    monkeypatch.setattr(ipywidgets, "HTML", lambda text: texts.append(text) or make(text))
    monkeypatch.setattr(own_pages, "display", lambda bundle, raw: bundles.append(raw and bundle))
    yield texts
    (bundle,) = bundles
    assert {*bundle} == {WIDGET_VIEW, "text/plain"} and bundle["text/plain"] == own_pages.ELSEWHERE


def test_what_is_printed_stands_on_a_page_and_not_below_the_cell(pages, capsys):
    with own_pages.on_page():
        print("5 < 50 are true")
    assert capsys.readouterr().out == "" and "5 &lt; 50 are true" in pages[0]


@pytest.mark.parametrize(
    "picture, parts",
    [
        (Picture(canvas(1, 1)[0], "a <line>", "It's < 1."), ['alt="a &lt;line&gt;"', "<p>It's &lt; 1.</p>"]),
        (Picture(canvas(1, 1)[0], "a line"), ['width="100" ', "<p></p>"]),
        (Page("words", "<b>words</b>", "a title"), ["<b>words</b>", 'aria-label="a title"', "overflow:auto"]),
    ],
)
def test_a_picture_stands_on_a_page_with_its_words(picture, parts, pages):
    own_pages.show_on_page(picture)
    assert all(part in pages[0] for part in parts)


def test_a_certificate_is_written_beside_the_readers_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_MINE", str(tmp_path / "mine.py"))
    own_pages.write_certificate(10, ["Paris <."])
    said = capsys.readouterr().out
    assert "no pieces yet" in said and ".html" not in said and not [*tmp_path.iterdir()]
    (tmp_path / "mine.py").write_text("# Notebook 01: encode\ndef encode():\n    return 1 < 2\n", encoding="utf-8")
    own_pages.write_certificate(9, ["Paris <."])
    page = (tmp_path / "my_language_model.html").read_text(encoding="utf-8")
    assert all(words in page for words in ('charset="utf-8"', "On 9 of 10 texts", "return 1 &lt; 2", "Paris &lt;."))
    said = capsys.readouterr().out
    assert all(words in said for words in ("1 pieces, 2 lines", "\n9 of 10 texts: ", "\nmy_language_model.html has it"))
    own_pages.write_keepsake([["Ida", "sang", "."]])
    said = capsys.readouterr().out
    assert said == "mine.py: 1 pieces, 2 lines\nwhat_i_built.html has it, and 1 stories of your model\n"
