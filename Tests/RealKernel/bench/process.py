"""What the kernel counts of a process."""

import contextlib
import os
import time

from .failure import Failure

WINDOW, SETTLED = 5, 60
"""s; how long nothing happens in a process that rests, and how long to wait for that."""


def sleeps(pid):
    """Voluntary context switches of each thread so far."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as file:
            for line in file:
                if line.startswith("voluntary_ctxt_switches"):
                    counts[task] = int(line.split()[1])
    return counts


class Watched:
    """A process whose wake-ups are counted: voluntary context switches of all its threads."""

    def __init__(self, pid):
        self.pid = pid
        self.before = sleeps(pid)

    @property
    def woken(self):
        """How often, since it was asked last."""
        before, self.before = self.before, sleeps(self.pid)
        return sum(self.before.values()) - sum(before.values())

    def rest(self):
        """Waits until what it awaited has ended."""
        deadline = time.monotonic() + SETTLED
        while True:
            time.sleep(WINDOW)
            if not (woken := self.woken):
                return
            if time.monotonic() > deadline:
                raise Failure(f"{woken} wake-ups in {WINDOW} s, {SETTLED} s after the last event")


def stat(pid):
    """The fields of /proc/PID/stat from the state on."""
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()


def children(pid):
    found = []
    for other in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if stat(other)[1] == str(pid):
                found.append(int(other))
    return found


def cpu(pid):
    """Milliseconds of processor time so far."""
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) * 1000 // os.sysconf("SC_CLK_TCK")


def memory(pid):
    """Kilobytes in memory: all pages, and those with shared ones counted by their share."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        sizes = dict(line.split()[:2] for line in file if line.startswith(("Rss:", "Pss:")))
    return int(sizes["Rss:"]), int(sizes["Pss:"])


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
