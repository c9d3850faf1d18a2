"""What a teacher types into a cell of a table, or a ValueError that names the cell."""

import contextlib
import math
from datetime import datetime

DAY = 86_400  # seconds
END = 1 << 32  # of all hours that may be meant, in 2106
OF_MOODLE = [f"%A, {day}, {hour}" for day in ("%d %B %Y", "%B %d, %Y") for hour in ("%I:%M %p", "%H:%M")]


def number(place, text, most=math.inf):
    """Read a number of points or percent; some sheets write a comma in it."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        found = -1
    if not 0 <= found < math.inf:
        raise ValueError(f"{place}: {text!r} is no number of points or percent, 0 or more")
    if found > most:
        raise ValueError(f"{place}: {found:g} points are more than the {most:g} that there are")
    return found


def time(place, text):
    """Return the seconds since 1970 of a time, a day's end for a day; also of one as Moodle writes it in English."""
    for form in (None, *OF_MOODLE):
        with contextlib.suppress(ValueError, OverflowError):
            seconds = (datetime.strptime(text, form) if form else datetime.fromisoformat(text)).timestamp()
            if 0 < seconds < END:
                return seconds + (DAY - 1 if len(text) == len("2027-03-01") else 0)
    raise ValueError(f"{place}: write {text!r} like 2027-03-01 23:59; a ' before it lets a sheet keep it so")


def expect(place, name, known):
    """Refuse a name that is not known."""
    if name not in known:
        raise ValueError(f"{place}: there is nothing called {name!r}; there are {', '.join(known)}")


class Once(dict):
    """What a table says, {key: value}: each key may be filled in only once."""

    def __init__(self):
        super().__init__()
        self.places = {}

    def fill(self, key, value, place, said):
        """Add what stands at a place; `said` is what that is, for the error that names both places."""
        if key in self:
            raise ValueError(f"{place} sets {said} again, after {self.places[key]}: keep one")
        self[key], self.places[key] = value, place
