"""Shut a process in before it runs code that nobody has read: limits, Landlock and seccomp, on Linux.

Landlock (as of Linux 6.2, which covers emptying a file) lets it read the libraries and use its own folder, and
nothing else. The seccomp filter lets it ask the kernel for what computing needs, and nothing else: no new process
(threads may start), no socket, nothing that touches other processes or files' rights. Neither needs to be an
administrator. This is not a sandbox against someone who knows a hole in the kernel.
"""

import ctypes
import errno
import os
import platform
import site
import struct
import sysconfig

from classroom.grader import bounds
from classroom.grader.bounds import libc

MEMORY = 1 << 30  # bytes of address space, on top of what the imports took
FILE_SIZE = 2 << 20  # bytes, each file
CPU_SECONDS = 120
OPEN_FILES = 128

# linux/landlock.h
READ_FILE, READ_DIR, WRITE_FILE, MAKE_REG, REMOVE_FILE, TRUNCATE = 1 << 2, 1 << 3, 1 << 1, 1 << 8, 1 << 5, 1 << 14
ALL_RIGHTS = (1 << 15) - 1
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, equal on all machines
RULE_PATH_BENEATH = 1
OLDEST_LANDLOCK = 3  # before it, nothing keeps a process from emptying any file by truncate

CAPABILITIES = 0x20080522  # linux/capability.h: version 3

# linux/prctl.h, linux/seccomp.h, linux/filter.h
NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
# The system calls that may be made, by machine: its files and memory, time, threads, waiting, and questions about
# itself. Each other is refused with an error, and ends nothing: also fallocate, which fills a disk before anybody
# measures the folder. The numbers stand in the kernel's own tables,
# arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
ALLOWED = {
    "x86_64": (
        0xC000003E,
        "0-15 17-28 32-40 44-45 48 51-52 55 60-61 63 73-89 95-100 102 104 107-108 110-111 115 118 120-121 124-125 "
        "127-128 130-131 137-138 140 143 145-148 158 160 186-187 191-196 201-202 204 213 217-219 221-226 228-233 "
        "237-239 247 252 257-258 262-267 269-271 273-274 277 281-284 286-287 289-293 295-296 309 315-316 318 324 "
        "326-332 334 436-437 439 441 449-451 453-456 462",
    ),
    "aarch64": (
        0xC00000B7,
        "8-13 17 19-24 31-32 34-38 43-46 48-50 56-57 59 61-74 78-80 82-87 90 93-96 98-103 107-111 113-115 120-121 "
        "123-128 132-137 139 141 148 150 153 155-156 158 160 163-166 168-169 172-179 204-207 209-210 213-216 222-223 "
        "226-227 232-233 235-237 260 275-276 278 283 285-291 293 436-437 439 441 449-451 453-456 462",
    ),
}
# Of these, what one argument says decides: (numbers by machine, which argument, what it may be).
PARTLY_ALLOWED = (
    ({"x86_64": 56, "aarch64": 220}, 0, (0x3D0F00,)),  # clone: a thread as pthread_create asks for it, no process
    ({"x86_64": 302, "aarch64": 261}, 0, (0,)),  # prlimit: of this process, of no other
    ({"x86_64": 72, "aarch64": 25}, 1, (*range(8), 36, 37, 38, 1030)),  # fcntl: copies, flags, locks
    ({"x86_64": 16, "aarch64": 29}, 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),  # ioctl: is it a terminal?
)
# The C library does without what it is told does not exist: clone3, whose arguments cannot be seen here, and calls
# that are newer than this list.
UNKNOWN = 435, 463


class NotConfined(Exception):
    """This system cannot shut a process in."""


def landlock_version():
    """Return the version of Landlock that this kernel, a Linux, offers, 0 if none."""
    return max(0, libc().syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def missing():
    """Say what keeps `confine` from working here, "" if nothing does."""
    version = landlock_version()
    if version < OLDEST_LANDLOCK:
        return f"the kernel has Landlock {version}, and {OLDEST_LANDLOCK} is needed" if version else "Landlock is off"
    return "" if platform.machine() in ALLOWED else f"the system calls of {platform.machine()} are not known here"


def limit(parent):
    """Limit processor time, memory, size of files and open files of this process, for good; see `bounds.limit`."""
    bounds.limit(parent, CPU_SECONDS, MEMORY, FSIZE=FILE_SIZE, NOFILE=OPEN_FILES)


def confine(folder, hidden):
    """Let this process read the libraries and use `folder`, and nothing else, for good.

    hidden: names in the libraries' folders that stay closed, too.
    Raises NotConfined if the kernel does not do it.
    """
    _give_up_privileges()
    _check(libc().prctl(NO_NEW_PRIVS, 1, 0, 0, 0))
    _landlock(folder, hidden)
    _seccomp()


def _give_up_privileges():
    """Keep nothing that only an administrator may do: in a container, the grader may run as root."""
    header, none = struct.pack("Ii", CAPABILITIES, 0), bytes(24)
    _check(libc().capset(header, none))


def _landlock(folder, hidden):
    handled = struct.pack("Q", ALL_RIGHTS)
    rules = _check(libc().syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), ctypes.c_uint32(0)))
    for path, rights in _readable(hidden):
        _allow(rules, path, rights)
    _allow(rules, folder, READ_FILE | READ_DIR | WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE)
    _allow(rules, os.devnull, READ_FILE | WRITE_FILE)
    _check(libc().syscall(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0)))
    os.close(rules)


def _readable(hidden):
    """Yield (path, rights): what is in the standard library and each installed package, but for the hidden ones."""
    for folder in (sysconfig.get_path("stdlib"), *site.getsitepackages()):
        if os.path.isdir(folder):
            yield folder, READ_DIR
            for name in os.listdir(folder):
                if name not in hidden and name != "site-packages":
                    yield os.path.join(folder, name), READ_FILE
    for path in ("/lib", "/lib64", "/usr/lib", "/dev/urandom"):
        yield path, READ_FILE | READ_DIR


def _allow(rules, path, rights):
    try:
        opened = os.open(path, os.O_PATH)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= READ_FILE | WRITE_FILE | TRUNCATE
    rule = struct.pack("=Qi", rights, opened)
    _check(libc().syscall(ADD_RULE, ctypes.c_int(rules), RULE_PATH_BENEATH, rule, ctypes.c_uint32(0)))
    os.close(opened)


def _seccomp():
    kind, allowed = ALLOWED[platform.machine()]
    allow = (RETURN, 0, 0, ALLOW)
    give_eperm, give_enosys = ((RETURN, 0, 0, REFUSE | code) for code in (errno.EPERM, errno.ENOSYS))
    clone3, newer = UNKNOWN
    program = [
        (LOAD, 0, 0, 4),  # the kind of machine: x86 takes calls of its 32-bit kind, too, whose numbers are others
        (EQUAL, 1, 0, kind),
        give_eperm,
        (LOAD, 0, 0, 0),  # the system call's number
        (EQUAL, 1, 0, clone3),
        (AT_LEAST, 0, 1, newer),
        give_enosys,
    ]
    for numbers, argument, values in PARTLY_ALLOWED:
        program += [(EQUAL, 0, 2 + 2 * len(values), numbers[platform.machine()]), (LOAD, 0, 0, 16 + 8 * argument)]
        for value in values:
            program += [(EQUAL, 0, 1, value), allow]
        program.append(give_eperm)
    for each in allowed.split():
        first, _, last = each.partition("-")
        program += [(AT_LEAST, 0, 2, int(first)), (AT_LEAST, 1, 0, int(last or first) + 1), allow]
    program.append(give_eperm)
    code = b"".join(struct.pack("HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    filters = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    _check(libc().prctl(SET_SECCOMP, FILTER_MODE, filters, 0, 0))


def _check(result):
    if result < 0:
        code = ctypes.get_errno()
        raise NotConfined(f"the kernel refused to shut the process in: {os.strerror(code)}")
    return result
