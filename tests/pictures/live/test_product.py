import xml.etree.ElementTree as ElementTree

import torch
from live_pictures import rows
from matplotlib.colors import to_hex

from companion.pictures.live.product import product
from companion.pictures.palette import fills

INPUTS = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_QUERY = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
NAMES = ["input 1", "input 2", "input 3"]


def random(height, width):
    return torch.randn(height, width, generator=torch.Generator().manual_seed(height + width))


def cells(picture):
    return [list(line) for line in ElementTree.fromstring(picture.twin).iter("tr")]


def decimals(numbers):
    return [f"{number:z.2f}".replace("-", "−") for number in numbers]


def test_the_true_product_stands_where_left_and_right_cross():
    picture = product(INPUTS, W_QUERY, rows=NAMES)
    assert rows(picture) == [
        ["X @ W_query = Q", "", "W_query 4 × 3"],
        ["", "0", "1", "2"],
        *(["", *row] for row in ("101", "100", "001", "011")),
        ["", "X 3 × 4", "", "Q 3 × 3"],
        ["input 1", *"1010", "", *"102"],
        ["input 2", *"0202", "", *"222"],
        ["input 3", *"1111", "", *"213"],
    ]
    assert picture.text == "Q[input 2, 0] = 0 · 1 + 2 · 1 + 0 · 0 + 2 · 0 = 2"


def test_without_a_script_only_one_sum_is_coloured():
    lit = [["background" in cell.get("style", "") for cell in line] for line in cells(product(INPUTS, W_QUERY))]
    gap = [False]
    assert lit[2:6] == [gap + [True, False, False]] * 4
    assert lit[7:] == [gap * 9, gap + [True] * 4 + gap + [True] + gap * 2, gap * 9]


def test_weights_have_their_shades_without_a_script_too():
    picture = product([[0.02, 0.98], [0.5, 0.5]], [[1], [2]], roles=("weight", "value", "context"))
    looks = [cell.get("style") for cell in cells(picture)[-2][1:3]]
    faces = [f"background:{to_hex(fills([[weight]])[0][0])}" for weight in (0.02, 0.98)]
    assert looks == [f"{faces[0]};color:#000", f"{faces[1]};color:#FFF"]


def test_numbers_that_are_not_whole_are_those_of_torch_to_two_decimals():
    left, right = random(5, 7), random(7, 4)
    drawn = rows(product(left, right))
    assert [line[1:] for line in drawn[2:9]] == [decimals(row) for row in right.tolist()]
    pairs = zip(left.tolist(), (left @ right).tolist())
    assert [line[1:] for line in drawn[10:]] == [decimals(row) + [""] + decimals(sums) for row, sums in pairs]


def test_of_a_long_sum_four_terms_are_written_and_the_total_of_all():
    left, right = random(6, 24), random(24, 6)
    picture, row, column = product(left, right, ("Q", "Kᵀ", "scores")), decimals(left[1]), decimals(right[:, 0])
    terms = [f"{row[k]} · {column[k]}" for k in (0, 1, 2, 23)]
    (total,) = decimals([(left @ right)[1, 0].item()])
    assert picture.text == f"scores[1, 0] = {' + '.join([*terms[:3], '…', terms[3]])} = {total}"
    assert [line[1] for line in rows(picture)[2:7]] == [*column[:3], "⋮", column[23]]
    assert rows(picture)[9][1:6] == [*row[:3], "…", row[23]]
    assert "…" not in product(random(2, 12), random(12, 2)).text


def test_labels_name_rows_columns_and_the_places_that_both_share():
    drawn = rows(product([[0, 1]], [[1.5], [2]], rows=["is"], columns=["feature 0"], shared=["eat", "first"]))
    assert [line[0] for line in drawn[2:4]] == drawn[5][1:] == ["eat", "first"]
    assert drawn[1] == ["", "feature 0"] and drawn[6][0] == "is"
