"""Read the reader's file and run it, in a module of its own each time: it may have changed since."""

from contextlib import redirect_stdout
from io import StringIO
from traceback import extract_tb

import torch

from companion.mine_layout import START
from companion.mine_sources import Unfit


def read(file):
    """Return the file's text and {name: what it defines}, those of a new file if it does not exist.

    Raises Unfit with the line and the cause if Python cannot read or run it.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")  # some editors on Windows put a mark before the first letter
    except (FileNotFoundError, NotADirectoryError):
        return START, {}
    except (OSError, UnicodeDecodeError) as error:
        raise Unfit(f"{file.name} cannot be read ({error})") from None
    try:
        return text, run(text, file)
    except (Exception, SystemExit) as error:
        raise Unfit(f"{file.name} cannot be read ({_cause(error, file)})") from None


def run(text, file):
    """Run a text as if it stood in the file, and return {name: what it defines}."""
    names = {"__name__": file.stem, "__file__": str(file)}
    with redirect_stdout(StringIO()), torch.random.fork_rng(devices=[]):  # what the reader tries there stays there
        exec(compile(text, file, "exec"), names)
    return names


def _cause(error, file):
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    lines = [f"line {frame.lineno}: " for frame in extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f"{lines[-1] if lines else ''}{type(error).__name__}: {error}"
