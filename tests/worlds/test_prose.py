"""A text of one's own is cut by merges, and nothing of it is lost; the course's prose has no marks."""

import re

import pytest
import torch

from companion.course_answers import encoded
from companion.worlds.prose import LENGTH, byte_pairs, course_prose, go_on, in_pieces, windows


def test_the_tokens_of_a_text_joined_are_the_text():
    text = "Life is short, eat dessert first.\nShort “is” it\u2014é!"
    assert "".join(byte_pairs(text, 9)) == text
    assert byte_pairs("eat eat eat, beat", 2)[:3] == ["eat", " ", "eat"]


def test_ids_stand_for_the_pieces_of_a_text():
    ids, known = in_pieces("eat eat eat, beat", encoded, num_merges=2)
    assert "".join(known[number] for number in ids) == "eat eat eat, beat" and "eat" in known


def test_the_courses_prose_is_long_and_has_no_code_links_or_tables():
    prose = course_prose()
    assert len(prose.split()) > 15_000 and "Bahdanau" in prose and not {*prose} & {*"[]|`*$<"}
    assert not re.search(r"^(def encode|Next:|In the handbook|Your mine|\W|$)", prose, re.MULTILINE)


def test_a_window_is_a_piece_of_the_text_and_the_same_one_token_later():
    read, comes = next(windows(torch.arange(10), steps=1, size=30, length=8))
    assert read.shape == (30, 8) and torch.equal(comes, read + 1) and {*read[:, 0].tolist()} == {0, 1}


def test_a_text_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="has 8 tokens, and needs more than 8; "):
        next(windows(torch.arange(8), steps=1, length=8))


def test_a_model_goes_on_from_the_first_token_of_a_text():
    def next_number(ids):
        assert ids.shape[1] <= LENGTH
        return torch.nn.functional.one_hot(ids + 1, 50).float(), []

    known = [f"{number} " for number in range(50)]
    wrote = go_on(next_number, torch.arange(3, 9), known, lambda logits: logits, num_tokens=40)
    assert wrote == "".join(known[3:44])
