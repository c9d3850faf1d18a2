"""What a function or class that was written in a notebook needs to stand in a file of its own."""

import ast
import builtins
import re
import symtable
import sys
from types import ModuleType

DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


class Unfit(Exception):
    """Why a piece cannot be kept in the reader's file, in words for the one who wrote it."""


def needed(name, answer, notebook, home):
    """Return {name: source} of an answer and of the helpers that it calls, those first, and a set of import lines.

    notebook: the running shell; home: the module that holds what is kept already, which is not written once more.
    Raises Unfit if the answer uses a variable of the notebook.
    """
    if _module(answer) != "__main__":
        raise Unfit("only a function or a class that a cell of this notebook defines can be kept")
    texts, imports, seen = {}, set(), set()

    def visit(name, value):
        if name in seen:
            return
        seen.add(name)
        module, here = _module(value), notebook.user_ns.get(name) is value
        if module == "__main__" and here and (source := _written(name, notebook)):
            for each in sorted(used(source) & notebook.user_ns.keys()):
                visit(each, notebook.user_ns[each])
            texts[name] = source
        elif module in ("__main__", home) and value.__name__ != name and value.__name__.isidentifier():
            visit(value.__name__, value)
            texts[name] = f"{name} = {value.__name__}"
        elif module == "__main__":
            raise Unfit(f"no cell defines {name} by a `def` or `class` at its left edge")
        elif module != home and not hasattr(builtins, name):
            imports.add(_import(name, value, notebook))

    visit(name, answer)
    return texts, imports


def used(text, without=()):
    """Return the names that a text takes from its module: no arguments, no variables of functions, no attributes.

    without: definitions to leave out.
    """
    body = [node for node in ast.parse(text).body if getattr(node, "name", None) not in without]
    tables, names = [symtable.symtable(ast.unparse(ast.Module(body, [])), "text", "exec")], set()
    for table in tables:
        tables += table.get_children()
        names |= {each.get_name() for each in table.get_symbols() if each.is_global() and each.is_referenced()}
    return names


def own_lines(node, lines):
    """Return the lines of a definition, its decorators included."""
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return lines[first - 1 : node.end_lineno]


def defined(node):
    """Return the names that a statement defines or assigns."""
    if isinstance(node, DEFINITIONS):
        return [node.name]
    return [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]


def _written(name, notebook):
    """Return the newest definition's text, "" if the name was assigned since, or never defined.

    `inspect` finds neither a class nor what stands under %%time.
    """
    for text, node in _statements(notebook):
        if name in defined(node):
            return "\n".join(own_lines(node, text.split("\n"))) if isinstance(node, DEFINITIONS) else ""
    return ""


def _module(value):
    """Return the module that defines a function or class, None for anything else."""
    return getattr(value, "__module__", None) if hasattr(value, "__name__") else None


def _import(name, value, notebook):
    """Return the line that imports a value by this name."""
    if isinstance(value, ModuleType):
        package, _, last = value.__name__.rpartition(".")
        if package and last == name:
            return f"from {package} import {name}"
        return f"import {value.__name__}" + f" as {name}" * (value.__name__ != name)
    places = [
        (node.module, alias.name)
        for _, node in _statements(notebook)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if name == (alias.asname or alias.name)
    ]
    places.append((_module(value), getattr(value, "__qualname__", "")))
    for module, original in places:
        if getattr(sys.modules.get(module), original, None) is value:
            return f"from {module} import {original}" + f" as {name}" * (original != name)
    raise Unfit(f"it uses {name}, a variable of this notebook; make it an argument, or write it inside")


def _statements(notebook):
    """Yield (a cell's text, a statement at its left edge), the newest first; nothing of a cell with a syntax error."""
    for cell in reversed(notebook.history_manager.input_hist_raw):
        try:
            text = notebook.transform_cell(re.sub(r"\A\s*%%.*\n", "", cell))
            body = ast.parse(text).body
        except SyntaxError:
            continue
        yield from ((text, node) for node in reversed(body))
