"""Judges the captures with tshark, and says how many cases passed and which did not."""

import concurrent.futures
import glob
import subprocess

from .catalogue import folder


def malformed(capture):
    """Frames that Wireshark cannot make sense of."""
    done = subprocess.run(
        ["tshark", "-r", capture, "-Y", "_ws.malformed"], capture_output=True, text=True
    )
    found = [f"tshark: {done.stderr.strip()}"] if done.returncode else done.stdout.splitlines()
    return [f"{capture}: {frame}" for frame in found]


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


def judge(out, results, left_out, workers):
    """Prints the verdict of the whole; returns the exit status. `left_out`: for want of time."""
    failed = [result["case"] for result in results if result["failure"]]
    passed = len(results) - len(failed)
    if judged := captures(out, results):
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            bad = [frame for found in pool.map(malformed, judged) for frame in found]
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
