"""What a reader's own model says and looks like is shown in a page that no stored notebook keeps."""

from companion import pieces, timing
from companion.pictures.picture import Picture, canvas
from store import WIDGET_VIEW


def test_what_is_printed_stands_on_a_page_and_not_below_the_cell(monkeypatch, capsys):
    displayed = []
    monkeypatch.setattr(timing, "display", lambda data, raw: displayed.append(data))
    with pieces.page():
        print("5 of 50 are true")
    assert capsys.readouterr().out == "" and displayed[0]["text/plain"] == pieces.ELSEWHERE


def test_a_picture_stands_on_a_page_with_its_words(monkeypatch):
    displayed, pages, made = [], [], pieces.ipywidgets.HTML
    monkeypatch.setattr(pieces, "display", lambda data, raw: displayed.append(data))
    monkeypatch.setattr(pieces.ipywidgets, "HTML", lambda page: pages.append(page) or made(page))
    pieces.page_of(Picture(canvas(1, 1)[0], "a <line>", "It rises."))
    assert WIDGET_VIEW in displayed[0] and displayed[0]["text/plain"] == pieces.ELSEWHERE
    assert 'alt="a &lt;line&gt;"' in pages[0] and "<p>It rises.</p>" in pages[0]
