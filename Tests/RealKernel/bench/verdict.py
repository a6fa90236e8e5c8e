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
    with open(os.path.join(folder, "planned.json")) as titles:
        missing = set(json.load(titles)) - {result["case"] for result in results}
    for title in sorted(missing):
        print(f"FAILED  {title}\nnot run to its end: the guest ended before; see console.log")
    verdicts = [result["passed"] for result in results] + [False] * len(missing)
    bad, captures = [], 0
    for result in results:
        own = os.path.join(folder, result["case"].replace(" ", "-"))
        for name in sorted(os.listdir(own)):
            if name.endswith(".btsnoop") and not result["hostile"]:
                captures += 1
                bad += [f"{own}/{name}: {frame}" for frame in malformed(os.path.join(own, name))]
    if captures:
        verdicts.append(not bad)
        verdict = "FAILED" if bad else "passed"
        print(f"{verdict}  tshark finds nothing malformed in {captures} captures", *bad, sep="\n")
    print(f"real kernel: {verdicts.count(True)} passed, {verdicts.count(False)} failed")
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
