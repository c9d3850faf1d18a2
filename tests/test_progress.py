import ipywidgets
import pytest

from companion import progress as module
from companion.progress import progress
from store import WIDGET_VIEW


@pytest.fixture
def shown(monkeypatch):
    """Collect what is displayed, and the bars that are made."""
    found = {"displayed": [], "bars": []}

    class Bar(ipywidgets.IntProgress):
        def __init__(self, *given, **options):
            super().__init__(*given, **options)
            found["bars"].append(self)

    monkeypatch.setattr(module.ipywidgets, "IntProgress", Bar)
    monkeypatch.setattr(module, "display", lambda data, raw: found["displayed"].append(data))
    return found


def test_every_item_comes_once_and_in_order_while_the_bar_grows(shown):
    seen = [(item, shown["bars"][0].value) for item in progress(iter("abc"), "training")]
    bar = shown["bars"][0]
    assert seen == [("a", 0), ("b", 1), ("c", 2)]
    assert (bar.max, bar.value, bar.description) == (3, 3, "training")


def test_the_bar_vanishes_when_the_loop_is_done_or_left(shown):
    list(progress(range(2), "done"))
    for _ in progress(range(2), "left"):
        break
    loop = progress(range(2), "stopped")
    next(loop)
    with pytest.raises(ZeroDivisionError):
        loop.throw(ZeroDivisionError())
    assert [bar.comm for bar in shown["bars"]] == [None, None, None]


def test_what_a_stored_notebook_keeps_of_it_is_an_empty_text(shown):
    list(progress(range(5), "training"))
    kept = [{kind: part for kind, part in data.items() if kind != WIDGET_VIEW} for data in shown["displayed"]]
    assert kept == [{"text/plain": ""}] and WIDGET_VIEW in shown["displayed"][0]
