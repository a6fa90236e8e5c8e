#!/usr/bin/python3
"""Builds the Swift tests and runs them. Tests that a run which hangs waits for are named.

Those with real sound servers run one after the other and mostly wait: they run beside the others, which compute.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUNDLE = ".build/tests/release/earshotPackageTests.xctest"
SETS = {"servers": ["--filter", "RealServers"], "others": ["--skip", "RealServers"]}
# The most tests of a run that are tried again after a failure, as cases on the real kernel are; a report names them.
AGAIN = 2


def begin(name, chosen):
    """Starts a set of tests, with a record of its events and a log."""
    # No crash reports in the middle of the log: tests that provoke signals expect them. A few tests at a time: all of them
    # would start at once, and each wait long for its next step.
    environment = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8", "SWIFT_BACKTRACE": "enable=no", **os.environ}
    command = ["timeout", "--foreground", "--kill-after=10", "1200", BUNDLE, "--testing-library", "swift-testing",
               "--event-stream-output-path", f".build/test-{name}.events", *chosen]
    with open(f".build/test-{name}.log", "w", encoding="utf-8") as log:
        output = None if name == "others" else log
        return subprocess.Popen(command, env=environment, stdout=output, stderr=output)


def recorded(name):
    """The lines of a set's record."""
    with open(f".build/test-{name}.events", encoding="utf-8", errors="replace") as file:
        return file.readlines()


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


def failed(lines):
    """The tests that have recorded an issue."""
    return list(dict.fromkeys(test for kind, test in events(lines) if kind == "issueRecorded"))


def passes_again(tests):
    """Whether tests pass that are run again, by themselves."""
    names = "|".join(re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", test) for test in tests)
    status = begin("again", ["--filter", names]).wait()
    ended = {test for kind, test in events(recorded("again")) if kind == "testEnded"}
    return status == 0 and ended == set(tests)


def main():
    os.chdir(ROOT)
    if status := subprocess.call(["scripts/build", "--tests"]):
        return status
    children = {name: begin(name, chosen) for name, chosen in SETS.items()}
    statuses = {name: child.wait() for name, child in children.items()}
    print(pathlib.Path(".build/test-servers.log").read_text(encoding="utf-8", errors="replace"), flush=True)
    lines = {name: recorded(name) for name in SETS}
    hanging = [test for name, status in statuses.items() if status for test in unfinished(lines[name])]
    for test in hanging:
        print(f"error: not ended: {test}")
    wrong = [test for name in SETS for test in failed(lines[name])]
    is_success = not any(statuses.values())
    if not is_success and not hanging and 0 < len(wrong) <= AGAIN and passes_again(wrong):
        is_success = True
        print("passed only when run again:", *(f"  {test}" for test in wrong), "", sep="\n")
    count = sum(kind == "testEnded" for name in SETS for kind, _ in events(lines[name]))
    print(f"Swift Testing: {count} tests")
    return 0 if is_success else 1


if __name__ == "__main__":
    sys.exit(main())
