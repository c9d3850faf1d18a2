"""Each entry of the handbook has to do with the first cell of its page alone."""

import nbformat

from handbook import HEADING
from reading import is_stub

# Before an entry, what other entries have defined is forgotten, and the first cell's names are as it left them.
FORGET = """_first = globals().get("_first") or dict(globals())
for _name in [name for name in globals() if name not in _first and not name.startswith("_")]:
    del globals()[_name]
globals().update({name: value for name, value in _first.items() if not name.startswith("_")})
"""


def alone(file, cells):
    """Return the cells of a page of the handbook, the first one first, then its entries from the last to the first."""
    entries, waiting = [[]], iter(cells)
    for cell in file.nb.cells:
        if cell.cell_type == "code":
            entries[-1].append(next(waiting))
        elif HEADING.match(cell.source):
            entries.append([])
    first, *others = entries
    for entry in filter(None, others):
        entry[0].cell = nbformat.from_dict(entry[0].cell | {"source": FORGET + entry[0].cell.source})
    # Exercises stand at the end: their solutions are proven behind them.
    return sum(sorted(others[::-1], key=lambda entry: any(is_stub(cell.cell) for cell in entry)), first)
