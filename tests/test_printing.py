import math
from contextlib import redirect_stdout
from io import StringIO

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from random_cases import tries
from utils.printing import WIDTH, compare, setup, show

WEIGHTS = torch.tensor([[0.25, 0.75], [1 / 3, 1e-6]])
LABELS = st.integers(1, 99).map("x".__mul__)  # from short to as wide as the page


def printed(function, *arguments, **options):
    with redirect_stdout(StringIO()) as output:
        function(*arguments, **options)
    return output.getvalue()


def test_set_up_prints_four_decimals_and_computes_on_one_thread():
    torch.set_num_threads(2)
    torch.set_printoptions(precision=2)
    setup()
    line = str(torch.tensor([1e-7, 1000.0] * 4))
    torch.set_printoptions(profile="default")
    assert line == f"tensor([{', '.join(['   0.0000, 1000.0000'] * 4)}])" and torch.get_num_threads() == 1


@pytest.mark.parametrize(
    "tensor, labels, lines",
    [
        (WEIGHTS.clone().requires_grad_() * 1, {}, ["  0.2500  0.7500", "  0.3333  0.0000"]),
        (WEIGHTS[0], {"decimals": 1}, ["  0.2  0.8"]),
        (torch.tensor([4, 15]), {}, ["   4  15"]),
        (torch.tensor([-1e-9, -0.5, -math.inf, math.nan]), {}, ["   0.0000  -0.5000     -inf      nan"]),
        (torch.tensor([1e99], dtype=torch.float64), {}, [f"  {1e99:.4f}"]),
        (WEIGHTS, {"rows": [24 * "m", 25 * "m"]}, [f"  {24 * 'm'}  0.2500  0.7500", f"  {23 * 'm'}…  0.3333  0.0000"]),
        (WEIGHTS[:1], {"columns": ["a", "b"]}, ["       a       b", "  0.2500  0.7500"]),
        (WEIGHTS[0], {"columns": ["a", "b"]}, ["       a       b", "  0.2500  0.7500"]),
        (WEIGHTS[:1], {"rows": [3], "columns": ["b", "c"]}, ["          b       c", "  3  0.2500  0.7500"]),
    ],
)
def test_numbers_and_their_labels_stand_in_columns(tensor, labels, lines):
    assert printed(show, "x", tensor, **labels).splitlines() == [f"x  {tuple(tensor.shape)}", *lines]


def test_a_long_vector_is_wrapped_and_loses_no_number():
    _, *lines = printed(show, "x", torch.arange(40.0)).splitlines()
    assert " ".join(lines).split() == [f"{number}.0000" for number in range(40)]
    assert len(lines) == 4 and max(map(len, lines)) <= WIDTH


def test_a_matrix_that_is_too_wide_shows_its_first_columns_and_its_last():
    fits, wide = (printed(show, "x", torch.arange(count)[None] % 9 + 0.0, rows=["eat up"]) for count in (11, 12))
    assert len(fits.splitlines()[1]) == WIDTH and "…" not in fits
    assert wide.splitlines()[1].startswith("  eat up  0.0000  1.0000") and wide.endswith("…  2.0000\n")


@tries(100)
@given(st.data(), st.integers(1, 4), st.integers(1, 40), st.sampled_from([1, -1e3, 1e6]))
def test_no_line_is_wider_than_the_page(data, height, width, size):
    rows, columns = (
        data.draw(st.none() | st.lists(LABELS, min_size=count, max_size=count)) for count in (height, width)
    )
    lines = printed(show, "x", torch.full((height, width), 0.1234 * size), rows=rows, columns=columns).splitlines()
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(
    "tensor, labels, message",
    [
        (WEIGHTS, {"rows": ["a"]}, "1 labels were given for 2 rows"),
        (WEIGHTS, {"columns": ["a", "b", "c"]}, "3 labels were given for 2 .*columns"),
        (WEIGHTS[0], {"rows": ["a", "b"]}, "2 labels were given for 1 rows"),
        (WEIGHTS[0, 0], {}, r"vectors and matrices, but x has shape \(\)"),
        (WEIGHTS[None], {}, r"vectors and matrices, but x has shape \(1, 2, 2\)"),
    ],
)
def test_labels_and_shapes_that_do_not_fit_are_refused(tensor, labels, message):
    with pytest.raises(ValueError, match=message):
        printed(show, "x", tensor, **labels)


EQUAL = "equal (largest difference below {})".format
INF, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    "ours, reference, line",
    [
        ([1 + 1e-7, 1], [1, 1], EQUAL("1e-06")),
        ([1, 1], [1 + 1e-7, 1], EQUAL("1e-06")),  # a rounding error does not raise the bound
        ([3 + 9e-6, 0], [3, 0], EQUAL("1e-05")),  # the bound grows with the reference
        ([-250 - 9e-4, 0], [-250, 0], EQUAL("0.001")),
        ([1, -INF], [1, -INF], EQUAL("1e-06")),
        ([1.1e-6, 0], [0, 0], "DIFFERENT (largest difference 1.1e-06)"),
        ([2.5, -INF], [3, -INF], "DIFFERENT (largest difference 0.5)"),
        ([INF, INF], [-INF, -INF], "DIFFERENT (largest difference inf)"),
        ([1, NAN], [1, 1], "DIFFERENT (largest difference nan)"),
        ([1, 1], [1], "DIFFERENT shapes, (2,) and (1,)"),  # even where they would broadcast
    ],
)
def test_a_comparison_says_equal_and_a_bound_or_how_far_apart(ours, reference, line):
    tensors = (torch.tensor(numbers, dtype=torch.float64, requires_grad=True) for numbers in (ours, reference))
    assert printed(compare, "x", *tensors) == f"x: {line}\n"
    assert printed(compare, "x", WEIGHTS < 1, WEIGHTS < 0.5) == "x: DIFFERENT (largest difference 1)\n"
