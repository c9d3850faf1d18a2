"""What a reader sees of a check: a sign, a color, words, and of a wrong mask both masks."""

import xml.etree.ElementTree as ElementTree

import pytest
import torch

from companion.checks.notebook_08 import check_causal_mask
from companion.checks.verdict import Verdict
from companion.pictures.palette import PAPER, VERDICT_SIGNS, contrast
from companion.verdict_words import CORRECT, NOT_ATTEMPTED, NOT_YET
from utils.attention import causal_mask

SEEN = {
    Verdict(CORRECT, "well merged."): ("correct: well merged.", "✓"),
    Verdict(NOT_YET, "a <b> & a `c`"): ("not yet: a <b> & a `c`", "✗"),
    Verdict(NOT_ATTEMPTED): ("not attempted yet", "○"),
}


def page_of(verdict):
    return ElementTree.fromstring(f"<main>{verdict._repr_html_()}</main>")


@pytest.mark.parametrize("verdict, line, sign", [(verdict, *seen) for verdict, seen in SEEN.items()])
def test_a_verdict_says_the_same_in_words_and_by_a_sign(verdict, line, sign):
    page = page_of(verdict)
    assert repr(verdict) == line and "".join(page.itertext()) == f"{sign} {line}"
    assert page.find("div").get("role") == "status" and page.find(".//span").get("aria-hidden") == "true"


def test_each_verdict_has_its_own_sign_and_color_on_any_theme():
    signs, colors = zip(*VERDICT_SIGNS.values())
    assert len(set(signs)) == len(set(colors)) == len(VERDICT_SIGNS)
    for color in colors:
        assert contrast(color, "#FFFFFF") >= 4.5  # a white sign on it
        assert contrast(color, "#111111") >= 3  # its bar on a dark page


def test_a_wrong_mask_is_shown_beside_the_right_one_with_its_errors_framed():
    mask = causal_mask(5)
    mask[0, 3], mask[4, 0] = True, False
    verdict = check_causal_mask.verdict(lambda size: mask)
    assert repr(verdict) == "not yet: causal_mask(5) is True at (0, 3), but False was expected"
    yours, expected = page_of(verdict).iter("table")
    assert [yours.findtext("caption"), expected.findtext("caption")] == ["yours: 2 of 25 wrong (framed)", "expected"]
    for table, rows in ((yours, mask), (expected, causal_mask(5))):
        seen = [[(cell.text, f":{PAPER};" in cell.get("style")) for cell in row] for row in table.find("tbody")]
        assert seen == [[(str(true), true) for true in row] for row in rows.tolist()]
    framed = [["2px solid #" in cell.get("style") for cell in row] for row in yours.find("tbody")]
    assert torch.tensor(framed).nonzero().tolist() == [[0, 3], [4, 0]]
    assert "2px solid #" not in ElementTree.tostring(expected, "unicode")


@pytest.mark.parametrize("shape, wanted, tables", [((6, 6), (6, 6), 2), ((5, 4), (5, 5), 0), ((7, 7), (7, 7), 0)])
@pytest.mark.parametrize("batch", [(), (1,)])
def test_masks_that_cannot_be_compared_at_a_glance_are_told_in_words(shape, wanted, tables, batch):
    masks = torch.ones(batch + shape).bool(), torch.zeros(batch + wanted).bool()
    assert len(page_of(Verdict(NOT_YET, "no", masks)).findall(".//table")) == tables * (not batch)
