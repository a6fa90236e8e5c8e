#!/usr/bin/python3
"""Builds the Swift tests and runs them. Tests that a run which hangs waits for are named.

Those with real sound servers run one after the other and mostly wait: they run beside the others, which compute.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUNDLE = ".build/tests/release/earshotPackageTests.xctest"
SETS = {"servers": ["--filter", "RealServers"], "others": ["--skip", "RealServers"]}


def begin(name):
    """Starts a set of tests, with a record of its events and a log."""
    # No crash reports in the middle of the log: tests that provoke signals expect them. A few tests at a time: all of them
    # would start at once, and each wait long for its next step.
    environment = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8", "SWIFT_BACKTRACE": "enable=no", **os.environ}
    command = ["timeout", "--foreground", "--kill-after=10", "1200", BUNDLE, "--testing-library", "swift-testing",
               "--event-stream-output-path", f".build/test-{name}.events", *SETS[name]]
    with open(f".build/test-{name}.log", "w", encoding="utf-8") as log:
        output = None if name == "others" else log
        return subprocess.Popen(command, env=environment, stdout=output, stderr=output)


def events(lines):
    """The kinds of events of tests, not of suites, with the test; a run that was ended may leave its last line unfinished."""
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if record.get("kind") == "event" and ".swift:" in record["payload"].get("testID", ""):
            yield record["payload"]["kind"], record["payload"]["testID"]


def unfinished(lines):
    """The tests that have started and not ended."""
    running = {}
    for kind, test in events(lines):
        if kind == "testStarted":
            running[test] = True
        elif kind == "testEnded":
            running.pop(test, None)
    return list(running)


def main():
    os.chdir(ROOT)
    if status := subprocess.call(["scripts/build", "--tests"]):
        return status
    children = {name: begin(name) for name in SETS}
    statuses = {name: child.wait() for name, child in children.items()}
    print(pathlib.Path(".build/test-servers.log").read_text(encoding="utf-8", errors="replace"), flush=True)
    count = 0
    for name, status in statuses.items():
        with open(f".build/test-{name}.events", encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
        count += sum(kind == "testEnded" for kind, _ in events(lines))
        for test in unfinished(lines) if status else []:
            print(f"error: not ended: {test}")
    print(f"Swift Testing: {count} tests")
    return int(any(statuses.values()))


if __name__ == "__main__":
    sys.exit(main())
