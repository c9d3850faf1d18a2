"""Confine a process before it runs code that nobody has read: limits, Landlock and seccomp, on Linux.

Landlock (as of Linux 6.2, which covers emptying a file) lets it read the libraries, and nothing else. The seccomp
filter lets it make the system calls of `system_calls.py`, and no others. Neither needs an administrator.
"""

import ctypes
import errno
import os
import platform
import site
import struct
import sysconfig

from classroom.grader import bounds, system_calls
from classroom.grader.bounds import libc

OPEN_FILES = 128

# linux/landlock.h
READ_FILE, READ_DIR, WRITE_FILE = 1 << 2, 1 << 3, 1 << 1
ALL_RIGHTS = (1 << 15) - 1
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, equal on all machines
RULE_PATH_BENEATH = 1
OLDEST_LANDLOCK = 3  # before it, nothing keeps a process from emptying any file by truncate

CAPABILITIES = 0x20080522  # linux/capability.h: version 3
NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2  # linux/prctl.h, linux/seccomp.h
# Steps of a filter, as linux/filter.h numbers them, and where linux/seccomp.h puts what they look at.
LOAD, IS_EQUAL, IS_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16
ALLOW, ERROR = 0x7FFF0000, 0x00050000


def landlock_version():
    """Return the version of Landlock that this kernel, a Linux, offers, 0 if none."""
    return max(0, libc().syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def missing():
    """Say what keeps `confine` from working here, "" if nothing does."""
    version, machine = landlock_version(), platform.machine()
    if version == 0:
        return "Landlock is off"
    if version < OLDEST_LANDLOCK:
        return f"the kernel has Landlock {version}, and {OLDEST_LANDLOCK} is needed"
    return "" if machine in system_calls.MACHINES else f"the system calls of {machine} are not known here"


def confine(parent, hidden):
    """Let this process read the libraries, and nothing else, within limits and for good. parent: the process that it
    ends with; hidden: names in the libraries' folders that stay closed. Raises OSError if the kernel does not do it."""
    bounds.limit(parent, bounds.PROCESSOR_SECONDS, bounds.MEMORY, FSIZE=0, NOFILE=OPEN_FILES)
    # Nothing is kept that only an administrator may do: in a container, the grader may run as root.
    _check(libc().capset(struct.pack("Ii", CAPABILITIES, 0), bytes(24)))
    _check(libc().prctl(NO_NEW_PRIVS, 1, 0, 0, 0))
    _landlock(hidden)
    steps = b"".join(struct.pack("HBBI", *step) for step in _filter(platform.machine()))
    buffer = ctypes.create_string_buffer(steps, len(steps))
    program = struct.pack("HxxxxxxP", len(steps) // struct.calcsize("HBBI"), ctypes.addressof(buffer))
    _check(libc().prctl(SET_SECCOMP, FILTER_MODE, program, 0, 0))


def _landlock(hidden):
    handled = struct.pack("Q", ALL_RIGHTS)
    rules = _check(libc().syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), ctypes.c_uint32(0)))
    for path, rights in _readable(hidden):
        _allow(rules, path, rights)
    _allow(rules, os.devnull, READ_FILE | WRITE_FILE)
    _check(libc().syscall(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0)))
    os.close(rules)


def _readable(hidden):
    """Yield (path, rights): what is in the standard library and each installed package, except the hidden ones."""
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
        rights &= READ_FILE | WRITE_FILE
    rule = struct.pack("=Qi", rights, opened)
    _check(libc().syscall(ADD_RULE, ctypes.c_int(rules), RULE_PATH_BENEATH, rule, ctypes.c_uint32(0)))
    os.close(opened)


def _filter(machine):
    """Yield the steps of the filter, each of which is (what to do, steps to skip if so, if not, a number)."""
    allow = _step(RETURN, ALLOW)
    refuse, unknown = (_step(RETURN, ERROR | code) for code in (errno.EPERM, errno.ENOSYS))
    yield _step(LOAD, MACHINE)
    yield IS_EQUAL, 1, 0, system_calls.MACHINES[machine]  # x86 takes calls of its 32-bit kind, too: refused
    yield refuse
    yield _step(LOAD, NUMBER)
    for number in system_calls.ALLOWED[machine].values():
        yield from _if(IS_EQUAL, number, allow)
    yield from _if(IS_EQUAL, system_calls.CLONE3, unknown)
    yield from _if(IS_AT_LEAST, system_calls.NEWER, unknown)
    for numbers, argument, values in system_calls.PARTLY.values():
        choices = [step for value in values for step in _if(IS_EQUAL, value, allow)]
        yield from _if(IS_EQUAL, numbers[machine], _step(LOAD, ARGUMENTS + 8 * argument), *choices, refuse)
    yield refuse


def _step(what, number):
    return what, 0, 0, number


def _if(comparison, number, *then):
    """Return steps that are taken if what was loaded compares so with a number, and skipped if it does not."""
    return [(comparison, 0, len(then), number), *then]


def _check(result):
    if result < 0:
        raise OSError(f"the kernel refused to confine the process: {os.strerror(ctypes.get_errno())}")
    return result
