"""The texts of notebook 17 whose last token asks or should be silent, and the head that learns both."""

from companion.worlds.silence import CONTENT, LENGTH, draw_texts


def test_what_it_should_say_is_the_marked_content_or_nothing():
    inputs, wanted, silent = draw_texts(50, 24)
    content, (first, marked, asks, quiet) = inputs[..., :CONTENT], inputs[..., CONTENT:].unbind(dim=-1)
    assert first.nonzero()[:, 1].unique().tolist() == [0] and (content[:, 0] == 0).all()
    assert (marked.sum(dim=1) == 1).all() and marked.nonzero()[:, 1].min() > 24 - LENGTH
    assert asks[:, -1].equal(1 - quiet[:, -1]) and (quiet[:, -1] == 1).equal(silent)
    assert wanted.equal((marked[..., None] * content).sum(dim=1) * asks[:, -1:])
