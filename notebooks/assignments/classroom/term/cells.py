"""What a teacher types into a cell of a table, or the error that names the cell."""

import math
from datetime import datetime

DAY = 86_400  # seconds


def number(place, text):
    """Read a number of points or percent; some sheets write a comma in it."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        found = -1
    if not 0 <= found < math.inf:
        raise ValueError(f"{place}: {text!r} is no number of points or percent, 0 or more")
    return found


def time(place, text):
    """Return the seconds since 1970 of a time, a day's end for a day."""
    try:
        seconds = datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise ValueError(
            f"{place}: write {text!r} like 2027-03-01 23:59; a ' before it lets a sheet keep it so"
        ) from error
    return seconds + (DAY - 1 if len(text) == len("2027-03-01") else 0)


def expect(place, name, known):
    """Raise ValueError, with the place, for a name that is not known."""
    if name not in known:
        raise ValueError(f"{place}: there is nothing called {name!r}; there are {', '.join(known)}")


def once(rows):
    """Return {key: value} of (place, key, value). Raises ValueError, with both places, for a key that comes twice."""
    found, places = {}, {}
    for place, key, value in rows:
        if key in found:
            raise ValueError(f"{place} sets {key[-1]!r} of {key[0]} again, after {places[key]}: keep one")
        found[key], places[key] = value, place
    return found
