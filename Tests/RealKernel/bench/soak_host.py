"""Lets hours pass in one guest, and prints a line for each: `soak_host.py OUT JSON`.

^C ends it early; the hours so far are judged.
"""

import json
import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench.failure import Failure, equal, expect  # noqa: E402
from bench.guests import Ended, Guest  # noqa: E402

SETTLED = 1
"""Hours after which memory is compared."""
GROWTH = 1024
"""KB of memory."""
LARGEST_LOG, LARGEST_STATE = 2 << 20, 64 << 10
"""Bytes: the log and the one before it, each rotated at 1 MiB; all other files of the state."""
COLUMNS = (
    "hour", "resident", "share", "descriptors", "threads", "log", "state", "cpu", "wakeUps",
    "requests", "events", "wall",
)  # fmt: skip


def line(cells):
    return "  ".join(str(cell).rjust(len(name)) for name, cell in zip(COLUMNS, cells))


def judge(hours):
    """None of what should stay as it is has grown."""
    expect(hours, "no hour has passed")
    last = hours[-1]
    expect(last["log"] <= LARGEST_LOG, f"the log has {last['log']} bytes")
    expect(last["state"] <= LARGEST_STATE, f"the state has {last['state']} bytes")
    if len(hours) <= SETTLED:
        return
    first = hours[SETTLED]
    for what in ("descriptors", "threads"):
        equal(last[what], first[what], what)
    for what in ("resident", "share"):
        grown = last[what] - first[what]
        expect(grown <= GROWTH, f"memory ({what}) has grown by {grown} KB since hour {SETTLED + 1}")


def main(out, path):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    hours, begun = [], time.monotonic()
    try:
        guest = Guest("soak", out, skips_idle=True)
        print(line(COLUMNS), flush=True)
        while "failure" not in (reported := guest.answer()):
            hours.append({**reported, "wall": round(time.monotonic() - begun)})
            count = sum(reported["events"].values())
            print(line({**hours[-1], "events": count}[name] for name in COLUMNS), flush=True)
        guest.process.wait()
        failure = reported["failure"]
    except Ended as ended:
        failure = str(ended)
    except KeyboardInterrupt:
        failure = None
    try:
        judge(hours)
    except Failure as grown:
        failure = failure or str(grown)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump({"hours": hours, "failure": failure}, file, indent=1)
    print(failure or f"passed: {len(hours)} h of the guest")
    return bool(failure)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
