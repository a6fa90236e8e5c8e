"""Judges the captures with tshark, and says how many cases passed and which did not."""

import glob
import subprocess
import tempfile

from .catalogue import folder


def malformed(paths):
    """Frames that Wireshark cannot make sense of.

    One run of tshark for all captures, because it takes longer to start than to read one. Each is an interface of its
    own, so that no connection goes on in the next. User Logging frames (opcode 13 of Linux's monitor) are not from the
    air, and tshark reads them wrongly in a pcapng file.
    """
    with tempfile.NamedTemporaryFile(suffix=".pcapng") as merged:
        for command in (
            ["mergecap", "-a", "-I", "none", "-w", merged.name, *paths],
            ["tshark", "-r", merged.name, "-Y", "_ws.malformed && hci_mon.opcode != 13", "-T", "fields"]
            + ["-e", "frame.interface_id", "-e", "frame.time", "-e", "_ws.col.Info"],
        ):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                return [f"{command[0]}: {done.stderr.strip()}"]
    frames = (line.split("\t", 1) for line in done.stdout.splitlines())
    return [f"{paths[int(interface)]}: {frame}" for interface, frame in frames]


def captures(out, results):
    """Those of cases whose headphones send nothing but what they should."""
    return [
        capture
        for result in results
        if not result["hostile"]
        for capture in sorted(glob.glob(f"{folder(out, result['case'])}/*.btsnoop"))
    ]


NOT_RUN = 77
"""The exit status of a part of `scripts/test` that could not be run."""


def judge(out, results, left_out):
    """Prints the verdict of the whole; returns the exit status. `left_out`: for want of time."""
    failed = [result["case"] for result in results if result["failure"]]
    passed = len(results) - len(failed)
    if judged := captures(out, results):
        bad = malformed(judged)
        title = f"tshark finds nothing malformed in {len(judged)} captures"
        print(f"{'FAILED' if bad else 'passed'}  {title}", *bad, sep="\n")
        if bad:
            failed.append(title)
        else:
            passed += 1
    if failed:
        print("failed cases:", *(f"  {title}" for title in failed), sep="\n")
    flaky = [result for result in results if result["first"] and not result["failure"]]
    if flaky:
        print("passed only when run again:", *(f"  {case['case']}: {case['first']}" for case in flaky), sep="\n")
    if left_out:
        print("left out for want of time:", *(f"  {title}" for title in left_out), sep="\n")
    print(f"real kernel: {passed} passed, {len(failed)} failed" + (f", {len(left_out)} left out" if left_out else ""))
    if left_out and not results:
        return NOT_RUN
    return 0 if passed and not failed else 1
