"""The texts of notebook 17 whose last token asks or should be silent, and the head that learns both."""

import torch

from companion.course_answers import one_loop
from companion.worlds.silence import CONTENT, LENGTH, draw_texts, error, train_head


def test_what_it_should_say_is_the_marked_content_or_nothing():
    inputs, wanted, silent = draw_texts(50, 24)
    content, (first, marked, asks, quiet) = inputs[..., :CONTENT], inputs[..., CONTENT:].unbind(dim=-1)
    assert first.nonzero()[:, 1].unique().tolist() == [0] and (content[:, 0] == 0).all()
    assert (marked.sum(dim=1) == 1).all() and marked.nonzero()[:, 1].min() > 24 - LENGTH
    assert asks[:, -1].equal(1 - quiet[:, -1]) and (quiet[:, -1] == 1).equal(silent)
    assert wanted.equal((marked[..., None] * content).sum(dim=1) * asks[:, -1:])


def test_the_head_learns_both_and_is_measured_where_it_should_be_silent():
    head = train_head(one_loop, seed=0)
    inputs, wanted, silent = draw_texts(200, LENGTH)
    off = (head(inputs)[0][:, -1] - wanted).square().mean(dim=-1)
    assert off[~silent].mean() < 0.01 and error(head, LENGTH) < 0.01
    hidden = (torch.arange(24) > 15).expand(24, 24)  # the first token is
    assert error(head, 24, hidden) > 0.1 > 0.01 > error(head, 24, hidden, asks=True)
