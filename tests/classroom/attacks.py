"""Submissions that are broken, unlucky or hostile, with what must come of each.

Each is (change, points, words): `change` builds what is handed in, `points` is the grade, and each of `words` must
stand in the student's feedback. `GOOD` earns all points.
"""

import json
import textwrap
from pathlib import Path

import nbformat

import assignments
from classroom.__main__ import main
from classroom.assignment import load

NAME = "a1_single_head"
FULL, WHOLE = load(NAME).max_points, load(NAME).max_total
POINTS, TOTAL = f"points (of {FULL})", f"total (of {WHOLE})"  # columns of grades.csv
SOURCE = assignments.FOLDER / "source" / NAME / f"{NAME}.ipynb"
GOOD = "\n\n".join(assignments.right_sources(NAME).values())
# Code that defines everything and is right nowhere.
NAMES = ("encode", "project", "scaled_scores", "softmax_rows", "attention", "sentence_context", "most_read")
FAKE = "import torch\n" + "\n".join(f"def {name}(*given): return torch.zeros(1)" for name in NAMES)


def notebook(*cells, change=list):
    """Return the released notebook with these cells in place of its solutions; `change` alters the list of all."""
    released = assignments.notebook(NAME, "release")
    released.cells = [cell for cell in released.cells if not assignments.role(cell).get("solution")]
    index = next(index for index, cell in enumerate(released.cells) if assignments.role(cell).get("grade"))
    released.cells[index:index] = [nbformat.v4.new_code_cell(textwrap.dedent(source)) for source in cells]
    released.cells = change(released.cells)
    return released


def text(*cells, **change):
    return nbformat.writes(notebook(*cells, **change))


def raw(content):
    """Hand in a file with these bytes."""
    return lambda path: path.with_name(f"{path.name}.ipynb").write_bytes(content)


def one_file(*cells, **change):
    """Hand in one notebook with these cells."""
    return lambda path: raw(text(*cells, **change).encode())(path)


def accident(*cells, says=()):
    """A right notebook with these cells before its solutions, all of whose points are earned."""
    return one_file(*cells, GOOD), FULL, says


def cheat(*cells, says=()):
    """A notebook that is right nowhere, and tries these cells: it earns nothing."""
    return one_file(FAKE, *cells), 0, says


def folder(content):
    """Hand in a folder with these files: {name: text}."""

    def write(path):
        path.mkdir()
        for name, inside in content.items():
            (path / name).write_text(inside, encoding="utf-8")

    return write


def tests_of(cells):
    return [cell for cell in cells if assignments.role(cell).get("grade")]


def without_tests(cells):
    return [cell for cell in cells if not assignments.role(cell).get("grade")]


def without_metadata(cells):
    for cell in cells:
        cell.metadata = nbformat.from_dict({})
    return cells


def with_easy_tests(cells):
    for cell in tests_of(cells):
        cell.source = "assert True"
    return cells


def with_odd_roles(cells):
    """Add text cells whose role is told in no way that anybody expects."""
    odd = [{"grade_id": []}, {"grade_id": {}}, {"grade_id": 7}, [], "explain_repeated", None]
    return cells + [nbformat.v4.new_markdown_cell(metadata={"nbgrader": role}) for role in odd]


def with_malformed_outputs(path):
    """Hand in what takes long to mend."""
    cells = json.loads(text(GOOD))["cells"]
    cells[-1]["outputs"] = [{"output_type": 7}] * 80_000
    raw(json.dumps({"nbformat": 4, "cells": cells}).encode())(path)


# Right work as a notebook allows it.
IN_JUPYTER = (
    "%matplotlib inline\n!ls\nimport torch\ndisplay(torch.ones(1))",
    f"%%time\n{GOOD}",
    """
    %%capture out
    import asyncio
    from concurrent.futures import ThreadPoolExecutor
    torch.set_num_threads(4)
    torch.seed()
    async def rows(scores):
        return await asyncio.to_thread(torch.softmax, scores, -1)
    async def all_rows(batch):
        return await asyncio.gather(*map(rows, batch))
    known = (await all_rows([torch.zeros(2), torch.zeros(4)]))[1] * 2
    def softmax_rows(scores):
        with ThreadPoolExecutor(8) as pool:
            weights = torch.stack(list(pool.map(lambda row: torch.softmax(row, -1), scores)))
        return weights * known.sum()
    """,
    "%%prun\nknown /= 4\n%time known *= 2",
    "out.show()\n%timeit 1 + 1\nfrom companion.checks import feedback",
    "?torch",
)


# What lets a student's code speak in place of the process that runs it.
TAKEN = """
import json, struct, sys
def server():
    frame = sys._getframe()
    while type(frame.f_locals.get("self")).__name__ != "Server":
        frame = frame.f_back
    return frame.f_locals["self"]
def say(message):
    body = json.dumps(message).encode()
    server().pipe.sendall(struct.pack("!I", len(body)) + body)
"""
AFTER = "def attention(query, key, value):\n    "  # replaces a right function: attention costs 4 points

CASES = {
    # Nothing wrong
    "<script>alert('name')<": (one_file(GOOD), FULL, []),
    "=HYPERLINK(1)": (one_file(GOOD), FULL, []),
    "as in Jupyter": (one_file(*IN_JUPYTER), FULL, ["softmax_rows uses torch.softmax"]),
    "python 2 magic": accident("print 1", "%run b", says=["SyntaxError: Missing parentheses", "%run b is not run"]),
    # Accidents
    "broken JSON": (raw(b'{"cells": ['), 0, ["cannot be read as a notebook"]),
    "letters that turn others round": (folder({"a\u202eb.ipynb": "{"}), 0, ["a\ufffdb.ipynb cannot be read"]),
    "deep": (raw(b"[" * 100_000), 0, ["cannot be read as a notebook"]),
    "odd roles": (one_file(GOOD, change=with_odd_roles), FULL, []),
    "huge": (raw(b" " * (21 << 20)), 0, ["more than 20 MB"]),
    "80,000 malformed outputs": (with_malformed_outputs, FULL, []),
    "a word of 300,000 letters": accident(f"def long():\n    return '{'a' * 300_000}'"),
    "no notebook": (folder({"essay.docx": "..."}), 0, ["no notebook"]),
    "empty folder": (folder({}), 0, ["no notebook"]),
    "syntax error": accident("def f(:", "return 1", says=["SyntaxError: invalid syntax", "'return' outside function"]),
    "all in a syntax error": (one_file(GOOD + "\ndef f(:"), 0, ["stopped with SyntaxError", "there is no `encode`"]),
    "another language": (one_file(f"%%bash\n{GOOD}"), 0, ["no `encode`: the cell of `encode`", "%%bash is not run"]),
    "an error between": accident("1 / 0", "undefined", says=["ZeroDivisionError", "NameError"]),
    "a part of one's own": accident("raise NotImplementedError", says=["stopped at a part that is not attempted yet"]),
    "deleted tests": (one_file(GOOD, change=without_tests), FULL, []),
    "reordered tests": (one_file(GOOD, change=lambda cells: tests_of(cells)[::-1] + cells), FULL, []),
    "edited tests": (one_file(GOOD, change=with_easy_tests), FULL, []),
    "edited tests, nothing right": (one_file(FAKE, change=with_easy_tests), 0, []),
    "stripped metadata": (one_file(GOOD, change=without_metadata), FULL, []),
    "imports the course": accident("from utils.attention import attention", says=["solved with torch alone"]),
    # Loops, exits, memory, output
    "endless cell": accident("while True: pass", says=["endless loop"]),
    "endless function": (one_file(GOOD, AFTER + "while True: pass"), 22, ["endless loop", "not called any more"]),
    "sys.exit in a function": (one_file(GOOD, AFTER + "raise SystemExit(0)"), 22, ["SystemExit"]),
    "os._exit in a function": (one_file(GOOD, AFTER + "import os; os._exit(0)"), 22, ["exit code 0"]),
    "exits everywhere": (one_file(*["import os; os._exit(0)"] * 9, GOOD), 0, ["too many times"]),
    "memory": accident("import numpy as np\nx = []\nwhile True: x.append(np.zeros(10**7))", says=["MemoryError"]),
    "memory of torch": (one_file(GOOD, AFTER + "return torch.ones(10**6, 10**4)"), 22, ["allocate"]),
    "output": accident("for i in range(1000): print('x' * 100_000)"),
    "a crash": accident("import ctypes; ctypes.string_at(0)", says=["crash"]),
    "files": accident(
        "open('/tmp/attention of a student', 'w')",
        "import torch; torch.from_file('/tmp/attention of a student', shared=True, size=4)",
        "import os; kept = [os.dup(0) for _ in range(1_000)]",
        says=["Permission denied", "unable to open file", "Too many open files"],
    ),
    "forks": accident("import os\nos.fork()", "import subprocess; subprocess.run('ls')", says=["not permitted"]),
    "threads": accident(
        """
        import threading, time
        threading.stack_size(1 << 16)
        while True: threading.Thread(target=time.sleep, args=(60,)).start()
        """,
        says=["it started more than 100 threads"],
    ),
    "a first thread that ends": accident(
        """
        import ctypes, threading, time
        threading.Thread(target=time.sleep, args=(60,)).start()
        ctypes.CDLL(None).pthread_exit(None)
        """,
        says=["its first thread has ended"],
    ),
    "closed files": accident("import os; os.closerange(0, 200)", says=["the process has ended"]),
    # Cheating
    "a torch.py": (folder({"torch.py": "zeros = None", "x.ipynb": text(FAKE)}), 0, []),
    "patched torch": cheat("""
        yes = lambda *given, **named: True
        torch.allclose = torch.equal = torch.isclose = torch.testing.assert_close = yes
        torch.Tensor.allclose = torch.Tensor.equal = torch.Tensor.__eq__ = yes
    """),
    "keeps what only root may do, and calls what is newer than the grader": cheat(
        """
        import ctypes, os, struct
        library, kept = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(24)
        def asked(number):
            library.syscall(number, None, ctypes.c_size_t(0))
            return os.strerror(ctypes.get_errno())
        library.capget(struct.pack("Ii", 0x20080522, 0), kept)
        raise RuntimeError(f"kept: {kept.raw.strip(bytes(1))}; clone3: {asked(435)}; file_setattr: {asked(469)}")
        """,
        says=["kept: b''; clone3: Function not implemented; file_setattr: Function not implemented"],
    ),
    "right at first": (
        one_file(
            GOOD,
            """
            kept, rightly = [], project
            def project(*given):
                kept.append(given)  # a check asks twice for each set of inputs
                return rightly(*given) if len(kept) <= 4 else given
            """,
        ),
        FULL - 3,
        ["project returns"],
    ),
    "4 MB of error for each cell": cheat(
        TAKEN,
        """
        def reply(server, answer):
            say({"id": server.request, "error": ["E", "x" * 4_000_000, ""]})
        type(server()).reply = reply
        """,
        *["pass"] * 40,
    ),
    "odd results": cheat(
        """
        class Liar(torch.Tensor):
            shape = property(lambda self: (5, 3))
            def __eq__(self, other): return True
        def softmax_rows(scores): return torch.full_like(scores, float("nan")).as_subclass(Liar)
        def scaled_scores(query, key): return torch.zeros(3).to_sparse()
        def project(*given): return [10**5000, "\\ud800", {1: {2: 3}}]
        def encode(*given):
            deep = []
            for _ in range(100_000): deep = [deep]
            return deep
        def attention(*given): return {i * (2**61 - 1): 0 for i in range(2_000)}, object()  # slow keys
        def sentence_context(*given): return torch.zeros(2_000_000)
        """,
        says=["gave a number too large to pass", "10 MB are more than the 8 MB that may pass"],
    ),
    "angry errors": cheat(
        """
        class Angry(Exception):
            def __str__(self): raise ValueError("no text")
        Loud = type("<script>alert(1)</script>", (Exception,), {})
        def softmax_rows(scores): raise Angry
        def scaled_scores(query, key): raise Loud("<script>alert(2)</script> \\ud800 \\x00" * 10_000)
        def encode(*given): raise Passed("correct")
        def project(*given): raise NotImplementedError("done")
        """,
        says=["<script>alert(2)"],
    ),
}


# Each of these is refused; what would change the source does it no harm where it is possible.
REFUSED = {
    "reads the source": "open(source)",
    "reads the parent": "open(f'/proc/{parent}/mem', 'rb')",
    "reads itself": "open('/proc/self/environ').read()",
    "reads the machine's names": "open('/etc/passwd').read()",
    # Signal 0 asks for the right to send one and ends nothing: where the sandbox has a hole, 9 would end the session.
    "kills the parent": "os.kill(parent, 0)",
    "kills all that it may": "os.kill(-1, 0)",
    "limits the parent": "resource.prlimit(parent, resource.RLIMIT_CPU, (0, 0))",
    "starves the parent": "call(sched_setattr, parent, idle, 0)",
    "takes room without writing": "os.posix_fallocate(0, 0, 1)",
    "locks the source": "os.chmod(source, 0o644)",
    "writes": "open(source, 'a')",
    "empties": "os.truncate(source, os.path.getsize(source))",
    "renames": "os.rename(source, source)",
    "links": "os.symlink(source, 'link')",
    "makes a folder": "os.mkdir('folder')",
    "connects": "socket.create_connection(('127.0.0.1', 80))",
    "F_SETOWN": "fcntl.fcntl(pipe, 8, parent)",
    "F_SETSIG": "fcntl.fcntl(pipe, 10, 9)",
    "F_SETOWN_EX": "fcntl.fcntl(pipe, 15, struct.pack('ii', 1, parent))",
    "FIOSETOWN": "fcntl.ioctl(pipe, 0x8901, struct.pack('i', parent))",
    "SIOCSPGRP": "fcntl.ioctl(pipe, 0x8902, struct.pack('i', parent))",
    "TIOCSTI": "fcntl.ioctl(0, 0x5412, b'x')",  # types into the teacher's terminal
    "F_SETLEASE": "fcntl.fcntl(library, 1024, 0)",  # who opens the file has to wait
    "FS_IOC_GETFLAGS": "fcntl.ioctl(library, 0x80086601, bytes(8))",  # beside which stands one that sets them
}
CASES["is refused"] = cheat(
    TAKEN,
    f"""
    import ctypes, fcntl, os, platform, resource, socket, struct
    parent, pipe, library, source = os.getppid(), server().pipe, open(os.__file__), {str(SOURCE)!r}
    sched_setattr = {{"x86_64": 314, "aarch64": 274}}[platform.machine()]  # which Python does not have
    idle = struct.pack("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0)
    def call(*given):
        if ctypes.CDLL(None, use_errno=True).syscall(*given) < 0:
            raise OSError(ctypes.get_errno(), "refused")
    refused = []
    for name, ask in {REFUSED!r}.items():
        try:
            exec(ask)
        except PermissionError:
            refused.append(name)
    fcntl.fcntl(0, fcntl.F_GETFD)
    raise RuntimeError(f"refused: {{', '.join(refused)}}.")
    """,
    says=[f"refused: {', '.join(REFUSED)}."],
)

if Path("/proc/sys/abi/vsyscall32").exists():  # an x86 that takes the calls of its 32-bit kind, too
    CASES["calls by other numbers"] = cheat(
        """
        import ctypes, mmap
        memory = mmap.mmap(-1, mmap.PAGESIZE, prot=7)
        memory.write(b"\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3")  # getpid by int 0x80: 20 means something else elsewhere
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
        raise RuntimeError(f"it said {call()}")
        """,
        says=["it said -1"],
    )


def grade(folder, changes):
    """Hand in {name: change}, grade that with the command, and return its exit code and the rows of grades.csv."""
    (folder / "submitted").mkdir()
    for name, change in changes.items():
        change(folder / "submitted" / name)
    code = main(["grade", NAME, str(folder / "submitted"), str(folder / "out")])
    return code, assignments.rows(folder / "out")
