"""A stored answer to a prediction is folded; that it unfolds into what a run gives, `test_store.py` sees to."""

import re

from nbformat.v4 import new_output

from folding import folded

PNG = {"image/png": "iVBORw0KGgo=", "text/plain": "picture: a map"}
SIZES = {"image/png": {"alt": "a “map” of 2 by 2 < 3", "width": 300, "height": 200}}
OUTPUTS = [
    new_output("stream", text="a < b & 'c'\n"),
    new_output("display_data", PNG, metadata=SIZES),
    new_output("display_data", {"text/html": "<p>a map</p>", "text/plain": "HTML"}),
    new_output("display_data", PNG, metadata=SIZES),
]


EXPLORED = [new_output("display_data", {"text/html": "<table/>", "text/plain": "explore(ask): Largest: “hour”."})]


def test_a_folded_answer_is_one_closed_box_with_its_parts_in_order():
    assert folded([]) == [] and folded(EXPLORED) is EXPLORED
    page = folded(OUTPUTS)[0].data["text/html"]
    parts = r"<pre [^>]+monospace\)\">a &lt; b &amp; 'c'\n</pre>\n<img [^>]+>\n<p>a map</p>\n<img "
    assert re.match(rf"<details><summary>.+</summary>\n{parts}", page)
    assert 'alt="a “map” of 2 by 2 &lt; 3" width="300"' in page
