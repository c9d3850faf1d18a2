import math
from contextlib import redirect_stdout
from io import StringIO

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from drawing import tries
from utils.printing import WIDTH, compare, setup, show

WEIGHTS = torch.tensor([[0.25, 0.75], [1 / 3, 1e-6]])
LABELS = st.integers(1, 99).map("x".__mul__)  # from short to as wide as the page


def printed(function, *arguments, **options):
    with redirect_stdout(StringIO()) as output:
        function(*arguments, **options)
    return output.getvalue()


@pytest.fixture
def course_settings():
    threads = torch.get_num_threads()
    setup()
    yield
    torch.set_printoptions(profile="default")
    torch.set_num_threads(threads)


def test_set_up_prints_four_decimals_and_computes_on_one_thread(course_settings):
    assert str(torch.tensor([1e-7, 1000.0])) == "tensor([   0.0000, 1000.0000])"
    assert torch.get_num_threads() == 1


@pytest.mark.parametrize(
    "tensor, labels, lines",
    [
        (WEIGHTS.clone().requires_grad_() * 1, {}, ["  0.2500  0.7500", "  0.3333  0.0000"]),
        (WEIGHTS, {"rows": ["Life", "is"]}, ["  Life  0.2500  0.7500", "  is    0.3333  0.0000"]),
        (WEIGHTS[:1], {"columns": ["a", "b"]}, ["       a       b", "  0.2500  0.7500"]),
        (WEIGHTS[0], {"columns": ["a", "b"]}, ["       a       b", "  0.2500  0.7500"]),
        (WEIGHTS[:1], {"rows": ["a"], "columns": ["b", "c"]}, ["          b       c", "  a  0.2500  0.7500"]),
    ],
)
def test_labels_stand_above_their_columns_and_before_their_rows(tensor, labels, lines):
    assert printed(show, "x", tensor, **labels).splitlines() == [f"x  {tuple(tensor.shape)}", *lines]


def test_whole_numbers_have_no_decimals_and_others_as_many_as_asked():
    assert printed(show, "ids", [4, 15]) == "ids  (2,)\n   4  15\n"
    assert printed(show, "x", WEIGHTS[0], decimals=1) == "x  (2,)\n  0.2  0.8\n"


def test_zero_has_no_sign_and_infinity_and_nan_are_told():
    numbers = torch.tensor([-1e-9, -0.5, -math.inf, math.nan])
    assert printed(show, "x", numbers).split()[2:] == ["0.0000", "-0.5000", "-inf", "nan"]


def test_a_long_vector_is_wrapped_and_loses_no_number():
    _, *lines = printed(show, "x", torch.arange(40.0)).splitlines()
    assert " ".join(lines).split() == [f"{number}.0000" for number in range(40)]
    assert len(lines) > 1 and max(map(len, lines)) <= WIDTH


def test_a_matrix_that_is_too_wide_shows_its_first_columns_and_its_last():
    fits, wide = (printed(show, "x", torch.arange(count)[None] % 10 + 0.0, rows=["eat up"]) for count in (11, 12))
    assert len(fits.splitlines()[1]) == WIDTH and "…" not in fits
    assert wide.splitlines()[1].startswith("  eat up  0.0000  1.0000") and wide.endswith("…  1.0000\n")


@tries(300)
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
        (WEIGHTS[None], {}, r"vectors and matrices, but x has shape \(1, 2, 2\)"),
        (WEIGHTS[0, 0], {}, r"vectors and matrices, but x has shape \(\)"),
    ],
)
def test_labels_and_shapes_that_do_not_fit_are_refused(tensor, labels, message):
    with pytest.raises(ValueError, match=message):
        printed(show, "x", tensor, **labels)


@pytest.mark.parametrize("noise", [0, 1e-7, -9e-7])
def test_an_agreement_reads_the_same_on_every_machine(noise):
    ones, equal = torch.ones(2).double(), "x: equal (largest difference below 1e-06)\n"
    assert (
        printed(compare, "x", ones + noise, ones) == printed(compare, "x", ones.requires_grad_(), ones + noise) == equal
    )


@pytest.mark.parametrize("size, bound", [(0, "1e-06"), (0.01, "1e-06"), (3, "1e-05"), (-250, "0.001")])
def test_the_bound_of_an_agreement_grows_with_the_reference(size, bound):
    numbers = torch.tensor([size, 0]).double()
    assert (
        printed(compare, "x", numbers + 0.9 * float(bound), numbers) == f"x: equal (largest difference below {bound})\n"
    )
    assert "DIFFERENT" in printed(compare, "x", numbers + 1.1 * float(bound), numbers)


@pytest.mark.parametrize("ours, reference", [(math.nan, 1), (1, math.nan), (math.nan, math.nan), (math.inf, -math.inf)])
def test_nan_and_opposite_infinities_are_different(ours, reference):
    text = printed(compare, "x", torch.tensor([1, ours]), torch.tensor([1, reference]))
    assert text.startswith("x: DIFFERENT") and "equal" not in text


def test_masked_scores_are_equal_where_both_are_minus_infinity():
    scores = torch.tensor([1.0, -math.inf])
    assert printed(compare, "x", scores, scores) == "x: equal (largest difference below 1e-06)\n"
    assert printed(compare, "x", scores + 0.5, scores) == "x: DIFFERENT (largest difference 0.5)\n"


@pytest.mark.parametrize("difference", [0.25, 2e-5])
def test_a_difference_is_shown_by_its_size(difference):
    text = printed(compare, "x", WEIGHTS.double() - difference, WEIGHTS)
    assert text == f"x: DIFFERENT (largest difference {difference:g})\n"


def test_different_shapes_are_told_even_where_they_would_broadcast():
    assert printed(compare, "x", WEIGHTS, WEIGHTS[:1]) == "x: DIFFERENT shapes, (2, 2) and (1, 2)\n"
