from matplotlib.patches import PathPatch

from companion.pictures.arcs import arcs

ROW = ["i", "h", "a", "i"]
ABOVE, BELOW = {3: [0.0, 0.92, 0.08, 0.0]}, {1: [0.97, 0.03, 0, 0], 2: [0.4, 0.6, 0, 0]}


def ends(picture):
    """The tokens that each arc joins, from query to key, the side of the row it is on, and its width."""
    (axes,) = picture.figure.axes
    found = {}
    for patch in axes.patches:
        if isinstance(patch, PathPatch):
            (start, y), *_, (end, _) = patch.get_path().vertices
            found[round(start), round(end), y > 0] = patch.get_linewidth()  # the last is the arc on its paper
    return found


def test_arcs_join_queries_to_their_keys_as_wide_as_the_weights():
    drawn = ends(arcs(ROW, {"second": ABOVE, "first": BELOW}))
    assert set(drawn) == {(3, 1, True), (3, 2, True), (1, 0, False), (2, 0, False), (2, 1, False)}
    assert drawn[3, 2, True] < drawn[2, 0, False] < drawn[2, 1, False] < drawn[3, 1, True] < drawn[1, 0, False]


def test_weights_are_written():
    texts = {text.get_text() for text in arcs(ROW, {"second": ABOVE}).figure.axes[0].texts}
    assert {"0.92", "0.08"} <= texts


def test_the_words_name_largest_weights():
    words = arcs(ROW, {"second": ABOVE, "first": BELOW}).description
    assert words == (
        "Arrows in the row i h a i. second: i (3) → h (1) 0.92; first: h (1) → i (0) 0.97, a (2) → h (1) 0.60."
    )


def test_a_head_with_one_query_says_what_no_arc_shows():
    texts = [text.get_text() for text in arcs(ROW, {"a": {3: [0.04, 0.6, 0.0, 0.36]}}).figure.axes[0].texts]
    assert "itself 0.36" in texts
