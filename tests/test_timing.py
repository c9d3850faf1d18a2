import torch

from companion import timing
from store import WIDGET_VIEW


def test_what_a_stored_notebook_keeps_says_where_the_text_is(monkeypatch):
    displayed, pages = [], []
    monkeypatch.setattr(timing, "display", lambda data, raw: displayed.append(data))
    made = timing.ipywidgets.HTML
    monkeypatch.setattr(timing.ipywidgets, "HTML", lambda page: pages.append(page) or made(page))
    timing.page("times <1: 0.25", elsewhere="(run the cell)")
    (data,), (page,) = displayed, pages
    assert WIDGET_VIEW in data and data["text/plain"] == "(run the cell)" and "text/html" not in data
    assert "times &lt;1: 0.25" in page


def test_what_was_measured_comes_by_way_and_length_or_is_nan(monkeypatch):
    ways = {"all": {"seconds": [9.0, 2.0, None]}, "tiles": {"seconds": [9.0, 3.0, 4.0]}}
    monkeypatch.setattr(timing, "MEASURED", {"sizes": [[8, 256], [1, 256], [1, 512]], "ways": ways})
    lengths, times = timing.stored("seconds", ["all", "tiles"])
    assert lengths == [256, 512]
    torch.testing.assert_close(times, torch.tensor([[2.0, torch.nan], [3.0, 4.0]]), equal_nan=True)
