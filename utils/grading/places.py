"""Where in a student's code an error arose: the same words in the notebook and in the grader."""

import linecache
import traceback


def place(error, names):
    """Return the innermost line of the code that runs in the namespace `names`; "" if the error met none."""
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is names:
            function = frame.f_code.co_qualname.split(".<locals>")[0]
            where = f"line {line}" if function.startswith("<") else f"in `{function}`, line {line} of its cell"
            text = linecache.getline(frame.f_code.co_filename, line, names).strip()
            found = f"{where}: {text}" if text else where
    return found
