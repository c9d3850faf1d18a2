"""A run shows its own times, and a stored notebook those of one run."""

import ipywidgets

from companion.pictures import notebook_16_race
from store import WIDGET_VIEW


def test_times_of_a_run_stand_on_a_page_and_others_are_stored(monkeypatch):
    bundles, pages, make = [], [], ipywidgets.HTML
    monkeypatch.setattr(ipywidgets, "HTML", lambda page: pages.append(page) or make(page))
    monkeypatch.setattr(notebook_16_race, "display", lambda bundle, metadata, raw: bundles.append(bundle))
    notebook_16_race.raced({"plain": 100, "tiles < 8": 37}, 2)
    assert "tiles &lt; 8 37%" in pages[0] and "take 2 times as long" in pages[1]
    assert all(WIDGET_VIEW in bundle for bundle in bundles)
    assert "tiles of 64 180%" in bundles[0]["text/plain"] and "29 November 2026" in bundles[1]["text/plain"]
