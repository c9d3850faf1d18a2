"""Confine a process before it runs code that nobody has read: limits, Landlock and seccomp, on Linux.

Landlock (as of Linux 6.2, which covers emptying a file) lets it read the libraries, and nothing else. The seccomp
filter lets it make some system calls, and no others. Neither needs an administrator.
"""

import ctypes
import errno
import os
import platform
import site
import struct
import sysconfig
from collections.abc import Container, Iterator

from classroom.grader.bounds import libc, limit

OPEN_FILES = 128

# linux/landlock.h
READ_FILE, READ_DIR, WRITE_FILE = 1 << 2, 1 << 3, 1 << 1
ALL_RIGHTS = (1 << 15) - 1  # with the last, to empty a file by truncate: an older kernel refuses it
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, equal on all machines
RULE_PATH_BENEATH = 1

CAPABILITIES = 0x20080522  # linux/capability.h: version 3
NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2  # linux/prctl.h, linux/seccomp.h
# Steps of a filter, as linux/filter.h numbers them, and where linux/seccomp.h puts what they look at.
LOAD, IS_EQUAL, IS_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, MACHINE, ARGUMENT_OFFSET = 0, 4, 16
ALLOW, ERROR = 0x7FFF0000, 0x00050000
Step = tuple[int, int, int, int]  # what to do, steps to skip if so, if not, a number


def make_rules(hidden: Container[str]) -> int:
    """Return a descriptor of Landlock's rules, made once for all processes: they may read the libraries, and nothing
    else. hidden: names in the libraries' folders that stay closed. Raises OSError if the kernel does not do it."""
    handled = struct.pack("Q", ALL_RIGHTS)
    ruleset = _require(libc().syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), ctypes.c_uint32(0)))
    for path, rights in _readable_paths(hidden):
        _allow(ruleset, path, rights)
    _allow(ruleset, os.devnull, READ_FILE | WRITE_FILE)
    return ruleset


def confine(parent: int, rules: int) -> None:
    """Confine this process within limits, for good; it ends with `parent`. Raises OSError if that fails."""
    if platform.machine() not in MACHINES:
        raise OSError(f"the system calls of {platform.machine()} are not known here")
    limit(parent, FSIZE=0, NOFILE=OPEN_FILES)
    # Nothing is kept that only an administrator may do: in a container, the grader may run as root.
    _require(libc().capset(struct.pack("Ii", CAPABILITIES, 0), bytes(24)))
    _require(libc().prctl(NO_NEW_PRIVS, 1, 0, 0, 0))
    _require(libc().syscall(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0)))
    os.close(rules)
    steps = b"".join(struct.pack("HBBI", *step) for step in _filter_steps(platform.machine()))
    buffer = ctypes.create_string_buffer(steps, len(steps))
    program = struct.pack("HxxxxxxP", len(steps) // struct.calcsize("HBBI"), ctypes.addressof(buffer))
    _require(libc().prctl(SET_SECCOMP, FILTER_MODE, program, 0, 0))


def _readable_paths(hidden: Container[str]) -> Iterator[tuple[str, int]]:
    """Yield (path, rights): what is in the standard library and each installed package, except the hidden ones."""
    for folder in (sysconfig.get_path("stdlib"), *site.getsitepackages()):
        if os.path.isdir(folder):
            yield folder, READ_DIR
            for name in os.listdir(folder):
                if name not in hidden and name != "site-packages":
                    yield os.path.join(folder, name), READ_FILE
    for path in ("/lib", "/lib64", "/usr/lib", "/dev/urandom"):
        yield path, READ_FILE | READ_DIR


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= READ_FILE | WRITE_FILE
    rule = struct.pack("=Qi", rights, opened)
    _require(libc().syscall(ADD_RULE, ctypes.c_int(ruleset), RULE_PATH_BENEATH, rule, ctypes.c_uint32(0)))
    os.close(opened)


def _filter_steps(machine: str) -> Iterator[Step]:
    allow = RETURN, 0, 0, ALLOW
    refuse, unknown = ((RETURN, 0, 0, ERROR | code) for code in (errno.EPERM, errno.ENOSYS))
    yield LOAD, 0, 0, MACHINE
    yield IS_EQUAL, 1, 0, MACHINES[machine]  # x86 takes calls of its 32-bit kind, too: refused
    yield refuse
    yield LOAD, 0, 0, NUMBER
    for number in ALLOWED_CALLS[machine].values():
        yield from _if(IS_EQUAL, number, allow)
    yield from _if(IS_EQUAL, CLONE3, unknown)
    yield from _if(IS_AT_LEAST, FIRST_UNKNOWN, unknown)
    for numbers, argument, values in CONDITIONAL.values():
        choices = [step for value in values for step in _if(IS_EQUAL, value, allow)]
        look = LOAD, 0, 0, ARGUMENT_OFFSET + 8 * argument
        yield from _if(IS_EQUAL, numbers[machine], look, *choices, refuse)
    yield refuse


def _if(comparison: int, number: int, *then: Step) -> list[Step]:
    """Return steps that are taken if what was loaded compares so with a number, and skipped if it does not."""
    return [(comparison, 0, len(then), number), *then]


def _require(result: int) -> int:
    if result < 0:
        reason = os.strerror(ctypes.get_errno())
        raise OSError(f"the kernel refused to confine it: {reason}. Grade on Linux 6.2 or newer")
    return result


# What a student's code may ask of the kernel. All other calls are refused: to start a process or a socket, to touch
# another process, or to change a file. The numbers are those of the kernel's own tables,
# arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as linux/audit.h numbers them
# A line of reason, and then: name, number on x86-64, number on arm64 ("-" where it does not exist).
TABLE = """
# Files that are open, and pipes
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69, pwritev 296 70,
preadv2 327 286, pwritev2 328 287, lseek 8 62, close 3 57, close_range 436 436, dup 32 23, dup2 33 -, dup3 292 24,
fstat 5 80, flock 73 32, readahead 187 213, fadvise64 221 223, cachestat 451 451, pipe 22 -, pipe2 293 59
# Files by their names: Landlock decides which
open 2 -, openat 257 56, openat2 437 437, stat 4 -, lstat 6 -, newfstatat 262 79, statx 332 291,
access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78, getdents 78 -, getdents64 217 61,
getcwd 79 17, chdir 80 49, fchdir 81 50, statfs 137 43, fstatfs 138 44, getxattr 191 8,
lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11, llistxattr 195 12, flistxattr 196 13
# Memory of its own
mmap 9 222, munmap 11 215, mremap 25 216, mprotect 10 226, brk 12 214, madvise 28 233, mincore 27 232, msync 26 227,
mseal 462 462, mbind 237 235, set_mempolicy 238 237, get_mempolicy 239 236, set_mempolicy_home_node 450 450,
pkey_mprotect 329 288, pkey_alloc 330 289, pkey_free 331 290, map_shadow_stack 453 453
# Its own threads and signals, and its end
futex 202 98, futex_wait 455 455, futex_wake 454 454, futex_waitv 449 449, futex_requeue 456 456,
set_robust_list 273 99, get_robust_list 274 100, set_tid_address 218 96, rseq 334 293, membarrier 324 283,
arch_prctl 158 -, sched_yield 24 124, rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139,
rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130 133, sigaltstack 131 132, signalfd 282 -,
signalfd4 289 74, restart_syscall 219 128, pause 34 -, wait4 61 260, waitid 247 95, exit 60 93, exit_group 231 94
# Time, and waiting
time 201 -, times 100 153, gettimeofday 96 169, clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115,
nanosleep 35 101, alarm 37 -, getitimer 36 102, setitimer 38 103, timer_create 222 107, timer_settime 223 110,
timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111, timerfd_create 283 85, timerfd_settime 286 86,
timerfd_gettime 287 87, poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20,
epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -, eventfd2 290 19
# The socket to the grader, which is there already: none can be made
sendto 44 206, recvfrom 45 207, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209
# Questions, and limits, which can only be lowered
getpid 39 172, gettid 186 178, getppid 110 173, getpgrp 111 -, getpgid 121 155, getsid 124 156, getuid 102 174,
geteuid 107 175, getgid 104 176, getegid 108 177, getgroups 115 158, getresuid 118 148, getresgid 120 150,
capget 125 90, uname 63 160, sysinfo 99 179, getrusage 98 165, getrlimit 97 163, setrlimit 160 164, getpriority 140 141,
ioprio_get 252 31, getcpu 309 168, getrandom 318 278, sched_getaffinity 204 123, sched_getattr 315 275,
sched_getparam 143 121, sched_getscheduler 145 120, sched_get_priority_max 146 125, sched_get_priority_min 147 126,
sched_rr_get_interval 148 127
"""
ENTRIES = [entry.split() for line in TABLE.splitlines() if line[:1] != "#" for entry in line.split(",") if entry]
ALLOWED_CALLS = {
    machine: {name: int(numbers[column]) for name, *numbers in ENTRIES if numbers[column] != "-"}
    for column, machine in enumerate(MACHINES)
}
# Allowed where one argument has one of these values: {name: (numbers by machine, which argument, values)}.
CONDITIONAL = {
    "clone": ({"x86_64": 56, "aarch64": 220}, 0, [0x3D0F00]),  # a thread, as pthread_create asks for it
    "prlimit64": ({"x86_64": 302, "aarch64": 261}, 0, [0]),  # the limits of this process only
    "fcntl": ({"x86_64": 72, "aarch64": 25}, 1, [*range(8), 36, 37, 38, 1030]),  # copies, flags and locks of files
    "ioctl": ({"x86_64": 16, "aarch64": 29}, 1, [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]),  # is it a terminal?
}
# The C library does without what it is told does not exist: clone3, whose arguments a filter cannot see, and all calls
# that are newer than this table.
CLONE3, FIRST_UNKNOWN = 435, 463
