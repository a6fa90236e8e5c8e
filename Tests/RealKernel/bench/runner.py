"""Runs cases in the guest: `runner.py BINARY PYTHON SHARED GUEST`.

Standard input brings titles, a line each, and an empty line as the last; standard output has
what it runs on, then a line of JSON for each case.
"""

import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench import air  # noqa: E402
from bench.catalogue import chosen, folder  # noqa: E402
from bench.desktop import bluetoothd  # noqa: E402
from bench.failure import Failure  # noqa: E402
from bench.kernel import Capture, Log, Management  # noqa: E402
from bench.program import install  # noqa: E402
from bench.rig import Rig  # noqa: E402

CASE_LIMIT = 300
"""s; more than the sum of a case's own bounds should ever be."""


def run(case, rig, log):
    """None, or what went wrong."""
    capture = Capture(os.path.join(rig.folder, "kernel.btsnoop"))
    signal.alarm(CASE_LIMIT)
    try:
        rig.adapter.plug()
        case(rig)
        return "\n".join(log.faults()) or None
    except Failure as failure:
        return str(failure)
    except Exception:
        return traceback.format_exc()
    finally:
        signal.alarm(0)
        if rig.adapter.is_alive:
            rig.air.catch_up()
        with open(os.path.join(rig.folder, "headphones.jsonl"), "w") as records:
            records.writelines(json.dumps(record) + "\n" for record in rig.air.records)
        rig.close()
        capture.close()


def out_of_time(*_):
    raise Failure(f"the case took longer than {CASE_LIMIT} s")


def versions():
    """What the cases run on: the system, its kernel, and the services."""
    found = {"system": platform.freedesktop_os_release()["PRETTY_NAME"], "kernel": os.uname().release}
    for program in (bluetoothd(), "pipewire", "wireplumber", "pulseaudio"):
        said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"[0-9]+(\.[0-9]+)+", said)
        found[os.path.basename(program)] = version[0] if version else None
    return found


def tell(message):
    print(json.dumps(message), flush=True)


def main(binary, python, shared, guest):
    signal.signal(signal.SIGALRM, out_of_time)
    binary = install(binary)
    engine = air.Engine(python, HERE, os.path.join(shared, guest))
    engine.start()
    link, management, log = air.Air(), Management(), Log()
    cases = chosen()
    tell(versions())
    while title := sys.stdin.readline().strip():
        own = folder(shared, title)
        os.makedirs(own, exist_ok=True)
        begun = time.monotonic()
        rig = Rig(engine, link, management, binary, own)
        failure = run(cases[title], rig, log)
        took = time.monotonic() - begun
        tell({"failure": failure, "took": took, "notes": rig.notes})


if __name__ == "__main__":
    main(*sys.argv[1:])
