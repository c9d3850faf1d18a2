"""The reader's own file, `mine.py`: what a check calls correct is kept there, and later notebooks work with it.

It stands in the kernel's folder, beside the notebooks. The environment variable COURSE_MINE names another file; if it
is set and empty, nothing is kept and nothing is read. Each piece stands under a line that names it, with what it needs.
"""

import ast
import os
import re
import symtable
import sys
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout
from IPython import get_ipython

START = '"""My own pieces of attention, as the checks of the course called them correct."""\n'
PATIENCE = 5  # seconds, until another notebook has written
PIECE = re.compile(r"^(?=# Notebook \d\d: \w+$)", re.MULTILINE)


class Unfit(Exception):
    """Why the reader's file cannot be run, in words."""


def where():
    """Return the path of the reader's file, None if nothing is to be kept."""
    name = os.environ.get("COURSE_MINE", "mine.py")
    return Path(name).resolve() if name else None


def load():
    """Return {name: what the reader's file defines}, {} if there is no file. Raises Unfit if Python stops in it."""
    file = where()
    return _run(_text(file), file) if file else {}


def report():
    """Print how many pieces and lines of code the reader's file has."""
    text = _text(where()) if where() else ""
    pieces, lines = len(PIECE.split(text)) - 1, [line for line in text.splitlines() if line and line[0] != "#"]
    print(f"mine.py: {pieces} pieces, {len(lines)} lines" if pieces else "mine.py has no pieces yet: a check adds each")


def keep(name, answer, check):
    """Keep a correct answer. Return a line that says so or why not, "" if there is nothing to do."""
    file, number = where(), re.search(r"\.notebook_(\d\d)", check.__module__)
    if not (file and number and get_ipython()) or answer.__module__ != "__main__":
        return ""
    try:
        with FileLock(file.with_name(".mine.lock"), timeout=PATIENCE):
            return _keep(file, f"# Notebook {number[1]}: {name}\n", name, check)
    except Timeout:
        cause = "another notebook is writing there; run this cell again"
    except OSError as error:
        cause = f"it cannot be written ({error.strerror})"
    except Unfit as error:
        cause = error
    return f"{name} is not kept in {file.name}: {cause}"


def _keep(file, heading, name, check):
    opening, *texts = PIECE.split(_text(file))
    pieces = {re.match(r"# Notebook \d\d: (\w+)", piece)[1]: piece.strip() + "\n" for piece in texts}
    _run(_text(file), file)  # what cannot be run now must not be made longer
    old, pieces[name] = pieces.get(name), heading + _definition(name, pieces, file.stem) + "\n"
    course = re.compile(rf"^from \S+ import .*\b{name}\n+", re.MULTILINE)  # its stand-in until now
    pieces = {key: course.sub("", piece) for key, piece in pieces.items()}
    if pieces[name] == old:
        return ""
    new = "\n\n".join([opening.strip() + "\n", *sorted(pieces.values(), key=lambda piece: piece[:13])])
    verdict = check.verdict(_run(new, file).get(name))
    if not verdict.correct:
        raise Unfit(f"it is correct here, but not in a file of its own ({verdict.words})")
    if old:
        with file.with_name(f"{file.stem}_before.py").open("a", encoding="utf-8") as before:
            before.write(f"{old}\n\n")
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(new, encoding="utf-8")
    os.replace(fresh, file)  # at once: nobody ever reads half a file
    saved = f"; the old one is in {file.stem}_before.py" if old else ""
    return f"kept in {file.name} ({len(pieces)} piece{'s' * (len(pieces) != 1)}){saved}"


def _text(file):
    return file.read_text(encoding="utf-8") if file.exists() else START


def _run(text, file):
    """Run a text as a module of its own, and return what it defines."""
    names = {"__name__": file.stem}
    try:
        exec(compile(text, file, "exec"), names)
    except (Exception, SystemExit) as error:
        cause = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else repr(error)
        raise Unfit(f"Python stops in {file.name} ({cause}); mend it there") from None
    return names


def _definition(name, pieces, home):
    """Return the newest definition of a name, below the imports and the reader's own helpers that it needs."""
    source, imports, helpers = _source(name), [], []
    for used in sorted(_globals(source) - {name, *pieces} & get_ipython().user_ns.keys()):
        value = get_ipython().user_ns[used]
        module, own_name = getattr(value, "__module__", None), getattr(value, "__name__", "")
        if module in ("__main__", home) and own_name:
            helpers += [_definition(own_name, pieces, home)] if own_name not in pieces else []
            helpers += [f"{used} = {own_name}"] if own_name != used else []
        elif statement := _import(used):
            imports.append(statement)
        elif hasattr(sys.modules.get(module), own_name):
            imports.append(f"from {module} import {own_name}" + f" as {used}" * (own_name != used))
    return "\n\n".join(part for part in ("\n".join(imports), *helpers, source) if part)


def _globals(source):
    """Return the names that a definition takes from its module."""
    tables, names = [symtable.symtable(source, "piece", "exec")], set()
    for table in tables:
        tables += table.get_children()
        names |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    return names


def _source(name):
    """Return the text of the newest definition that a cell holds; `inspect` finds none of a class."""
    for text, node in _statements():
        if getattr(node, "name", "") == name:
            first = min(part.lineno for part in (node, *node.decorator_list))
            return "\n".join(text.split("\n")[first - 1 : node.end_lineno])
    raise Unfit(f"no cell defines {name} at its left edge")


def _import(name):
    """Return the newest line that imports a name, "" if none does."""
    for _, node in _statements():
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name.partition(".")[0]) == name:
                    node.names = [alias]
                    return ast.unparse(node)
    return ""


def _statements():
    """Yield what stands at the left edge of the cells that were run, the newest first, each with its cell's text."""
    shell = get_ipython()
    for cell in reversed(shell.history_manager.input_hist_raw):
        text = shell.transform_cell(re.sub(r"\A\s*%%.*\n", "", cell))
        with suppress(SyntaxError):
            yield from ((text, node) for node in reversed(ast.parse(text).body))
