"""Texts as they are shown: in letters that can be shown, and no longer than somebody reads."""

import re

# Control characters, half characters, and what changes the order in which other letters are shown.
HIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
MOST_LINES = 20  # lines, where there may be very many
LONGEST_MESSAGE = 600  # characters of a message; some of them quote what the student's code returned


def printable(text: str) -> str:
    """Replace what cannot be written or shown: half characters, control characters, marks that reorder letters."""
    return HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def shorten(message: str, ending="") -> str:
    """Return as much of a message as is shown, in letters that can be shown, and then its ending."""
    return printable(message[: LONGEST_MESSAGE - len(ending)] + ending)


def shorten_list(lines: list[str]) -> list[str]:
    """Return the first of many lines, and how many more there are."""
    return lines[:MOST_LINES] + [f"and {len(lines) - MOST_LINES} more"] * (len(lines) > MOST_LINES)
