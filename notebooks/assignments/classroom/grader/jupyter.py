"""Run a student's cells as Jupyter does: with magics, `display` and a top-level `await`."""

import ast
import asyncio
import inspect
import linecache
from types import CodeType
from typing import Self

RUN_MAGICS = ("time", "capture", "prun")  # magics whose code runs where it stands


class NotRun(Exception):
    """A cell that only Jupyter can run."""


class Inert:
    """Stands for what has no effect here: any attribute and any call of it gives the same again."""

    def __getattr__(self, name: str) -> Self:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs) -> Self:
        return self


class Notebook(Inert):
    """Runs cells in the namespace `names`; it is also the student's `get_ipython()`, of which nothing else has effect.

    To be made before the process is confined: an event loop needs sockets.
    """

    def __init__(self, names: dict):
        self.names, self.loop, self.cell = names, asyncio.new_event_loop(), ""
        names.update(get_ipython=lambda: self, display=Inert())

    def run(self, name: str, source: str) -> None:
        """Run a cell. Raises what it raises, and NotRun for a magic that is not for Python."""
        self.cell = name
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        self._execute(source)

    def run_cell_magic(self, name: str, line: str, source: str) -> None:
        if name not in RUN_MAGICS:
            raise NotRun(f"%%{name} is not run when a notebook is graded; write the cell without it")
        if name == "capture":
            self.names.update(dict.fromkeys(line.split()[:1], Inert()))  # where the output is kept
        self._execute(f"\n{source}")  # the lines keep their numbers

    def run_line_magic(self, name: str, line: str) -> None:
        if name == "run":
            raise NotRun(f"%run {line} is not run when a notebook is graded: hand in one notebook")
        if name in RUN_MAGICS:
            self._execute(line)

    def _execute(self, source: str) -> None:
        try:
            code = self._compile(source)
        except SyntaxError:  # perhaps of %magics and !commands, which become calls of `get_ipython()`
            from IPython.core.inputtransformer2 import TransformerManager

            code = self._compile(TransformerManager().transform_cell(source))
        if code.co_flags & inspect.CO_COROUTINE:
            self.loop.run_until_complete(eval(code, self.names))
        else:
            exec(code, self.names)

    def _compile(self, source: str) -> CodeType:
        return compile(source, self.cell, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
