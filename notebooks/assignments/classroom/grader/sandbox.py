"""Shut a process in before it runs code that nobody has read: limits, Landlock and seccomp, on Linux.

Landlock (as of Linux 6.2, which covers emptying a file) lets it read the libraries and use its own folder, and
nothing else. The seccomp filter refuses what Landlock does not cover: new processes (threads may start), sockets of
any kind, and touching other processes or files' rights. Neither needs to be an administrator. This is not a sandbox
against someone who knows a hole in the kernel.
"""

import ctypes
import errno
import os
import platform
import site
import struct
import sys
import sysconfig

from classroom.grader import bounds
from classroom.grader.bounds import libc

MEMORY = 1 << 30  # bytes of address space, on top of what the imports took
FILE_SIZE = 2 << 20  # bytes, each file
CPU_SECONDS = 120
OPEN_FILES = 128

# linux/landlock.h
READ_FILE, READ_DIR, WRITE_FILE, MAKE_REG, REMOVE_FILE, TRUNCATE = 1 << 2, 1 << 3, 1 << 1, 1 << 8, 1 << 5, 1 << 14
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, equal on all machines
RULE_PATH_BENEATH = 1
OLDEST_LANDLOCK = 3  # before it, nothing keeps a process from emptying any file by truncate
ALL_RIGHTS = ((3, 15), (5, 16))  # (version, bits of file rights it knows)
TCP, SCOPES = 0b11, 0b11  # bind and connect (version 4); abstract sockets and signals (version 6)

CAPABILITIES = 0x20080522  # linux/capability.h: version 3

# linux/prctl.h, linux/seccomp.h, linux/filter.h
NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
PRLIMIT = {"x86_64": 302, "aarch64": 261}  # of this process it is fine, of another one not
CLONE = {"x86_64": 56, "aarch64": 220}  # a thread is fine, a process not
THREAD = 0x3D0F00  # what pthread_create asks for
CLONE3 = 435  # what it asks cannot be seen here; told that there is none, pthread_create takes clone
FCNTL, IOCTL = {"x86_64": 72, "aarch64": 25}, {"x86_64": 16, "aarch64": 29}
# What lets a file, or a socket, send a signal to any process: F_SETOWN, F_SETSIG, F_SETOWN_EX; FIOSETOWN, SIOCSPGRP.
SIGNALLING = (FCNTL, (8, 10, 15)), (IOCTL, (0x8901, 0x8902))
# System calls refused, by machine: processes, sockets, other processes, rights and times of files,
# memory that no limit counts, and doors to the kernel that nothing here needs.
REFUSED = {
    "x86_64": (
        0xC000003E,
        (57, 58, 59, 322)  # fork, vfork, execve, execveat
        + (41, 53, 62, 200, 234, 129, 297, 424)  # socket, socketpair, kill and its kin
        + (101, 310, 311, 434, 141, 142, 144, 203, 314, 251, 109, 112)  # ptrace, priorities, sessions
        + (90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 261, 280)  # chmod, chown, utime
        + (188, 189, 190, 197, 198, 199, 463, 466)  # extended attributes
        + (29, 30, 31, 64, 68, 319, 447, 240)  # shared memory, semaphores, queues, memfd
        + (425, 426, 427, 321, 323, 298, 248, 249, 250, 272, 308, 165, 317, 157),  # io_uring, bpf, namespaces, prctl
    ),
    "aarch64": (
        0xC00000B7,
        (221, 281)
        + (198, 199, 129, 130, 131, 138, 240, 424)
        + (117, 270, 271, 434, 140, 118, 119, 122, 274, 30, 154, 157)
        + (52, 53, 452, 54, 55, 88)
        + (5, 6, 7, 14, 15, 16, 463, 466)
        + (194, 195, 196, 190, 186, 279, 447, 180)
        + (425, 426, 427, 280, 282, 241, 217, 218, 219, 97, 268, 40, 277, 167),
    ),
}


class NotConfined(Exception):
    """This system cannot shut a process in."""


def landlock_version():
    """Return the version of Landlock that this kernel offers, 0 if none."""
    if sys.platform != "linux":
        return 0
    return max(0, libc().syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def can_confine():
    """Say whether `confine` would work here."""
    return landlock_version() >= OLDEST_LANDLOCK and platform.machine() in REFUSED


def limit(parent):
    """Limit processor time, memory, size of files and open files of this process, for good; see `bounds.limit`."""
    bounds.limit(parent, CPU_SECONDS, MEMORY, FSIZE=FILE_SIZE, NOFILE=OPEN_FILES, MEMLOCK=0)


def confine(folder, hidden):
    """Let this process read the libraries and use `folder`, and nothing else, for good.

    hidden: names in the libraries' folders that stay closed, too.
    Raises NotConfined if the kernel does not do it.
    """
    if not can_confine():
        raise NotConfined(
            f"this system has Landlock {landlock_version()} on {platform.machine()}; "
            f"{OLDEST_LANDLOCK} or newer is needed: run the grader on Linux 6.2 or newer, on x86-64 or arm64"
        )
    _give_up_privileges()
    _check(libc().prctl(NO_NEW_PRIVS, 1, 0, 0, 0))
    _landlock(folder, hidden)
    _seccomp()


def _give_up_privileges():
    """Keep nothing that only an administrator may do: in a container, the grader may run as root."""
    header, none = struct.pack("Ii", CAPABILITIES, 0), bytes(24)
    _check(libc().capset(header, none))


def _landlock(folder, hidden):
    version = landlock_version()
    bits = max(count for since, count in ALL_RIGHTS if since <= version)
    handled = (1 << bits) - 1
    attributes = struct.pack("QQQ", handled, TCP if version >= 4 else 0, SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _check(libc().syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)))
    for path, rights in _readable(hidden):
        _allow(rules, path, rights)
    _allow(rules, folder, READ_FILE | READ_DIR | WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE)
    _allow(rules, os.devnull, READ_FILE | WRITE_FILE)
    _check(libc().syscall(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0)))
    os.close(rules)


def _readable(hidden):
    """Yield (path, rights): the standard library, and each installed package but the hidden ones."""
    packages = {*site.getsitepackages(), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    for folder in packages:
        if os.path.isdir(folder):
            yield folder, READ_DIR
            for name in os.listdir(folder):
                if name not in hidden:
                    yield os.path.join(folder, name), READ_FILE
    standard = sysconfig.get_path("stdlib")
    yield standard, READ_DIR
    for name in os.listdir(standard):
        if name != "site-packages":
            yield os.path.join(standard, name), READ_FILE
    for path in ("/lib", "/lib64", "/usr/lib", "/etc/localtime", "/dev/urandom", "/usr/share/zoneinfo"):
        yield path, READ_FILE | READ_DIR


def _allow(rules, path, rights):
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= READ_FILE | WRITE_FILE | TRUNCATE
    rule = struct.pack("=Qi", rights, opened)
    _check(libc().syscall(ADD_RULE, ctypes.c_int(rules), RULE_PATH_BENEATH, rule, ctypes.c_uint32(0)))
    os.close(opened)


def _seccomp():
    machine, refused = REFUSED[platform.machine()]
    give_eperm, give_enosys = ((RETURN, 0, 0, REFUSE | code) for code in (errno.EPERM, errno.ENOSYS))
    program = [
        (LOAD, 0, 0, 4),  # the kind of machine
        (EQUAL, 1, 0, machine),
        give_eperm,
        (LOAD, 0, 0, 0),  # the system call's number
        (AT_LEAST, 0, 1, 0x40000000),  # the second numbering that x86 has
        give_eperm,
        (EQUAL, 0, 1, CLONE3),
        give_enosys,
    ]
    for numbers, allowed in ((PRLIMIT, 0), (CLONE, THREAD)):  # the only first argument: 0 is this process
        program += [(EQUAL, 0, 4, numbers[platform.machine()]), (LOAD, 0, 0, 16), (EQUAL, 1, 0, allowed), give_eperm]
        program.append((RETURN, 0, 0, ALLOW))
    for numbers, commands in SIGNALLING:
        program += [(EQUAL, 0, 2 + 2 * len(commands), numbers[platform.machine()]), (LOAD, 0, 0, 24)]  # second argument
        for command in commands:
            program += [(EQUAL, 0, 1, command), give_eperm]
        program.append((RETURN, 0, 0, ALLOW))
    for number in refused:
        program += [(EQUAL, 0, 1, number), give_eperm]
    program.append((RETURN, 0, 0, ALLOW))
    code = b"".join(struct.pack("HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    filters = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    _check(libc().prctl(SET_SECCOMP, FILTER_MODE, filters, 0, 0))


def _check(result):
    if result < 0:
        code = ctypes.get_errno()
        raise NotConfined(f"the kernel refused to shut the process in: {os.strerror(code)}")
    return result
