"""When two outputs of a cell count as the same: numbers are compared as numbers, everything else to the byte.

Sums of floats differ between processors in their last bits, so a printed digit may fall on either side of a rounding.
A number with decimals, or a percentage, may therefore differ by one unit in its last printed place, and so may half
the numbers of a text and one more: a bug would move them all. All other numbers are counts, ids and sizes, and must be
equal. The data of a live picture may differ by a fifty-thousandth of a number, or of 1 where the number is
smaller; a colored cell by one step of its color; a PNG, of its own or in HTML, by no more than a digit or two. HTML's
own numbers must be equal.
"""

import base64
import html
import io
import json
import re
from decimal import Decimal

from PIL import Image, ImageChops, ImageStat

TOLERANCE = 2e-5  # of the data of a live picture, which holds six digits and shows two decimals
STEP = 3  # of 255, in each channel: the 256 shades of a table lie no further apart
SHADE = 0.1  # of 255, on average over a picture: a changed digit gives 0.02, a changed word 0.3
PHOTOGRAPH = re.compile(r'<img class="attn-photograph" data-of="(\w+)" [^>]*>')  # of a live picture: no run gives it
PNG = "iVBOR"  # how one begins, in base64
NUMBER = r"(?<![\w.])(?P<number>[-−+]?(?:\d+\.\d+(?:e[-+]\d+)?(?!\.?\d)|\d+(?= ?%)))"
LOOSE = re.compile(NUMBER)
LOOSE_IN_HTML = re.compile(
    r"(?P<exact><(style|script)\b.*?</\2>)"
    r'|data-(?:view|picture)="(?P<data>[^"]*)"'
    r'|src="data:image/png;base64,(?P<image>[^"]*)"'
    r"|background:#(?P<face>[0-9a-f]{6});color:#(?P<ink>000|FFF)"
    rf"|{NUMBER}(?![^<>]*>)",
    re.DOTALL,
)


class Different(AssertionError):
    """Two outputs are not the same; the message says where."""


class Compared(str):
    """A part of a cell's output, for nbval, which compares with `!=`."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return same(str(self), str(other))

    def __ne__(self, other):
        return not self == other


def same(stored, fresh):
    """Say whether two outputs, or parts of them, are the same."""
    try:
        compare(stored, fresh, [])
    except Different:
        return False
    return True


def compare(stored, fresh, differed):
    """Compare outputs, or parts of them: lists, dicts, texts, images. Raises Different at the first difference.

    differed: gets for each number whether it differs, no further than it may.
    """
    if isinstance(stored, dict) and isinstance(fresh, dict):
        _expect(stored.keys() == fresh.keys(), sorted(stored), sorted(fresh))
        stored, fresh = [stored[key] for key in sorted(stored)], [fresh[key] for key in sorted(stored)]
    if isinstance(stored, list) and isinstance(fresh, list):
        _expect(len(stored) == len(fresh), f"{len(stored)} parts", f"{len(fresh)} parts")
        for stored_part, fresh_part in zip(stored, fresh):
            compare(stored_part, fresh_part, differed)
    elif isinstance(stored, str) and isinstance(fresh, str):
        images = stored.startswith(PNG) and fresh.startswith(PNG)
        (_compare_images if images else _compare_texts)(stored, fresh, differed)
    elif isinstance(stored, float) and isinstance(fresh, float):  # of a live picture's data
        share = 0.0 if stored == fresh else abs(stored - fresh) / max(1.0, abs(stored))  # infinity less itself is nan
        _expect(share <= TOLERANCE, stored, fresh)
        differed.append(share > 0)
    else:  # among them whole numbers: indices and sizes
        _expect(stored == fresh, stored, fresh)


def _compare_texts(stored, fresh, differed):
    stored, fresh = map(without_photograph, (stored, fresh))
    loose = LOOSE_IN_HTML if "</" in stored else LOOSE
    stored_matches, fresh_matches = (list(loose.finditer(text)) for text in (stored, fresh))
    between = [loose.sub("\0", text) for text in (stored, fresh)]
    if _lengths(stored_matches) != _lengths(fresh_matches):  # of 9.99 and 10.00, one makes its column wider
        between = [re.sub(" +", " ", text).replace(" \0", "\0") for text in between]
    _expect(between[0] == between[1], stored, fresh)
    here = []
    for pair in zip(stored_matches, fresh_matches):
        old, new = ({"text": match[0], **match.groupdict()} for match in pair)
        if old.get("data") and new.get("data"):
            compare(*(json.loads(html.unescape(match["data"])) for match in (old, new)), differed)
        elif old.get("image") and new.get("image"):
            _compare_images(old["image"], new["image"], differed)
        elif old.get("face") and new.get("face"):
            _compare_colors(old, new)
        elif old["number"] and new["number"]:
            _compare_numbers(old["number"], new["number"], here)
        else:
            _expect(old["text"] == new["text"], old["text"], new["text"])
    _expect(sum(here) <= 1 + len(here) // 2, stored, fresh)
    differed += here


def without_photograph(page):
    return PHOTOGRAPH.sub("", page)


def _lengths(matches):
    return [len(match["number"] or "") for match in matches]


def _compare_numbers(stored, fresh, differed):
    old, new = (Decimal(text.replace("−", "-")) for text in (stored, fresh))
    places = old.as_tuple().exponent, new.as_tuple().exponent
    units = abs(old - new) / Decimal(1).scaleb(min(places))
    alike = places[0] == places[1] or units  # 0.5 and 0.501 are three digits each, 0.5 and 0.500 two ways to print
    signs = ("+" in (stored[0], fresh[0])) == (stored[0] == fresh[0] == "+") or old * new <= 0
    _expect(units <= 1 and alike and signs, stored, fresh)
    differed.append(units > 0)


def _compare_colors(stored, fresh):
    """Compare a cell's colors. Its ink is black or white by the face, and so may change only together with it."""
    channels = zip(*(bytes.fromhex(cell["face"]) for cell in (stored, fresh)))
    near = max(abs(old - new) for old, new in channels) <= STEP
    same_face = stored["face"] == fresh["face"]
    _expect(stored["ink"] == fresh["ink"] if same_face else near, stored["text"], fresh["text"])


def _compare_images(stored, fresh, _):
    if stored == fresh:
        return
    old, new = (Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB") for text in (stored, fresh))
    _expect(old.size == new.size, f"a picture of {old.size}", f"one of {new.size}")
    mean = max(ImageStat.Stat(ImageChops.difference(old, new)).mean)
    _expect(mean < SHADE, "a picture", f"one that differs by {mean:.2f} of 255 on average")


def _expect(condition, stored, fresh):
    if not condition:
        raise Different(f"stored: {stored}\nfresh: {fresh}")
