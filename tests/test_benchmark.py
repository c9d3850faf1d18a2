import json
from functools import partial

import pytest
import torch

import benchmark
from benchmark import MEASURED, PAGE, Case, measure, table
from utils.attention import MultiHeadAttention
from ways import OURS, Way, Ways, check

STORED = json.loads(MEASURED.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(benchmark, "SECONDS", 0)
    monkeypatch.setattr(benchmark, "D_MODEL", 24)


class SeesTheFuture(Ways):
    def matmul(self, *heads):
        self.future = torch.zeros_like(self.future)
        return super().matmul(*heads)


class LosesAGradient(Ways):
    def einsum(self, query, key, value):
        return super().einsum(query, key.detach(), value)


def all_see_the_future(ours, inputs, memory=None):
    return {OURS: Way(partial(ours, inputs), [])}


@pytest.mark.parametrize(
    "build, named",
    [
        (lambda *given: SeesTheFuture(*given).named(), "combined Q, K, V; matmul: "),
        (lambda *given: LosesAGradient(*given).named(), "combined Q, K, V; einsum: "),
        (all_see_the_future, f"{OURS}, with another future: "),
    ],
)
def test_a_way_that_computes_something_else_is_refused_by_name(build, named):
    torch.manual_seed(0)
    ours, inputs = MultiHeadAttention(24, 12), torch.randn(2, 10, 24, requires_grad=True)
    with pytest.raises(AssertionError, match=named):
        check(partial(build, ours), inputs)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("memory", [False, True], ids=["self", "cross"])
@pytest.mark.parametrize("direction", benchmark.DIRECTIONS)
def test_a_measured_case_has_the_stored_form(dtype, memory, direction):
    case = Case("cpu", dtype, 1, 20, memory, direction)
    found = json.loads(json.dumps(measure(case)))
    assert found.keys() == STORED["cases"][0].keys()
    assert found["rounds"] == benchmark.FEWEST and found["left_out"] == {}
    assert found["ways"][OURS]["time"] == 1.0
    assert all(way.keys() == {"time", "seconds", "megabytes"} and way["time"] > 0 for way in found["ways"].values())


def test_what_holds_all_weights_is_left_out_with_the_reason_where_they_do_not_fit(monkeypatch):
    monkeypatch.setattr(benchmark, "COPIES", 1e12)
    found = measure(Case("cpu", "float32", 1, 20, False, "forward"))
    assert "all weights at once need about" in found["left_out"]["combined Q, K, V; matmul"]
    assert found["ways"].keys() == {OURS, "combined Q, K, V; SDPA", "`nn.MultiheadAttention`", "`tiled_attention`"}


def test_the_page_shows_what_is_stored():
    assert table(STORED) in PAGE.read_text(encoding="utf-8")
