"""How much memory a notebook may take, and the cell that says whether it took less."""

import torch
from nbformat.v4 import new_output

MEGABYTES = {"14": 900, "16": 900, "17": 900, "19": 950}  # of others 700
CUDA = 300 if torch.version.cuda else 0  # so much more does `import torch` alone take, where it is built for CUDA
PEAK = r"""import re, sys
from pathlib import Path
if sys.platform == "linux":  # not `ru_maxrss`, which starts at the peak of the process that started the kernel
    peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
elif sys.platform == "win32":
    import psutil
    peak = psutil.Process().memory_info().peak_wset / 1024**2
else:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
print(f"under {limit} MB" if peak < limit else f"{peak:.0f} MB")"""


def proof(path):
    """Return the source of a cell, and the output that it has while a notebook's kernel is under its limit."""
    limit = MEGABYTES.get(path.name[:2], 700) + CUDA
    return f"limit = {limit}\n{PEAK}", new_output("stream", text=f"under {limit} MB\n")
