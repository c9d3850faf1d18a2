import json
import sys
from functools import partial

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import benchmark
from companion import timing
from reading import COURSE
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


@pytest.mark.parametrize("mistake", [{"causal": False, "cut": False}, {"causal": True, "cut": True}], ids=str)
def test_a_way_that_computes_something_else_is_refused_by_name(ours, mistake):
    inputs = torch.randn(2, 10, 24, requires_grad=True)
    with pytest.raises(AssertionError, match="mine: "):
        benchmark.check(benchmark.ways_of(ours) | {"mine": partial(mistaken, ours, **mistake)}, inputs)


def test_ways_that_all_see_the_future_are_refused_too(ours):
    with pytest.raises(AssertionError, match="mine, with another future: "):
        benchmark.check({"mine": ours}, torch.randn(2, 10, 24, requires_grad=True))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory in use from /proc")
def test_a_run_gives_what_the_notebook_and_the_page_show(monkeypatch):
    monkeypatch.setattr(benchmark, "LONGEST_PLAIN", 8)
    measured = json.loads(json.dumps(benchmark.main(sizes=((1, 12), (2, 8)), d_model=24, seconds=0)))
    assert measured.keys() == timing.MEASURED.keys()
    assert timing.MEASURED["sizes"] == [list(size) for size in benchmark.SIZES]
    assert measured["ways"].keys() == timing.MEASURED["ways"].keys() >= {*timing.WAYS.values()}
    plain, own = (measured["ways"][name] for name in (benchmark.PLAIN, benchmark.OURS))
    assert plain["seconds"][0] is plain["megabytes"][0] is None and min(plain["seconds"][1], *own["seconds"]) > 0
    page = benchmark.table(measured)
    assert f"| {benchmark.OURS} | 1.00 | 1.00 | " in page and f"| {benchmark.PLAIN} | does not fit | " in page
    assert benchmark.table(timing.MEASURED) in (COURSE / "tests/README.md").read_text(encoding="utf-8")
    _, rise = benchmark.measure(lambda inputs: torch.ones(10_000_000 * (1 + torch.is_grad_enabled())), None, 0)
    assert 35 <= rise <= 60  # MB, of 10 million numbers


def test_what_was_measured_comes_by_way_and_length_or_is_nan(monkeypatch):
    ways = {"all": {"seconds": [9.0, 2.0, None]}, "tiles": {"seconds": [9.0, 3.0, 4.0]}}
    monkeypatch.setattr(timing, "MEASURED", {"sizes": [[8, 256], [1, 256], [1, 512]], "ways": ways})
    lengths, times = timing.load_speeds("seconds", ["all", "tiles"])
    assert lengths == [256, 512]
    torch.testing.assert_close(times, torch.tensor([[2.0, torch.nan], [3.0, 4.0]]), equal_nan=True)
