import ipywidgets
import pytest

from companion import progress as module
from companion.progress import progress
from store import WIDGET_VIEW


@pytest.fixture
def display(monkeypatch):
    """Collect what is displayed, and the bars that are made."""
    collected, make = {"displayed": [], "bars": []}, ipywidgets.IntProgress
    bar = lambda *inputs, **options: collected["bars"].append(make(*inputs, **options)) or collected["bars"][-1]  # noqa: E731
    monkeypatch.setattr(module.ipywidgets, "IntProgress", bar)
    monkeypatch.setattr(module, "display", lambda data, raw: collected["displayed"].append(raw and data))
    return collected


def test_every_item_comes_once_and_in_order_while_the_bar_grows(display):
    rows = [(item, display["bars"][0].value) for item in progress(iter("abc"), "training")]
    (bar,) = display["bars"]
    assert rows == [("a", 0), ("b", 1), ("c", 2)]
    assert (bar.max, bar.value, bar.description, bar.style.description_width) == (3, 3, "training", "initial")
    assert len({display["bars"][1].value for _ in progress(range(250), "in parts of two")}) == 125
    stored = [{kind: part for kind, part in data.items() if kind != WIDGET_VIEW} for data in display["displayed"]]
    assert stored == [{"text/plain": ""}] * 2, "of the bar, a stored notebook keeps an empty text"


def test_the_bar_vanishes_when_the_loop_is_done_or_left(display):
    list(progress(range(2), "done"))
    for _ in progress(range(2), "left"):
        break
    loop = progress(range(2), "stopped")
    next(loop)
    with pytest.raises(ZeroDivisionError):
        loop.throw(ZeroDivisionError())
    assert [bar.comm for bar in display["bars"]] == [None, None, None]
