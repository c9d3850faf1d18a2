"""The house has floors: what lies lower never imports what lies above it."""

import ast
import importlib.util

import pytest

from reading import COURSE

FLOORS = [  # from the ground up; what stands on one floor may import each other
    ["utils", "companion.verdict_words"],
    ["companion.mine", "companion.timing", "companion.progress", "companion.installation", "companion.fitting"],
    ["companion.pictures"],
    ["companion.slips", "companion.course_answers", "companion.mistakes"],
    ["companion.worlds"],
    ["companion.checks"],
    ["companion.pieces", "companion.own_pages", "companion.writing"],
    ["classroom.csv_tables", "classroom.exchange", "classroom.code_cells", "classroom.texts", "classroom.wire"],
    ["classroom.names", "classroom.student"],
    ["classroom.checks", "classroom.local"],
    ["classroom.assignment", "classroom.hand_out"],
    ["classroom.grader"],
    ["classroom.term"],
    ["classroom.__main__", "classroom.in_nbgrader"],
]
ROOTS = (COURSE, COURSE / "notebooks", COURSE / "notebooks/assignments")
FILES = {
    ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
    for root, package in zip(ROOTS, ("utils", "companion", "classroom"))
    for path in root.glob(f"{package}/**/*.py")
}


def floor(module):
    """Return the number of the floor on which a module stands; a package that spans several has none."""
    return next((n for n, names in enumerate(FLOORS) for name in names if f"{module}.".startswith(f"{name}.")), None)


def imports(path, module):
    """Yield the modules of the house that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), module.rpartition(".")[0])
            yield from (name if name in FILES else base for name in (f"{base}.{part.name}" for part in node.names))
        elif isinstance(node, ast.Import):
            yield from (part.name for part in node.names)


@pytest.mark.parametrize("module", sorted(FILES))
def test_a_module_imports_only_from_its_own_floor_or_below(module):
    own = floor(module)
    assert own is not None or module in ("companion", "classroom"), f"{module} stands on no floor: add it to FLOORS"
    above = [name for name in imports(FILES[module], module) if (floor(name) or 0) > (own or 0)]
    assert not above, f"{module} imports {above}, which stand above it"
