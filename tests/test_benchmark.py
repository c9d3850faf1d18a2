import json
import sys
from functools import partial

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import benchmark
from companion.timing import MEASURED, WAYS
from utils.attention import MultiHeadAttention, merge_heads, split_heads


@pytest.fixture(scope="module")
def ours():
    torch.manual_seed(0)
    return MultiHeadAttention(24, 12)


def mistaken(ours, inputs, causal, cut):
    """The module's outputs with, perhaps, a look into the future, or no gradient through the values."""
    query, key, value = (split_heads(layer(inputs), 12) for layer in (ours.W_query, ours.W_key, ours.W_value))
    value = value.detach() if cut else value
    return ours.W_output(merge_heads(scaled_dot_product_attention(query, key, value, is_causal=causal)))


@pytest.mark.parametrize(
    "mistake, name",
    [({"causal": False, "cut": False}, "mine: "), ({"causal": True, "cut": True}, "mine: ")],
    ids=["sees the future", "loses a gradient"],
)
def test_a_way_that_computes_something_else_is_refused_by_name(ours, mistake, name):
    inputs = torch.randn(2, 10, 24, requires_grad=True)
    benchmark.check(benchmark.ways_of(ours), inputs)
    with pytest.raises(AssertionError, match=name):
        benchmark.check(benchmark.ways_of(ours) | {"mine": partial(mistaken, ours, **mistake)}, inputs)


def test_ways_that_all_see_the_future_are_refused_too(ours):
    with pytest.raises(AssertionError, match="mine, with another future: "):
        benchmark.check({"mine": ours}, torch.randn(2, 10, 24, requires_grad=True))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory in use from /proc")
def test_a_run_writes_what_the_notebook_and_the_page_show(monkeypatch, tmp_path):
    for name, value in {"SIZES": ((1, 12), (2, 8)), "D_MODEL": 24, "LONGEST_PLAIN": 10}.items():
        monkeypatch.setattr(benchmark, name, value)
    for name, text in {"MEASURED": "", "PAGE": f"before\n{'old'.join(benchmark.MARKS)}after\n"}.items():
        monkeypatch.setattr(benchmark, name, tmp_path / name)
        (tmp_path / name).write_text(text, encoding="utf-8")
    benchmark.main()
    measured = json.loads((tmp_path / "MEASURED").read_text(encoding="utf-8"))
    assert measured.keys() == MEASURED.keys() and measured["ways"].keys() == MEASURED["ways"].keys() >= {*WAYS.values()}
    assert all(len(column) == 2 for way in measured["ways"].values() for column in way.values())
    plain, own = (measured["ways"][name]["seconds"] for name in (benchmark.PLAIN, benchmark.OURS))
    assert plain[0] is None and min(plain[1], *own) > 0
    page = (tmp_path / "PAGE").read_text(encoding="utf-8")
    assert page.startswith("before\n") and page.endswith("after\n") and "old" not in page
    assert f"| {benchmark.OURS} | 1.00 | 1.00 | " in page and f"| {benchmark.PLAIN} | does not fit | " in page
