"""A kernel in which a test runs cells, as a notebook does beside a reader's file."""

import os
from pathlib import Path

from jupyter_client.manager import start_new_kernel

RESET = "get_ipython().reset()"  # as a new kernel, whose history is empty, but with all that was imported


def twice(start):
    """Return a `start` that tries again if the kernel dies at once: a port chosen for it may be taken meanwhile."""

    def start_again(**options):
        try:
            return start(**options)
        except RuntimeError:
            return start(**options)

    return start_again


class Kernel:
    def __init__(self):
        paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]  # that of the checkout under test stays
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self.manager, self.client = twice(start_new_kernel)(extra_arguments=["--log-level=ERROR"], env=environment)

    def begin(self, file, folder):
        """Forget all names and cells, as a kernel that is started again in this folder, and work with this file."""
        self.says(f"import os\nos.environ['COURSE_MINE'] = {str(file)!r}\nos.chdir({str(folder)!r})", RESET)
        return self

    def says(self, *cells):
        """Run cells and return the lines that the last one shows. Raises RuntimeError where one stops."""
        for cell in cells:
            lines = []

            def hear(message):
                content = message["content"]
                text = content.get("text") or content.get("data", {}).get("text/plain") or ""
                lines.extend(line for line in text.splitlines() if line)  # noqa: B023

            reply = self.client.execute_interactive(cell, timeout=60, output_hook=hear)["content"]
            if reply["status"] == "error":
                raise RuntimeError("\n".join([cell, *reply["traceback"]]))
        return lines

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
