"""System calls that fail: each call of a run once, with each error that it may have.

What is only to be tried again (EINTR, EAGAIN) changes nothing. Anything else is reported in words, or did not matter. Nothing
crashes or hangs, and the terminal is given back.
"""

import contextlib
import errno
import os
import shutil
import subprocess

from sets import long
from terminal import TIMEOUT, Failure, Terminal

COMMAND = ["--adapter", "virtual-quiet"]
REPEATED = {
    errno.EINTR: "accept4 connect epoll_wait flock fsync ftruncate open openat poll pread pwrite read recv send write",
    errno.EAGAIN: "accept4 read recv send write",
}
MISSING = {
    errno.EMFILE: "accept4 epoll_create1 eventfd inotify_init1 memfd_create open openat pipe2 signalfd socket socketpair "
    "timerfd_create",
    errno.ENOMEM: "bind connect epoll_create1 epoll_ctl eventfd fcntl fstat inotify_add_watch inotify_init1 link listen "
    "memfd_create mkdir open openat pipe2 poll recv rename send signalfd socket socketpair timerfd_create timerfd_settime "
    "unlink",
}
BROKEN = {
    errno.EIO: "fsync ftruncate ioctl open pread pwrite read rename tcgetattr unlink write",
    errno.ENOSPC: "fsync ftruncate link mkdir open pwrite rename write",
    errno.EACCES: "bind connect flock inotify_add_watch mkdir open openat rename unlink",
}
MOST = 80
"""Calls of one function; the doctor reads a file for each process of the machine."""


def library():
    """The library that makes a call fail; None without a C compiler."""
    compiler = shutil.which("clang") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        print("        (no C compiler here)")
        return None
    path = os.path.join(os.environ["HOME"], "faults.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], check=True)
    return path


def each(faults, attempt):
    """Calls `attempt` with the environment of every fault that is reached, and what to call it; the number of them."""
    path = library()
    if not path:
        return 0
    mark = os.path.join(os.environ["HOME"], "mark")
    count = 0
    for error, functions in faults.items():
        for function in functions.split():
            for nth in range(1, MOST + 1):
                attempt(
                    {"LD_PRELOAD": path, "EARSHOT_FAULT": f"{function} {nth} {error} {mark}"},
                    f"{function} number {nth}, {errno.errorcode[error]}",
                    error in REPEATED,
                )
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(mark)
                    count += 1
                    continue
                break
    return count


def try_command(binary, line, faults):
    command = [binary, *line.split()]

    def run(environment):
        return subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            timeout=TIMEOUT,
        )

    usual = run({})

    def attempt(environment, what, is_repeated):
        result = run(environment)
        is_usual = (result.returncode, result.stdout) == (usual.returncode, usual.stdout)
        assert result.returncode >= 0, f"{what}: {result}"
        assert is_usual or not is_repeated, f"{what}: {result}"
        assert result.returncode == 0 or result.stderr.strip() or result.stdout.strip(), f"{what}: {result}"

    count = each(faults, attempt)
    print(f"        {count} calls failed")


@long
def case_each_system_call_of_a_command_may_fail(binary):
    try_command(binary, "battery --device aurora --adapter virtual-quiet", {**REPEATED, **MISSING, **BROKEN})


@long
def case_each_system_call_of_the_doctor_may_fail(binary):
    try_command(binary, "doctor", MISSING)


@long
def case_each_system_call_of_a_screen_may_fail(binary):
    def attempt(environment, what, _):
        with Terminal([binary, *COMMAND], environment=environment) as terminal:
            try:
                # Not a message before it: keys that are typed then are for no program yet.
                terminal.expect("q Quit")
                terminal.send("q")
            except (Failure, OSError):
                pass  # it has ended without one
            try:
                status = terminal.end()
            except Failure as failure:
                raise Failure(f"{what}: {failure}") from None
            assert status >= 0, f"{what}: {status}"
            entered, left = (terminal.raw.rfind(sequence) for sequence in (b"\x1b[?1049h", b"\x1b[?1049l"))
            assert entered <= left, f"{what}: the terminal is not given back"

    count = each(MISSING, attempt)
    print(f"        {count} calls failed")
