import torch

from companion import timing
from companion.timing import ELSEWHERE, here, seconds
from store import WIDGET_VIEW


def test_the_median_of_the_rounds_counts_and_the_first_call_does_not(monkeypatch):
    calls, clock = [], iter([0.0, 1.0, 10.0, 18.0, 20.0, 22.0])  # three rounds: 1, 8 and 2 seconds
    monkeypatch.setattr(timing.time, "perf_counter", lambda: next(clock))
    assert seconds(lambda: calls.append(None), rounds=3) == 2.0
    assert len(calls) == 4


def test_what_a_stored_notebook_keeps_says_where_the_numbers_are(monkeypatch):
    displayed, pages = [], []
    monkeypatch.setattr(timing, "display", lambda data, raw: displayed.append(data))
    made = timing.ipywidgets.HTML
    monkeypatch.setattr(timing.ipywidgets, "HTML", lambda page: pages.append(page) or made(page))
    here("times <1", torch.tensor([[0.25]]), columns=[256], decimals=2)
    (data,), (page,) = displayed, pages
    assert WIDGET_VIEW in data and data["text/plain"] == ELSEWHERE and "text/html" not in data
    assert "times &lt;1" in page and "0.25" in page and "256" in page


def test_what_was_measured_comes_by_way_and_length_or_is_nan(monkeypatch):
    ways = {"all": {"seconds": [9.0, 2.0, None]}, "tiles": {"seconds": [9.0, 3.0, 4.0]}}
    monkeypatch.setattr(timing, "MEASURED", {"sizes": [[8, 256], [1, 256], [1, 512]], "ways": ways})
    lengths, times = timing.stored("seconds", ["all", "tiles"])
    assert lengths == [256, 512]
    torch.testing.assert_close(times, torch.tensor([[2.0, torch.nan], [3.0, 4.0]]), equal_nan=True)
