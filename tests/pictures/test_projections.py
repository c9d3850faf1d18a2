import torch

from companion.pictures.notebook_03_projections import projections
from companion.pictures.palette import ROLES

VECTOR, MATRIX = torch.tensor([1.0, 2.0]), torch.eye(2)


def test_it_shows_the_vector_and_what_each_matrix_makes_of_it():
    picture = projections("input 1", VECTOR, MATRIX, 2 * MATRIX, -MATRIX)
    numbers = [text.get_text() for text in picture.figure.axes[0].texts]
    assert [text for text in numbers if text.lstrip("−").isdigit()] == ["1", "2", "1", "2", "2", "4", "−1", "−2"]
    for fact in ("input 1 (1, 2)", "query (1, 2), what it asks for", "key (2, 4)", "value (−1, −2)"):
        assert fact in picture.description


def test_roles_have_their_colors_and_broken_numbers_two_decimals():
    picture = projections("input 1", VECTOR / 4, MATRIX, MATRIX, MATRIX)
    assert "key (0.25, 0.50)" in picture.description
    inks = {text.get_text(): text.get_color() for text in picture.figure.axes[0].texts}
    for role in ("query", "key", "value"):
        assert inks[role] == inks[f"W_{role}"] == ROLES[role].ink
