"""Judges the captures with tshark, and says how many cases passed: `verdict.py FOLDER`."""

import json
import os
import subprocess
import sys


def malformed(capture):
    """Frames that Wireshark cannot make sense of."""
    done = subprocess.run(
        ["tshark", "-r", capture, "-Y", "_ws.malformed"], capture_output=True, text=True
    )
    if done.returncode:
        return [f"tshark: {done.stderr.strip()}"]
    return done.stdout.splitlines()


def main(folder):
    with open(os.path.join(folder, "results.jsonl")) as lines:
        results = [json.loads(line) for line in lines]
    verdicts = [result["passed"] for result in results]
    bad, captures = [], 0
    for result in results:
        own = os.path.join(folder, result["case"].replace(" ", "-"))
        for name in sorted(os.listdir(own)):
            if name.endswith(".btsnoop") and not result["hostile"]:
                captures += 1
                bad += [f"{own}/{name}: {frame}" for frame in malformed(os.path.join(own, name))]
    verdicts.append(not bad)
    print("FAILED" if bad else "passed", f" tshark finds nothing malformed in {captures} captures")
    print(*bad, sep="\n", end="\n" if bad else "")
    print(f"real kernel: {verdicts.count(True)} passed, {verdicts.count(False)} failed")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
