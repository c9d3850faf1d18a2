"""Which failed checks may follow from another one: a slip in one function shows in all that call it."""

import re

FUNCTION = re.compile(r"^(?:def|class) +(\w+)(.*(?:\n(?:[ \t#)].*)?)*)", re.MULTILINE)
CALLED = re.compile(r"(\w+)\(")


def follow(cells, asked, failed):
    """Return {check: the function to mend first}.

    cells: [(name, source)] of a notebook; asked: {check: names of the functions that it called}; failed: the
    checks with a wrong answer, in order. Nothing is run: a call is a name before a bracket.
    """
    calls = {}
    for _, source in cells:
        for name, body in FUNCTION.findall(source):
            calls[name] = set(CALLED.findall(body))
    found, wrong = {}, []
    for check in failed:
        own = asked[check]
        reached = _reached(own, calls) - own
        first = next((name for name in wrong if name in reached), None)
        if first:
            found[check] = first
        wrong += sorted(own)
    return found


def _reached(names, calls):
    """Return the names, and all that they call, by however many steps."""
    reached, new = set(), set(names)
    while new:
        reached |= new
        new = {name for known in new for name in calls.get(known, ())} - reached
    return reached
