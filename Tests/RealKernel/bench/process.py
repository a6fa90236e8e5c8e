"""What the kernel counts of a process."""

import contextlib
import os


def sleeps(pid):
    """Voluntary context switches of each thread so far."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as file:
            for line in file:
                if line.startswith("voluntary_ctxt_switches"):
                    counts[task] = int(line.split()[1])
    return counts


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
